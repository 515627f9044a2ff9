"""Checks models with the onnx of a folder, in children that may die: `python onnx_server.py FOLDER`.

It reads a length of four bytes and a model, and answers with one byte: 0 invalid, 1 valid, else the length of
what follows, which says what the checker raised or died of.
"""

from __future__ import annotations

import os
import signal
import sys


def serve() -> None:
    """Check models until the parent ends, or one of them ends this process."""
    import onnx.checker
    import onnx.shape_inference

    while len(head := os.read(0, 4)) == 4:
        data = b""
        while len(data) < int.from_bytes(head):
            data += os.read(0, int.from_bytes(head) - len(data))
        try:
            onnx.checker.check_model(data, full_check=True)
            answer = b"\1"
        except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
            answer = b"\0"
        except Exception as error:
            answer = _said(f"{type(error).__name__}: {error}")
        os.write(1, answer)


def _said(text: str) -> bytes:
    said = text.encode()[:200]
    return bytes([len(said)]) + said


def main() -> None:
    """Start a child, and another one when it dies."""
    sys.path.insert(0, sys.argv[1])
    import onnx.checker  # noqa: F401 - once, for all children.

    while True:
        child = os.fork()
        if child == 0:
            serve()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            return
        os.write(1, _said(signal.Signals(os.WTERMSIG(status)).name))


if __name__ == "__main__":
    main()
