"""What it costs to note which branches of a subject an input takes."""
