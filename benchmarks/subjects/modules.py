"""WebAssembly modules for wasmtime, and LLVM assembly for llvmlite."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from functools import cache
from typing import Any

from benchmarks.subjects.subject import Subject
from rlcheck.generators import Choose

_TYPES = {"i32": 0x7F, "i64": 0x7E, "f32": 0x7D, "f64": 0x7C}
#: Instructions without an operand, by the byte that stands for them.
_PLAIN = dict(
    zip(
        "unreachable nop return drop select i32.eqz i32.lt_s i64.eq f64.lt i32.add i32.div_s i64.mul f32.add"
        " f64.mul i32.wrap_i64 i64.extend_i32_s f64.convert_i32_s f32.demote_f64".split(),
        bytes.fromhex("00 01 0f 1a 1b 45 48 51 63 6a 6d 7e 92 a2 a7 ac b7 b6"),
        strict=True,
    )
)
_INDEXED = {"br": 0x0C, "br_if": 0x0D, "call": 0x10, "local.get": 0x20, "local.set": 0x21, "local.tee": 0x22}
_CONSTANTS = {"i32.const": b"\x41\x01", "i64.const": b"\x42\x01", "f64.const": b"\x44" + bytes(8)}
_NESTED = {"block": 0x02, "loop": 0x03, "if": 0x04}
_INSTRUCTIONS = [*_PLAIN, *_INDEXED, *_CONSTANTS]


def _vector(parts: Iterable[bytes]) -> bytes:
    listed = list(parts)
    return bytes([len(listed)]) + b"".join(listed)


def module(choose: Choose) -> bytes:
    """One or two functions, each with a type and a body of its own."""
    types, bodies = [], []
    for _ in range(choose(range(1, 3))):
        takes, gives = (bytes([_TYPES[choose(list(_TYPES))]] * choose(range(3))) for _ in range(2))
        types.append(b"\x60" + bytes([len(takes)]) + takes + bytes([len(gives)]) + gives)
        code = b"\x00" + instructions(choose, 0) + b"\x0b"
        bodies.append(_leb(len(code)) + code)
    sections = (
        (1, _vector(types)),
        (3, _vector(bytes([place]) for place in range(len(types)))),
        (10, _vector(bodies)),
    )
    return b"\x00asm\x01\x00\x00\x00" + b"".join(bytes([number]) + _leb(len(d)) + d for number, d in sections)


def instructions(choose: Choose, depth: int) -> bytes:
    """Up to six instructions."""
    return b"".join(instruction(choose, depth) for _ in range(choose(range(7))))


def instruction(choose: Choose, depth: int) -> bytes:
    """Any instruction, whatever is on the stack."""
    name = choose([*_INSTRUCTIONS, *_NESTED] if depth < 3 else _INSTRUCTIONS)
    if name in _PLAIN:
        return bytes([_PLAIN[name]])
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if name in _INDEXED:
        return bytes([_INDEXED[name], choose(range(3))])
    gives = choose([0x40, 0x7F, 0x7E])
    return bytes([_NESTED[name], gives]) + instructions(choose, depth + 1) + b"\x0b"


def _leb(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])


@cache
def _wasmtime() -> tuple[Any, Any, type[Exception]]:
    from wasmtime import Engine, Module, WasmtimeError

    return Module, Engine(), WasmtimeError


def is_module(code: bytes) -> bool:
    """Whether it passes validation."""
    validator, engine, error = _wasmtime()
    try:
        validator.validate(engine, code)
    except error:
        return False
    return True


def sections(code: bytes) -> Hashable:
    """The code without the indices that instructions carry."""
    return re.sub(rb"([\x0c\x0d\x10\x20-\x22]).", rb"\1", code, flags=re.DOTALL)


_LLVM_TYPES = ["i1", "i8", "i32", "i64", "float", "double", "ptr", "void"]
_VALUES = ["%a", "%b", "%c", "%d", "0", "1", "true", "1.0", "null", "undef"]
_BINARY = ["add", "sub", "mul", "sdiv", "and", "shl", "fadd", "fmul"]
_CASTS = ["trunc", "zext", "sext", "sitofp", "fptosi", "bitcast", "ptrtoint"]
_NAMES = ["%a", "%b", "%c", "%d"]


def assembly(choose: Choose) -> str:
    """A function of two parameters and one to three blocks."""
    head = f"define {choose(_LLVM_TYPES)} @f({choose(_LLVM_TYPES)} %a, {choose(_LLVM_TYPES)} %b) {{"
    blocks = [block(choose, label) for label in ("entry", "next", "last")[: choose(range(1, 4))]]
    return "\n".join([head, *blocks, "}"])


def block(choose: Choose, label: str) -> str:
    """Up to three instructions and an end."""
    lines = [f"{label}:", *(operation(choose) for _ in range(choose(range(4))))]
    end = choose(["ret", "ret void", "br", "conditional", "unreachable"])
    if end == "ret":
        lines.append(f"ret {choose(_LLVM_TYPES)} {choose(_VALUES)}")
    elif end == "br":
        lines.append(f"br label {choose(['%next', '%last', '%entry'])}")
    elif end == "conditional":
        lines.append(f"br i1 {choose(_VALUES)}, label {choose(['%next', '%last'])}, label %last")
    else:
        lines.append(end)
    return "\n  ".join(lines)


def operation(choose: Choose) -> str:
    """Any instruction on any values."""
    kind = choose(["binary", "compare", "cast", "alloca", "load", "store", "select", "phi", "call"])
    name, of, first = choose(_NAMES), choose(_LLVM_TYPES), choose(_VALUES)
    if kind == "binary":
        return f"{name} = {choose(_BINARY)} {of} {first}, {choose(_VALUES)}"
    if kind == "compare":
        return f"{name} = {choose(['icmp eq', 'icmp slt', 'fcmp olt'])} {of} {first}, {choose(_VALUES)}"
    if kind == "cast":
        return f"{name} = {choose(_CASTS)} {of} {first} to {choose(_LLVM_TYPES)}"
    if kind == "store":
        return f"store {of} {first}, ptr {choose(_VALUES)}"
    if kind == "select":
        return f"{name} = select i1 {first}, {of} {choose(_VALUES)}, {of} {choose(_VALUES)}"
    if kind == "phi":
        return f"{name} = phi {of} [ {first}, {choose(['%entry', '%next', '%last'])} ]"
    if kind == "call":
        return (
            f"{name} = call {of} @f({choose(_LLVM_TYPES)} {first}, {choose(_LLVM_TYPES)} {choose(_VALUES)})"
        )
    return f"{name} = alloca {of}" if kind == "alloca" else f"{name} = load {of}, ptr {first}"


@cache
def _llvm() -> Any:
    from llvmlite import binding

    return binding


def is_assembly(text: str) -> bool:
    """Whether it parses and the verifier finds no fault."""
    llvm = _llvm()
    try:
        llvm.parse_assembly(text, context=llvm.create_context()).verify()
    except RuntimeError:
        return False
    return True


def opcodes(text: str) -> Hashable:
    """The instructions and types without names and values."""
    return re.sub(r"%[abcd]\b|\b(true|null|undef|0|1|1\.0)\b", "_", text)


SUBJECTS = (
    Subject("wasmtime", module, is_module, structure=sections, needs=("wasmtime",)),
    Subject("llvmlite", assembly, is_assembly, structure=opcodes, needs=("llvmlite",)),
)
