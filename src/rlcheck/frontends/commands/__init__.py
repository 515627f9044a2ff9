"""What the commands of `rlcheck` do, one module each; `cli.py` only parses."""
