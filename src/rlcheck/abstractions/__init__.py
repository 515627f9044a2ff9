"""The shelf of abstractions: they make the states of choices that do not bring their own."""

from rlcheck.abstractions.call_stack import CallStack
from rlcheck.abstractions.call_tree import CallTree, Frames
from rlcheck.abstractions.sequence import Sequence

__all__ = ["CallStack", "CallTree", "Frames", "Sequence"]
