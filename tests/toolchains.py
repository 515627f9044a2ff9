"""Compilers of other languages, for tests that are skipped without them."""

import re
import shutil
import subprocess

import pytest


def find(command, package):
    """Return the path of a command; skip the test if it is missing."""
    path = shutil.which(command)
    if path is None:
        pytest.skip(f"{command} is missing: apt install {package}")
    return path


def find_go(minor=21):
    """Return the path of Go 1.`minor` or later; skip the test if it is missing."""
    path = find("go", "golang")
    said = subprocess.run([path, "env", "GOVERSION"], capture_output=True, text=True, check=True).stdout
    found = re.match(r"go1\.(\d+)", said)
    if found is None or int(found[1]) < minor:
        pytest.skip(f"Go 1.{minor} or later is missing: there is {said.strip() or 'an older one'}")
    return path
