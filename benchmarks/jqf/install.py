"""Fetches JQF and its subjects from Maven Central: `python -m benchmarks.jqf.install`.

`pom.xml` says which versions. Nothing is installed in the system: all of it lies under `build/jqf`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.subjects.build_files import ANT_WORDS, MAVEN_WORDS

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[1]
FOLDER = _ROOT / "build" / "jqf"
#: JQF with what it needs; and that with the generators and the subjects.
JQF, ALL = FOLDER / "jqf", FOLDER / "all"
#: Our classes: what no fuzzer instruments, the tests, our own runner, and what replays inputs.
BASE, TESTS, OURS, REPLAY = (FOLDER / "classes" / name for name in ("base", "tests", "ours", "replay"))
#: Copies of subjects that note their branches.
NOTING = FOLDER / "noting"
#: By subject: the jar whose branches count, and which of its classes.
SUBJECTS = {
    "ant": ("ant-1.10.11.jar", "org/apache/tools/ant/"),
    "maven": ("maven-model-3.5.2.jar", "org/apache/maven/model/"),
    "rhino": ("rhino-1.7.8.jar", "org/mozilla/javascript/"),
    "closure": ("closure-compiler-v20180204.jar", "com/google/javascript/"),
    "bcel": ("bcel-6.6.0.jar", "org/apache/bcel/"),
}
_GENERATORS = "jqf-examples-2.0.jar"


def jars(folder: Path, *, without: str = "") -> str:
    """Return the class path of a folder's jars."""
    return ":".join(str(path) for path in sorted(folder.glob("*.jar")) if path.name != without)


def own_path(*, noting: str = "") -> str:
    """Return the class path of tests and subjects; one of them may be the copy that notes branches."""
    names = [path.name for path in sorted(ALL.glob("*.jar")) if not (JQF / path.name).exists()]
    paths = [str((NOTING if name == noting else ALL) / name) for name in (*names, _GENERATORS)]
    return ":".join([str(TESTS), *paths])


def jqf_path() -> str:
    """Return the class path of JQF, without what it has to instrument."""
    return f"{BASE}:{jars(JQF, without=_GENERATORS)}"


def missing(_: str = "") -> list[str]:
    """Return what is needed here and not installed."""
    if not (FOLDER / "done").exists():
        return ["Java 17 and Maven, and python -m benchmarks.jqf.install"]
    return []


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


def _copy(folder: Path, *options: str) -> None:
    goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
    pom = str(_HERE / "pom.xml")
    _run("mvn", "--quiet", "--batch-mode", "-f", pom, goal, f"-DoutputDirectory={folder}", *options)


def _compile(to: Path, path: Iterable[Path | str], sources: Iterable[Path]) -> None:
    to.mkdir(parents=True, exist_ok=True)
    names = sorted(map(str, sources))
    _run("javac", "-nowarn", "-Xlint:none", "-cp", ":".join(map(str, path)), "-d", str(to), *names)


def install() -> None:
    """Fetch the jars, compile our classes, and make copies that note branches."""
    _copy(JQF, "-DincludeScope=runtime")
    _copy(ALL)
    _build(jars(ALL))


def _build(every: str) -> None:
    java = _HERE / "java"
    subjects = _ROOT / "benchmarks" / "subjects" / "java"
    _compile(BASE, [every], (java / "base").glob("*.java"))
    _compile(TESTS, [every, BASE], (java / "tests").glob("*.java"))
    for name, words in (("ant", ANT_WORDS), ("maven", MAVEN_WORDS)):
        tags = [word for word in words if word[0].isalpha()]  # The generator makes tags of all words.
        (TESTS / f"{name}.dict").write_text("\n".join(tags) + "\n")
    client = (_ROOT / "clients" / "java" / "src" / "main" / "java" / "rlcheck").glob("*.java")
    _compile(OURS, [every, BASE, TESTS], [*(java / "ours").glob("*.java"), *client])
    noting = [subjects / "Hits.java", subjects / "Instrument.java", java / "replay" / "Replay.java"]
    _compile(REPLAY, [every, BASE, TESTS], noting)
    NOTING.mkdir(exist_ok=True)
    for jar, within in SUBJECTS.values():
        _run("java", "-cp", f"{REPLAY}:{every}", "Instrument", str(ALL / jar), str(NOTING / jar), within)
    (FOLDER / "done").touch()


def main() -> None:
    """Install what can be installed here."""
    absent = [tool for tool in ("java", "javac", "mvn") if shutil.which(tool) is None]
    if absent:
        print(f"JQF is skipped: it needs {', '.join(absent)}.", file=sys.stderr)
        return
    install()


if __name__ == "__main__":
    main()
