"""`python -m rlcheck`: the `rlcheck` command where it is not on the path."""

import sys

from rlcheck.cli.main import main

if __name__ == "__main__":  # Workers that are spawned import this file again.
    sys.exit(main())
