"""A suite of strict generators: naive ones whose inputs are seldom valid."""
