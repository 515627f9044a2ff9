"""The shelf of abstractions: how a state is made for a choice that gives none."""

from rlcheck.abstractions.call_stack import CallStack
from rlcheck.abstractions.call_tree import CallTree, Frames
from rlcheck.abstractions.sequence import Sequence

__all__ = ["CallStack", "CallTree", "Frames", "Sequence"]
