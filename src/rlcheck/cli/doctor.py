"""`rlcheck doctor`: reports what is installed, and whether the stored runs can be used."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import sys
from collections.abc import Iterator

import rlcheck
from rlcheck import guide, registry
from rlcheck.errors import RlcheckError
from rlcheck.report.store import FOLDER, Store


def doctor(*, as_json: bool) -> int:
    """Print a line for each finding; returns 0 even if something optional is missing."""
    findings = list(_findings())
    if as_json:
        rows = [{"about": about, "fine": fine, "text": text} for about, fine, text in findings]
        sys.stdout.write(json.dumps({"rlcheck": "doctor", "version": 1, "findings": rows}) + "\n")
    else:
        for about, fine, text in findings:
            sys.stdout.write(f"{'ok  ' if fine else 'note'}  {about}: {text}\n")
    return 0


def _findings() -> Iterator[tuple[str, bool, str]]:
    yield "rlcheck", True, f"{rlcheck.__version__} on Python {platform.python_version()}, {platform.system()}"
    compiled = not guide.__file__.endswith(".py")
    slow = "no: plain Python is several times slower. Install a C compiler, then rlcheck again"
    yield "compiled", compiled, "yes" if compiled else slow
    for package, extra in sorted(registry.EXTRAS.items()):
        try:
            yield package, True, importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            yield package, False, f"not installed; {registry.install_command(extra)}"
    yield "processors", (os.cpu_count() or 1) > 1, f"{os.cpu_count()}; --workers uses several"
    if not os.path.exists(FOLDER):
        yield "stored runs", True, f"none in {os.path.abspath(FOLDER)}"
        return
    try:
        store = Store()
    except RlcheckError as error:
        yield "stored runs", False, str(error)
        return
    try:
        known = [failure for failure in store.failures() if failure.fixed is None]
        size = store.path.stat().st_size / 1e6
        yield "stored runs", True, f"{len(store.runs())} runs, {len(known)} open failures, {size:.1f} MB"
    except RlcheckError as error:
        yield "stored runs", False, str(error)
    finally:
        store.close()
