"""What survives damage: mutated files, killed processes, other processes with the same seed."""
