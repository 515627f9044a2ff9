"""Builds the simulation: `python -m benchmarks.cosmos.install`.

The SDK and all it needs come from Go's module proxy, checked against go.sum. A source of `math/rand` is never
told how many options a draw has, so the program is built with a copy of `math/rand` that tells it. The copy
is made here from the Go installation's own file, as an overlay.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[1]
FOLDER = _ROOT / "build" / "cosmos"
PROGRAM = FOLDER / "cosmos.test"
_HEADS = {
    "func (r *Rand) Int63n(n int64) int64 {": ("Int63n(int64) int64", "Int63n(n)"),
    "func (r *Rand) Int31n(n int32) int32 {": ("Int63n(int64) int64", "Int63n(int64(n))"),
    "func (r *Rand) Float64() float64 {": ("Float64() float64", "Float64()"),
}


def telling(text: str) -> str:
    """Return the text of `math/rand/rand.go`, changed so that a source that wants to know is told more."""
    for head, (method, call) in _HEADS.items():
        if text.count(head) != 1:
            raise RuntimeError(f"this Go's math/rand has another {head!r}. Use Go 1.25 or 1.26.")
        result = head.removesuffix(" {").rsplit(" ", 1)[1]
        told = f"if told, ok := r.src.(interface{{ {method} }}); ok {{ return {result}(told.{call}) }}"
        text = text.replace(head, f"{head}\n\t{told}")
    return text


def build() -> None:
    """Build the test binary in `build/cosmos`, with coverage of the whole SDK."""
    (FOLDER / "rlcheck").mkdir(parents=True, exist_ok=True)
    for path in (*_HERE.glob("*.go"), _HERE / "go.mod", _HERE / "go.sum"):
        shutil.copy(path, FOLDER)
    shutil.copy(_ROOT / "clients" / "rlcheck.go", FOLDER / "rlcheck")
    roots = subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True, check=True)
    original = Path(roots.stdout.strip()) / "src" / "math" / "rand" / "rand.go"
    (FOLDER / "rand.go.txt").write_text(telling(original.read_text()))
    overlay = {"Replace": {str(original): str(FOLDER / "rand.go.txt")}}
    (FOLDER / "overlay.json").write_text(json.dumps(overlay))
    options = ["-overlay=overlay.json", "-ldflags=-s -w", "-covermode=set"]
    options.append("-coverpkg=github.com/cosmos/cosmos-sdk/...")
    subprocess.run(["go", "test", "-c", "-o", str(PROGRAM), *options, "."], cwd=FOLDER, check=True)


def main() -> None:
    """Build what can be built here."""
    if shutil.which("go") is None:
        print("The Cosmos SDK's simulation is skipped: it needs Go 1.25 or later.", file=sys.stderr)
        return
    print("Building the Cosmos SDK's simulation: the first time takes some minutes ...", file=sys.stderr)
    build()


if __name__ == "__main__":
    main()
