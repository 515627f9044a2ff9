"""JQF's Zest and our learners on the same Java generators."""
