"""Blocks: plain data and choice sequences as compressed bytes with a checksum."""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

#: The most bytes of a block: a second of a campaign writes a few megabytes.
_LARGEST = 2**27

#: Types of array items, the smallest first: most choices are among few options.
_TYPES = "BHIQ"


def pack(data: Any) -> bytes:
    """Plain data as a block."""
    return zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 1)


def unpack(block: bytes) -> Any:
    """The plain data of a block."""
    return json.loads(_decompressed(block))


def pack_inputs(inputs: Sequence[list[int]]) -> bytes:
    """Choice sequences as a block: the type of the items, an array of lengths, and an array of all choices.

    Blocks are written while a campaign runs, and take a fifth of the time of JSON.
    """
    for kind in _TYPES:
        try:
            items = array(kind)
            for choices in inputs:
                items.fromlist(choices)
        except OverflowError:
            continue
        lengths = array("I", map(len, inputs))
        head = kind.encode() + len(lengths).to_bytes(4, "little")
        return zlib.compress(head + _bytes(lengths) + _bytes(items), 1)
    return pack(inputs)  # A range may have 2**70 options.


def unpack_inputs(block: bytes) -> list[list[int]]:
    """The choice sequences of a block."""
    return list(read_inputs(block))


def read_inputs(block: bytes) -> Iterator[list[int]]:
    """The choice sequences one at a time: many lists at once would keep the garbage collector busy."""
    data = _decompressed(block)
    kind = chr(data[0])
    if kind not in _TYPES:
        yield from json.loads(data)
        return
    lengths, items = array("I"), array(kind)
    end = 5 + lengths.itemsize * int.from_bytes(data[1:5], "little")
    lengths.frombytes(data[5:end])
    items.frombytes(data[end:])
    if sys.byteorder == "big":
        lengths.byteswap()
        items.byteswap()
    place = 0
    for length in lengths:
        yield items[place : place + length].tolist()
        place += length


def _decompressed(block: bytes) -> bytes:
    """The content of a block; a damaged one may claim to be of any size."""
    content = zlib.decompressobj()
    data = content.decompress(block, _LARGEST)
    if content.unconsumed_tail:
        raise ValueError(f"a block has more than {_LARGEST:,} bytes")
    if not content.eof:
        raise ValueError("a block breaks off")
    return data


def _bytes(items: array[int]) -> bytes:
    if sys.byteorder == "big":
        items = items[:]
        items.byteswap()
    return items.tobytes()
