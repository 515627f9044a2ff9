"""Compiles the hot path with Cython where a C compiler is there; elsewhere the same files are plain Python.

The `.pxd` file beside a module gives the C types of its classes. An editable install is left as plain Python,
so that an edit takes effect. RLCHECK_PURE=1 does the same.
"""

import os
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HOT_PATH = [
    "abilities",
    "abstractions/call_stack",
    "abstractions/call_tree",
    "abstractions/sequence",
    "abstractions/spans",
    "characteristics",
    "choice",
    "contexts",
    "episode",
    "guide",
    "learners/_exploration",
    "learners/_rows",
    "learners/_saved",
    "learners/diverse/archive",
    "learners/diverse/ballot",
    "learners/diverse/donors",
    "learners/diverse/echoes",
    "learners/diverse/edits",
    "learners/diverse/kin",
    "learners/diverse/learner",
    "learners/diverse/loops",
    "learners/diverse/model",
    "learners/diverse/ranks",
    "learners/diverse/rates",
    "learners/diverse/recorder",
    "learners/diverse/relations",
    "learners/diverse/runs",
    "learners/diverse/scatter",
    "learners/diverse/script",
    "learners/diverse/shelf",
    "learners/diverse/tree",
    "learners/diverse/trie",
    "learners/diverse/values",
    "learners/diverse/variants",
    "learners/diverse/votes",
    "learners/diverse/ways",
    "learners/diverse/worth",
    "learners/monte_carlo",
    "learners/portfolio/learner",
    "learners/portfolio/states",
    "learners/sarsa_lambda",
    "learners/swarm",
    "learners/uniform",
    "rewards",
    "states",
]


class AllOrNone(build_ext):
    """Compiled modules know the layout of each other's objects: when one is missing, none is installed."""

    def build_extensions(self):
        super().build_extensions()
        paths = [self.get_ext_fullpath(extension.name) for extension in self.extensions]
        if not all(map(os.path.exists, paths)):
            for path in filter(os.path.exists, paths):
                os.remove(path)


def compiled():
    if os.environ.get("RLCHECK_PURE") == "1" or not {"bdist_wheel", "build_ext"} & set(sys.argv):
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    extensions = [
        Extension(
            f"rlcheck.{module.replace('/', '.')}",
            [f"src/rlcheck/{module}.py"],
            # Two operations are never fused into one: plain Python rounds after each.
            extra_compile_args=[] if os.name == "nt" else ["-O3", "-g0", "-ffp-contract=off"],
        )
        for module in HOT_PATH
    ]
    # Types come from the .pxd files alone: Cython would take the annotation `float` for a C double.
    directives = {"annotation_typing": False}
    made = cythonize(extensions, language_level=3, build_dir="build/cython", compiler_directives=directives)
    for extension in made:
        extension.optional = True  # No C compiler: a warning, and plain Python. Cython drops it from above.
    return made


setup(
    ext_modules=compiled(),
    cmdclass={"build_ext": AllOrNone},
    options={"build_ext": {"parallel": os.cpu_count()}},
)
