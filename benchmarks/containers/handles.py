"""The node list that a test of a heap with handles maintains."""

from __future__ import annotations

from collections.abc import Hashable

from benchmarks.containers.heaps import FibNode, FibonacciHeap
from rlcheck import contexts


class HandledHeap:
    """A Fibonacci heap, and the nodes that are in it."""

    def __init__(self) -> None:
        self.heap = FibonacciHeap()
        self.nodes: list[FibNode] = []


def insert(subject: HandledHeap, key: int) -> None:
    """Add a key, and keep its node."""
    subject.nodes.append(subject.heap.add(key))


def extract_min(subject: HandledHeap) -> None:
    """Take a node with the least key out, and forget it."""
    node = subject.heap.take_min()
    if node is not None:
        assert node.key == min(other.key for other in subject.nodes)
        subject.nodes.remove(node)


def decrease_key(subject: HandledHeap, node: FibNode, key: int) -> None:
    """Lower a node's key."""
    subject.heap.decrease_key(node, key)


def delete(subject: HandledHeap, node: FibNode) -> None:
    """Take a node out, and forget it."""
    subject.heap.delete(node)
    subject.nodes.remove(node)


def nodes(subject: HandledHeap) -> list[FibNode]:
    """The nodes that are there."""
    return subject.nodes


def least_is_least(subject: HandledHeap) -> bool:
    """Whether the heap knows its least key."""
    return subject.heap.find_min() == min((node.key for node in subject.nodes), default=None)


def size_is_right(subject: HandledHeap) -> bool:
    """Whether the heap knows how many nodes it has."""
    return subject.heap.size == len(subject.nodes)


def heap_shape(subject: HandledHeap) -> Hashable:
    """The shape of the heap alone."""
    return contexts.shape(subject.heap)
