"""Deep: the base of learners with networks: device, threads, tensors and checkpoints."""

from __future__ import annotations

import os
from abc import abstractmethod
from array import array
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any, ClassVar, Self

import torch
from torch import Tensor

from rlcheck.checks import is_number
from rlcheck.learners.deep import checkpoint
from rlcheck.learners.deep.codes import Codes
from rlcheck.learners.deep.lanes import Lanes
from rlcheck.learners.deep.networks import Threads, device_of
from rlcheck.learners.deep.scale import Scale


def _finite(value: object) -> float:
    if not is_number(value):
        raise ValueError(f"{value!r:.80} is not a number")
    return value


class Deep(Lanes):
    """A learner with networks.

    Args:
        config: The parameters to tune.
        device: Where the networks are: "cpu" or "cuda".
        lanes: How many episodes run side by side.
        threads: How many threads PyTorch may use on the CPU; one is the fastest for small networks.
        window: How many choices of a state the network sees.
    """

    #: Its name in a checkpoint, and the class of its configuration.
    kind: ClassVar[str]
    configuration: ClassVar[type[Any]]

    def __init__(
        self, config: Any, *, device: str, lanes: int, threads: int, window: int, seed: int | None
    ) -> None:
        self.device = device_of(device)
        super().__init__(
            Codes(window),
            lanes=lanes,
            bootstrap=config.bootstrap,
            bootstrap_episodes=config.bootstrap_episodes,
            seed=seed,
        )
        self.config = config
        self._threads = Threads(threads)
        self._scale = Scale()
        # The largest number of options so far.
        self._options = 1

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save what was learned to a file, for `load`."""
        data = {
            "config": asdict(replace(self.config, bootstrap=None)),
            "names": checkpoint.plain(self.codes.names),
            "tokens": checkpoint.plain(self.codes.tokens),
            "scale": [self._scale.mean, self._scale.square],
            **self._learned(),
        }
        checkpoint.save(path, self.kind, data)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, device: str = "cpu", **options: Any) -> Self:
        """Return a learner that knows what the saved one had learned; it is not bootstrapped again.

        Args:
            path: A file that `save` wrote.
            device: Where to put the networks.
            **options: Other arguments of the learner, except its configuration.
        """
        data = checkpoint.load(path, cls.kind, device_of(device))
        try:
            learner = cls(cls.configuration(**data["config"]), device=device, **options)
            learner.codes.restore(data["names"], data["tokens"])
            learner._scale.mean, learner._scale.square = map(_finite, data["scale"])
            learner._restore(data)
        except Exception as error:  # A file may contain anything.
            raise checkpoint.unusable(path, cls.kind, f"a part does not fit ({error})") from error
        return learner

    @abstractmethod
    def _learned(self) -> dict[str, Any]:
        """What the networks have learned, as tensors and plain data."""

    @abstractmethod
    def _restore(self, data: dict[str, Any]) -> None:
        """Take up what was learned."""

    # Through an array: PyTorch takes five times as long for a list, and forty times for a list of tuples.

    def _integers(self, values: Iterable[int]) -> Tensor:
        return torch.frombuffer(array("q", values), dtype=torch.int64).to(self.device)

    def _numbers(self, values: Iterable[float]) -> Tensor:
        return torch.frombuffer(array("f", values), dtype=torch.float32).to(self.device)

    def _states(self, states: Iterable[bytes]) -> Tensor:
        """Return encoded states as a tensor: [B, W]."""
        tokens = torch.frombuffer(bytearray().join(states), dtype=torch.int64)
        return tokens.view(-1, self.codes.window).to(self.device)
