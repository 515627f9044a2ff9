"""The `rlcheck` command: `main` parses the arguments, and each command has a module."""
