"""Fetches the projects: `python -m benchmarks.projects.install`.

The sources come from PyPI, checked against the digests in `projects.py`. They are unpacked under
`build/projects`, and their packages are installed into an environment there.
"""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen

from benchmarks.projects.projects import PROJECTS, Project

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "projects"
PYTHON = FOLDER / "environment" / "bin" / "python"
_TOOLS = ("pytest", "hypothesis", "pytest-benchmark", "pytest-mock", "pytest-cov")


def source(name: str) -> Path:
    """Return the folder of a project's source."""
    return FOLDER / f"{name}-{PROJECTS[name].version}"


def fetch(name: str, project: Project) -> None:
    """Unpack a project's sdist."""
    index = f"https://pypi.org/simple/{name}/"
    with urlopen(index, timeout=60) as answer:
        links = re.findall(r'href="([^"#]+)#sha256=([0-9a-f]+)"', answer.read().decode())
    found = [link for link, digest in links if digest == project.digest]
    if not found:
        raise OSError(f"{name} {project.version}: {index} has no file with the digest {project.digest}")
    with urlopen(urljoin(index, found[0]), timeout=60) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != project.digest:
        raise OSError(f"{name} {project.version}: what {index} sent has another digest")
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        folder = archive.getnames()[0].split("/")[0]
        archive.extractall(FOLDER, filter="data")
    (FOLDER / folder).rename(source(name))


def _pip(*arguments: str) -> None:
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *arguments], check=True)


def main() -> None:
    """Fetch what is missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not PYTHON.exists():
        print("Making an environment for the projects ...", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", FOLDER / "environment"], check=True)
        _pip("-c", str(ROOT / "constraints.txt"), *_TOOLS)
    for name, project in PROJECTS.items():
        if not source(name).exists():
            print(f"{name}: fetching version {project.version} ...", file=sys.stderr)
            _pip("--prefer-binary", f"{name}=={project.version}", *project.needs)
            fetch(name, project)


if __name__ == "__main__":
    main()
