"""Workers as Ray actors, on this machine or on a cluster.

Each actor runs a worker process, so that an input that kills the interpreter is still known by its choices.
When an actor or a node dies, the pool replaces it, and the new worker first learns everything found before.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from rlcheck import registry
from rlcheck.engines import Plan
from rlcheck.engines.pool import WorkerDied, WorkerPool
from rlcheck.engines.processes import ProcessWorker, wait
from rlcheck.engines.sharing import Findings
from rlcheck.engines.worker import StepResult
from rlcheck.errors import ConfigurationError, RlcheckError

try:
    import ray
    from ray.exceptions import RayActorError, RayError
except ModuleNotFoundError as error:
    raise registry.missing_extra("--engine ray", error) from error


def ray_pool(plan: Plan, workers: int, *, address: str | None = None) -> WorkerPool:
    """A pool of actors; without an address, Ray is started on this machine."""
    if not ray.is_initialized():
        # The nodes of a cluster need a copy of the working directory, where the target is.
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
    return WorkerPool(plan, workers, start=RayWorker, ready=_wait)


class RayWorker:
    """A worker in an actor."""

    def __init__(self, plan: Plan, share: float) -> None:
        self.actor: Any = ray.remote(_Actor).remote(plan, share, os.getcwd())
        self.pending: Any = None

    def begin_step(
        self, seconds: float, findings: Sequence[Findings], fatal: Sequence[Sequence[int]]
    ) -> None:
        """Start a step."""
        self.pending = self.actor.step.remote(seconds, list(findings), list(fatal))

    def result(self) -> StepResult:
        """The result of the step."""
        try:
            answer = ray.get(self.pending)
        except RayActorError as error:
            raise WorkerDied(f"a worker or its node died: {type(error).__name__}", None) from error
        if isinstance(answer, tuple):
            raise WorkerDied(*answer)
        if isinstance(answer, str):
            raise RlcheckError(answer)
        return answer  # type: ignore[no-any-return]

    def stop(self) -> None:
        """End the actor."""
        ray.kill(self.actor)

    @property
    def input(self) -> list[int] | None:
        """None: the pool cannot look into an actor."""
        return None


class _Actor:
    """Runs a worker process, and passes its results on."""

    def __init__(self, plan: Plan, share: float, folder: str) -> None:
        if os.path.isdir(folder):
            os.chdir(folder)
        self._worker = ProcessWorker(plan, share)

    def step(self, seconds: float, findings: list[Findings], fatal: list[list[int]]) -> Any:
        """The result of a step; or the arguments of WorkerDied; or the text of an error."""
        self._worker.begin_step(seconds, findings, fatal)
        while not wait([self._worker], 1.0):
            pass
        try:
            return self._worker.result()
        except WorkerDied as died:
            return str(died), died.choices, died.episodes, died.valid
        except RlcheckError as error:
            return str(error)


def _wait(workers: Sequence[Any], seconds: float) -> list[Any]:
    done, _ = ray.wait([worker.pending for worker in workers], num_returns=1, timeout=min(seconds, 0.1))
    return [worker for worker in workers if worker.pending in done]
