"""The options of `rlcheck run`: what they must be, and what they mean for a subject."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rlcheck.checks import check_above_zero, check_budget, check_integer, check_seed
from rlcheck.cli.targets import Subject, Target
from rlcheck.errors import ConfigurationError
from rlcheck.registry import DEFAULTS

#: The budget when neither the options nor the subject give one.
_EPISODES = 10_000

#: The longest timeout in seconds: the system's timers take no more.
_LONGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `rlcheck run`."""

    target: Target
    learner: str | None = None
    compare: str | None = None
    abstraction: str | None = None
    characteristic: str | None = None
    seed: int | None = None
    episodes: int | None = None
    seconds: float | None = None
    workers: int | None = None
    engine: str = "processes"
    ray_address: str | None = None
    timeout_per_input: float | None = None
    policy: str | None = None
    save: bool = True
    dashboard: bool = False
    as_json: bool = False

    def check(self) -> None:
        """Raise if an option has a value that cannot work."""
        check_budget(self.episodes, self.seconds)
        if self.workers is not None:
            check_integer("--workers", self.workers)
        if self.timeout_per_input is not None:
            check_above_zero(_LONGEST, **{"--timeout-per-input": self.timeout_per_input})
        if self.ray_address is not None and self.engine != "ray":
            raise ConfigurationError("--ray-address is for --engine ray.")
        if self.dashboard and not self.save:
            raise ConfigurationError("--dashboard shows what is stored: leave out --no-save.")
        if self.compare is not None and self.in_workers:
            raise ConfigurationError(
                "--compare runs in this process: leave out --workers, --engine and timeouts."
            )

    @property
    def in_workers(self) -> bool:
        """Whether workers run the campaign."""
        return bool(self.workers or self.timeout_per_input or self.engine == "ray")

    @property
    def learners(self) -> list[str | None]:
        """The learners that run, one after the other."""
        return [self.learner] if self.compare is None else [self.learner, self.compare]

    def budget(self, subject: Subject) -> tuple[int | None, float | None]:
        """Episodes and seconds: from the command line, else from the subject, else the default."""
        if self.episodes is not None or self.seconds is not None:
            return self.episodes, self.seconds
        if subject.hypothesis is not None or subject.episodes or subject.seconds:
            return subject.episodes, subject.seconds
        return _EPISODES, None

    def take_seed(self, subject: Subject) -> int:
        """The seed: from the command line, else from the subject, else drawn."""
        own = subject.settings.pop("seed", None)
        return check_seed(self.seed if self.seed is not None else own)

    def settings(self, learner: str | None) -> dict[str, Any]:
        """The arguments of a campaign that the command line gives."""
        given = {
            "learner": learner,
            "abstraction": self.abstraction,
            "characteristic": self.characteristic,
        }
        return {name: value for name, value in given.items() if value is not None}

    def stored(self, learner: str, seed: int) -> dict[str, Any]:
        """What the store keeps of the options."""
        return {
            "learner": learner,
            "seed": seed,
            "workers": self.workers,
            "abstraction": self.abstraction,
            "characteristic": self.characteristic,
            "episodes": self.episodes,
            "seconds": self.seconds,
            "policy": self.policy,
        }


def label_of(learner: str | None, subject: Subject) -> str:
    """The name under which a learner's run is shown."""
    default = "hypothesis" if subject.hypothesis is not None else DEFAULTS["learner"]
    return str(learner or subject.settings.get("learner") or default)
