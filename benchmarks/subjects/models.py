"""ONNX models, for the checker of today and for one with known crashes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Hashable
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.subjects.install import FOLDER, ONNX
from benchmarks.subjects.subject import Subject
from rlcheck.generators import Choose

_OPERATORS = """
    Add Sub MatMul Relu Concat Reshape Transpose Gemm Cast Shape Slice Squeeze Unsqueeze ReduceSum Split
    Identity Conv MaxPool Flatten Gather Where Softmax ConstantOfShape Expand STFT
""".split()
_NAMES = ["x", "y", "z", "w"]
#: Of tensors: floats, two kinds of integers, and truth values.
_TYPES = [1, 6, 7, 9]
#: Attributes, each an integer or a list of integers.
_INTEGERS = ["axis", "to", "keepdims", "transA", "group"]
_LISTS = ["perm", "axes", "kernel_shape", "pads", "strides"]
#: Its operator, the values it takes and gives, and its attributes.
Node = tuple[str, tuple[str, ...], tuple[str, ...], tuple[tuple[str, Any], ...]]
#: A name, the type of its elements, and its shape.
Tensor = tuple[str, int, tuple[int, ...]]
#: Its nodes, its inputs, the name, type and rank of its output, and the version of its operators.
Model = tuple[tuple[Node, ...], tuple[Tensor, ...], tuple[str, int, int], int]


def model(choose: Choose) -> Model:
    """Up to three nodes, with any values between them."""
    inputs = tuple(
        (choose(_NAMES), choose(_TYPES), tuple(choose(range(1, 4)) for _ in range(choose(range(4)))))
        for _ in range(choose(range(1, 4)))
    )
    nodes = tuple(node(choose) for _ in range(choose(range(1, 4))))
    return nodes, inputs, (choose(_NAMES), choose(_TYPES), choose(range(4))), choose([6, 11, 18])


def node(choose: Choose) -> Node:
    """Any operator, on any values, with any attributes."""
    operator = choose(_OPERATORS)
    takes = tuple(choose(_NAMES) for _ in range(choose(range(1, 4))))
    gives = (choose(_NAMES),)
    attributes: dict[str, Any] = {}
    for _ in range(choose(range(3))):
        if choose([True, False]):
            attributes[choose(_INTEGERS)] = choose([-1, 0, 1, 2, 7])
        else:
            attributes[choose(_LISTS)] = tuple(choose([-1, 0, 1, 2]) for _ in range(choose(range(4))))
    return operator, takes, gives, tuple(attributes.items())


@cache
def _onnx() -> Any:
    import onnx
    import onnx.checker
    import onnx.shape_inference

    return onnx


def encoded(made: Model) -> bytes:
    """The model as a file holds it."""
    helper = _onnx().helper
    parts, inputs, (output, of, rank), version = made
    nodes = [helper.make_node(kind, takes, gives) for kind, takes, gives, _ in parts]
    for node, (_, _, _, given) in zip(nodes, parts, strict=True):
        node.attribute.extend(_attribute(name, value) for name, value in given)
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(*tensor) for tensor in inputs],
        [helper.make_tensor_value_info(output, of, [None] * rank)],
    )
    # A version that both checkers know.
    return helper.make_model(  # type: ignore[no-any-return]
        graph, ir_version=8, opset_imports=[helper.make_opsetid("", version)]
    ).SerializeToString()


def _attribute(name: str, value: Any) -> Any:
    onnx = _onnx()
    kind = onnx.AttributeProto.INTS if isinstance(value, tuple) else onnx.AttributeProto.INT
    return onnx.helper.make_attribute(name, value, attr_type=kind)


def is_model(made: Model) -> bool:
    """Whether the full check of today's version accepts it."""
    onnx = _onnx()
    try:
        onnx.checker.check_model(encoded(made), full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
        return False
    return True


class Crash(Exception):
    """The checker died or raised what it should not; the message says of what."""


class OldChecker:
    """The checker of version 1.16.1, in a process that is started anew when it dies."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[bytes] | None = None

    def __call__(self, made: Model) -> bool:
        """Whether it accepts the model."""
        if self._server is None:
            command = [sys.executable, str(Path(__file__).parent / "onnx_server.py"), str(ONNX)]
            self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        data = encoded(made)
        self._server.stdin.write(len(data).to_bytes(4) + data)
        self._server.stdin.flush()
        answer = self._server.stdout.read(1)[0]
        if answer > 1:
            raise Crash(self._server.stdout.read(answer).decode())
        return bool(answer)


def wiring(made: Model) -> Hashable:
    """The operators, which values each takes, and the names of its attributes; values have no names here."""
    nodes, inputs, _, _ = made
    known = {name: place for place, (name, _, _) in enumerate(inputs)}
    found: list[Hashable] = []
    for kind, takes, gives, given in nodes:
        found.append((kind, tuple(known.get(name, -1) for name in takes), tuple(name for name, _ in given)))
        for name in gives:
            known[name] = len(known)
    return tuple(found)


SUBJECTS = (
    Subject("onnx", model, is_model, structure=wiring, needs=("onnx",)),
    Subject("onnx-1.16.1", model, OldChecker(), structure=wiring, needs=("onnx", FOLDER / "onnx.done")),
)
