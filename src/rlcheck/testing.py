"""Conformance checks for those who write learners, abstractions and rewards.

Each raises AssertionError with what was expected. They run on every registered name in our own tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rlcheck import registry
from rlcheck.abilities import LearnerBase, as_learner, as_reward
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode, Outcome
from rlcheck.generators import Choose
from rlcheck.guide import Guide
from rlcheck.protocols import Abstraction, Learner, Reward

_SIZES = (1, 2, 3, 11, 64, 65, 1000, 2**31, 2**70)


def check_learner(learner: str | Callable[[], Learner[Any]]) -> None:
    """Check that a learner, given by name or as a function that makes one, keeps its promises."""
    _check_answers(as_learner(_make("learner", learner)))
    _check_verbs(as_learner(_make("learner", learner)))
    _check_abilities(as_learner(_make("learner", learner)))
    runs = [_episodes(Guide(_make("learner", learner), seed=seed)) for seed in (1, 1, 2)]
    assert runs[0] == runs[1], "the same seed must give the same episodes: draw all randomness from self.rng"
    assert runs[0] != runs[2], "another seed must give other episodes: the learner ignores its seed"


def check_abstraction(abstraction: str | Callable[[], Abstraction]) -> None:
    """Check that an abstraction gives hashable states that depend on the episode alone."""
    seen: list[list[Any]] = []
    for _ in range(2):
        spy = _Spy()
        guide = Guide(spy, _make("abstraction", abstraction), seed=0)
        _episodes(guide, 3)
        seen.append(spy.states_seen)
    assert seen[0], "state() was never asked"
    for state in seen[0]:
        hash(state)
    assert seen[0] == seen[1], "the same choices must give the same states"


def check_reward(reward: str | Reward) -> None:
    """Check that a reward is a finite number for every way an episode can end."""
    function = as_reward(registry.make("reward", reward))
    for outcome in Outcome:
        for unique in (False, True):
            episode = _ended(outcome)
            episode.unique = unique and outcome is not Outcome.INVALID
            value = function(episode)
            assert isinstance(value, int | float), f"the reward of {episode} is {value!r}, not a number"
            assert math.isfinite(value), f"the reward of {episode} is {value!r}, not a finite number"


def _make(kind: str, spec: str | Callable[[], Any]) -> Any:
    return registry.make(kind, spec) if isinstance(spec, str) else spec()


def _ended(outcome: Outcome, *choices: tuple[int, int]) -> Episode:
    """Return a finished episode with these choices, each an index and how many options there were."""
    episode = Episode()
    episode.outcome = outcome
    episode.unique = outcome is not Outcome.INVALID
    episode.choices = [index for index, _ in choices]
    episode.sizes = [n for _, n in choices]
    return episode


def _check_index(index: object, n: int) -> None:
    assert isinstance(index, int), f"select(..., n={n}) gave {index!r}, not an int"
    assert not isinstance(index, bool), f"select(..., n={n}) gave a bool, not an index"
    assert 0 <= index < n, f"select(..., n={n}) gave {index}, outside of 0..{n - 1}"


def _check_answers(learner: LearnerBase) -> None:
    point = ChoicePoint("check", 0)
    for state in ((), 0, "s", (1, ("nested",))):
        for n in _SIZES:
            made = []
            for _ in range(3):
                index = learner.select(point, state, n)
                _check_index(index, n)
                made.append((index, n))
            learner.reward(1.0)
            learner.update(_ended(Outcome.VALID, *made))


def _check_verbs(learner: LearnerBase) -> None:
    """Check every outcome, with and without choices and rewards, in any order."""
    point = ChoicePoint("check", 0)
    for outcome in (*Outcome, *reversed(Outcome)):
        learner.update(_ended(outcome))
        learner.reward(-1.0)
        learner.update(_ended(outcome))
        made = []
        for step in range(5):
            made.append((learner.select(point, step, 3), 3))
            learner.reward(0.5)
        learner.update(_ended(outcome, *made))


def _check_abilities(learner: LearnerBase) -> None:
    """Check that what is optional can be called at any time, and that merged counts come back."""
    point = ChoicePoint("check", 0)
    for _ in range(3):
        index = learner.select_weighted(point, (), 4, [0.0, 1.0, 2.0, 0.5])
        _check_index(index, 4)
        learner.observe(point, (), 4, 2)
        learner.discard(1)
        learner.observe(point, (), 4, 3)
        learner.update(_ended(Outcome.VALID, (index, 4), (3, 4)))
        learner.select(point, (), 4)
        learner.drop()
    learner.avoid([0, 1], [2, 2])
    counts = learner.counts()
    if counts:
        learner.merge(counts, lambda name: point)
        merged = {key: count for key, (count, _) in learner.counts().items()}
        doubled = {key: 2 * count for key, (count, _) in counts.items()}
        assert merged == doubled, "merge() must add what it is given to what counts() says"


def _generator(choose: Choose, depth: int = 0) -> list[Any]:
    made = [choose(range(7)), choose(range(1000))]
    while len(made) < 5 and choose([True, False]):
        made.append(_generator(choose, depth + 1) if depth < 2 else choose("abc", at="leaf"))
    return made


def _episodes(guide: Guide, number: int = 60) -> list[list[int]]:
    """Return the choices of some episodes, of which about half are valid."""
    made = []
    for _ in range(number):
        episode = guide.start()
        episode.value = _generator(guide.choose)
        valid = sum(episode.choices[:2]) % 2 == 0
        guide.finish(Outcome.VALID if valid else Outcome.INVALID)
        made.append(episode.choices)
    return made


class _Spy(LearnerBase):
    """A learner that takes the options in turn, and keeps the states it was shown."""

    def __init__(self) -> None:
        self.states_seen: list[Any] = []

    def select(self, point: ChoicePoint, state: Any, n: int) -> int:
        """Keep the state."""
        self.states_seen.append(state)
        return len(self.states_seen) % n
