"""Fetches what the subjects need besides Python packages: `python -m benchmarks.subjects.install`.

Nothing is installed in the system: packages are unpacked under `build/subjects`. Without Java, or without a
network, the subjects that need it are skipped, and a line says so.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "build" / "subjects"
#: What has been fetched, each in a folder of its own.
CLASSES, PLAIN, NOTING, ONNX = (FOLDER / name for name in ("classes", "plain", "noting", "onnx-1.16.1"))
_SOURCES = Path(__file__).parent / "java"
_TOOLS = ("java", "javac", "apt-get", "dpkg", "npm")
_DEBIAN = ("ant", "libasm-java", "libmaven3-core-java", "libplexus-utils2-java", "librhino-java")
_CLOSURE = "google-closure-compiler@20180204.0.0"
#: By subject: its jar, the others it needs, and which of its classes have their branches noted.
JARS = {
    "ant": ("ant.jar", ("ant-launcher.jar",), "org/apache/tools/ant/"),
    "maven": ("maven3-model.jar", ("plexus-utils2.jar",), "org/apache/maven/model/"),
    "rhino": ("js.jar", (), "org/mozilla/javascript/"),
    "closure": ("compiler.jar", (), "com/google/javascript/"),
}


def java() -> None:
    """Fetch the jars of Debian and of npm, compile the drivers, and make copies that note branches."""
    fetched = FOLDER / "fetched"
    for folder in (fetched, CLASSES, PLAIN, NOTING):
        folder.mkdir(parents=True, exist_ok=True)
    _run("apt-get", "download", *_DEBIAN, cwd=fetched)
    for package in sorted(fetched.glob("*.deb")):
        _run("dpkg", "-x", str(package), str(fetched))
    _run("npm", "pack", "--silent", _CLOSURE, cwd=fetched)
    _run("tar", "xzf", str(next(fetched.glob("google-closure-compiler-*.tgz"))), cwd=fetched)
    for name in ("asm.jar", *(name for main, others, _ in JARS.values() for name in (main, *others))):
        folder = "package" if name == "compiler.jar" else "usr/share/java"
        shutil.copy(fetched / folder / name, PLAIN)
    path = ":".join(map(str, [CLASSES, *sorted(PLAIN.glob("*.jar"))]))
    sources = sorted(map(str, _SOURCES.glob("*.java")))
    _run("javac", "-nowarn", "-Xlint:none", "-cp", path, "-d", str(CLASSES), *sources)
    for name, (main, _, within) in JARS.items():
        _run("java", "-cp", path, "Instrument", str(PLAIN / main), str(NOTING / main), within)
        for folder in (
            PLAIN,
            NOTING,
        ):  # Ant reads resources for each input, which in a jar takes 4 times as long.
            shutil.unpack_archive(folder / main, folder / name, "zip")


def onnx() -> None:
    """Fetch the version of onnx that has known crashes; it runs in a process of its own."""
    requirements = str(Path(__file__).parent / "requirements-onnx-1.16.1.txt")
    _run(sys.executable, "-m", "pip", "install", "--quiet", "--target", str(ONNX), "-r", requirements)


def _run(*command: str, cwd: Path | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{' '.join(command)[:80]} ... failed: {done.stderr.strip()[-500:]}")


def main() -> None:
    """Fetch what is missing, and say what cannot be had."""
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"Java subjects will be skipped: {', '.join(missing)} not found.", file=sys.stderr)
    for name, wanted, fetch in (
        ("Java subjects", not missing and not (FOLDER / "java.done").exists(), java),
        ("onnx-1.16.1", not (FOLDER / "onnx.done").exists(), onnx),
    ):
        if wanted:
            print(f"{name}: fetching what they need into {FOLDER} ...", file=sys.stderr)
            try:
                fetch()
                (FOLDER / f"{fetch.__name__}.done").touch()
            except OSError as error:
                print(f"{name} will be skipped: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
