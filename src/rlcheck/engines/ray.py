"""Workers as Ray actors, on this machine or on a cluster.

An actor keeps a worker process beside it, so that an input which kills the interpreter is known by its
choices there too. An actor or a node that dies is replaced, and hears first of all that was found before.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from rlcheck import registry
from rlcheck.engines import Plan
from rlcheck.engines.pool import Crew, Died
from rlcheck.engines.processes import ProcessHand, wait
from rlcheck.engines.sharing import Lesson
from rlcheck.engines.worker import Trade
from rlcheck.errors import ConfigurationError, RlcheckError

try:
    import ray
    from ray.exceptions import RayActorError, RayError
except ModuleNotFoundError as error:
    raise registry.missing_extra("--engine ray", error) from error


def crew(plan: Plan, many: int, *, address: str | None = None) -> Crew:
    """So many actors as one engine; without an address, Ray is started on this machine."""
    if not ray.is_initialized():
        # Nodes of a cluster get the working directory, where the target is; here it is there already.
        files = {"working_dir": os.getcwd(), "excludes": [".rlcheck", ".venv", ".git"]} if address else {}
        try:
            ray.init(
                address=address,
                runtime_env=files,
                log_to_driver=False,
                logging_level=40,
                include_dashboard=False,
            )
        except (RayError, ConnectionError, RuntimeError, ValueError) as error:
            raise ConfigurationError(f"--ray-address={address!r} cannot be used: {error}") from error
    return Crew(plan, many, hire=RayHand, ready=_ready)


class RayHand:
    """A worker in an actor."""

    def __init__(self, plan: Plan, share: float) -> None:
        self.actor: Any = ray.remote(_Actor).remote(plan, share, os.getcwd())
        self.pending: Any = None

    def order(self, seconds: float, lessons: Sequence[Lesson], deadly: Sequence[Sequence[int]]) -> None:
        """Have it run a step."""
        self.pending = self.actor.step.remote(seconds, list(lessons), list(deadly))

    def trade(self) -> Trade:
        """What came of the step."""
        try:
            answer = ray.get(self.pending)
        except RayActorError as error:
            raise Died(f"a worker or its node died: {type(error).__name__}", None) from error
        if isinstance(answer, tuple):
            raise Died(*answer)
        if isinstance(answer, str):
            raise RlcheckError(answer)
        return answer  # type: ignore[no-any-return]

    def end(self) -> None:
        """Let it go."""
        ray.kill(self.actor)


class _Actor:
    """A worker process, and who gives it orders."""

    def __init__(self, plan: Plan, share: float, folder: str) -> None:
        if os.path.isdir(folder):
            os.chdir(folder)
        self._hand = ProcessHand(plan, share)

    def step(self, seconds: float, lessons: list[Lesson], deadly: list[list[int]]) -> Any:
        """A trade; or what is to be said of a death, as plain data; or an error, as text."""
        self._hand.order(seconds, lessons, deadly)
        while not wait([self._hand], 1.0):
            pass
        try:
            return self._hand.trade()
        except Died as died:
            return str(died), died.choices, died.episodes, died.valid
        except RlcheckError as error:
            return str(error)


def _ready(hands: Sequence[Any], seconds: float) -> list[Any]:
    done, _ = ray.wait([hand.pending for hand in hands], num_returns=1, timeout=min(seconds, 0.1))
    return [hand for hand in hands if hand.pending in done]
