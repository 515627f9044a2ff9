"""Run a study: `python -m benchmarks NAME`, where NAME is a folder beside this file."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.study import main

NAMES = sorted(path.parent.name for path in Path(__file__).parent.glob("*/study.py"))

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        sys.exit(f"usage: python -m benchmarks NAME [options]\nNAME is one of: {', '.join(NAMES)}")
    sys.exit(main(import_module(f"benchmarks.{sys.argv[1]}.study").STUDY, sys.argv[2:]))
