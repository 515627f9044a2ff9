"""Compiles the hot path with mypyc where a C compiler is there; the same files run as plain Python elsewhere.

An editable install is left as plain Python, so that an edit takes effect. RLCHECK_PURE=1 does the same.
"""

import os
import sys

from setuptools import setup

HOT_PATH = [
    "src/rlcheck/abstractions/call_tree.py",
    "src/rlcheck/abstractions/sequence.py",
    "src/rlcheck/abstractions/spans.py",
    "src/rlcheck/characteristics.py",
    "src/rlcheck/choice.py",
    "src/rlcheck/episode.py",
    "src/rlcheck/guide.py",
    "src/rlcheck/learners/_exploration.py",
    "src/rlcheck/learners/_rows.py",
    "src/rlcheck/learners/_saved.py",
    "src/rlcheck/learners/_trie.py",
    "src/rlcheck/learners/_votes.py",
    "src/rlcheck/learners/diverse.py",
    "src/rlcheck/learners/monte_carlo.py",
    "src/rlcheck/learners/mutate.py",
    "src/rlcheck/learners/portfolio.py",
    "src/rlcheck/learners/uniform.py",
    "src/rlcheck/learners/zest.py",
    "src/rlcheck/rewards/novelty.py",
    "src/rlcheck/states.py",
]


def compiled():
    if os.environ.get("RLCHECK_PURE") == "1" or not {"bdist_wheel", "build_ext"} & set(sys.argv):
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    # The types of the other files are checked by `make check`, where what they import is installed.
    flags = ["--config-file=", "--strict", "--follow-imports=silent", "--ignore-missing-imports"]
    extensions = mypycify([*flags, *HOT_PATH], opt_level="3")
    for extension in extensions:
        extension.optional = True  # No C compiler: a warning, and plain Python.
    return extensions


setup(ext_modules=compiled())
