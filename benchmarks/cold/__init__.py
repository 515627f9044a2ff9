"""From nothing valid to the first valid input: strict validators of other people's packages."""
