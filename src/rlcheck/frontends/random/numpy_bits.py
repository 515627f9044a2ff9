"""Guided generators for NumPy: a source of bits whose draws are choices of a guide (extra `numpy`)."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from typing import Any

from rlcheck import registry
from rlcheck.frontends.random.generator import Ask, ask_of
from rlcheck.generators import Choose
from rlcheck.guide import Guide

try:
    import numpy as np
except ModuleNotFoundError as error:
    raise registry.missing_extra("guided NumPy generators", error) from error

_BITS = 53

_WHOLE = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
_HALF = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)
_FLOAT = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)


class _Functions(ctypes.Structure):
    """The functions that NumPy calls to draw: its `bitgen_t`."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", _WHOLE),
        ("next_uint32", _HALF),
        ("next_double", _FLOAT),
        ("next_raw", _WHOLE),
    )


class GuidedBits:
    """A bit generator for `numpy.random.Generator(GuidedBits(guide))` whose draws are choices.

    C code cannot pass an exception on. When the guide raises, later draws are random, and `pending` holds
    the exception.

    Args:
        guide: A guide with a running episode, or the `choose` that a generator receives.
    """

    def __init__(self, guide: Guide | Choose) -> None:
        self._begin(ask_of(guide))

    @classmethod
    def asking(cls, ask: Ask) -> GuidedBits:
        """A bit generator that asks a function."""
        made = cls.__new__(cls)
        made._begin(ask)
        return made

    def _begin(self, ask: Ask) -> None:
        self._ask = ask
        #: The first exception that the guide raised, if any.
        self.pending: BaseException | None = None
        self.lock = threading.Lock()
        self._spare = np.random.PCG64(0)
        whole, half = _WHOLE(lambda _: self._draw(64)), _HALF(lambda _: self._draw(32))
        fraction = _FLOAT(lambda _: self._draw(_BITS) / (1 << _BITS))
        self._functions = _Functions(None, whole, half, fraction, whole)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        self.capsule = new(ctypes.addressof(self._functions), b"BitGenerator", None)

    def _draw(self, bits: int) -> int:
        if self.pending is None:
            try:
                # Skip this function and the one that C calls.
                return self._ask(1 << bits, sys._getframe(2), None)
            except BaseException as raised:
                self.pending = raised
        return int(self._spare.random_raw()) >> (64 - bits)


class GuidedNumpy:
    """Guides `numpy.random.default_rng` and NumPy's global functions between `on` and `off`."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._made: list[GuidedBits] = []
        self._default_rng: Callable[..., Any] = np.random.default_rng
        self._global: Any = None

    def on(self) -> None:
        """Begin to guide."""
        self._made.clear()
        self._global = np.random.get_bit_generator()  # type: ignore[attr-defined]
        self._default_rng = np.random.default_rng
        np.random.set_bit_generator(self._bits())  # type: ignore[attr-defined]
        np.random.default_rng = lambda seed=None: np.random.Generator(self._bits())

    def off(self) -> BaseException | None:
        """Restore NumPy's own generators; returns the exception that the guide raised, if any."""
        np.random.set_bit_generator(self._global)  # type: ignore[attr-defined]
        np.random.default_rng = self._default_rng
        return next((bits.pending for bits in self._made if bits.pending is not None), None)

    def _bits(self) -> Any:
        self._made.append(GuidedBits.asking(self._ask))
        return self._made[-1]
