"""Whether a test needs guidance: Hypothesis generates by itself until it rejects inputs."""

from __future__ import annotations

from rlcheck.frontends.hypothesis.compat import Execution
from rlcheck.frontends.hypothesis.machines import tells_context
from rlcheck.frontends.hypothesis.memory import Memory

#: Guidance begins after this many rejected test cases, if they are more than this share of all.
_REJECTED, _SHARE = 10, 0.1


def asks_for_guidance(execution: Execution, memory: Memory) -> bool:
    """Whether a test wants guidance from the start: it did the last time, or its machine has a context."""
    return not memory.is_empty or tells_context(execution.test)


def needs_guidance(execution: Execution) -> bool:
    """Whether Hypothesis alone rejects too many inputs of a test, or has targets to maximise."""
    if execution.has_targets:
        return True
    valid, rejected = execution.cases("valid"), execution.cases("invalid")
    overlong = execution.cases("overrun")
    if overlong > valid:  # Early test cases are kept short on purpose, so that a few overruns mean nothing.
        rejected += overlong
    return rejected >= _REJECTED and rejected > _SHARE * (valid + rejected)
