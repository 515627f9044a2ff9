"""Trains RLlib's IMPALA, the agent of the DeepRNG paper, on a generator, and returns it as a learner.

Reference: Espeholt et al., "IMPALA", ICML 2018; Tsai and Taylor, "DeepRNG", 2021, section 2. RLlib runs the
training loop, on the environment of `gym_env.py`. Training needs the extra `ray`; the learner needs nothing.

Departures from the paper:

1. The network is a multilayer perceptron on the state that the abstraction gives. A history, if wanted, is
   part of that state (`CallStack(history="SAR")`), not kept by an LSTM.
2. The returned learner is frozen: it selects from what was learned, and learns no more.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from random import Random
from typing import Any

from rlcheck.abilities import LearnerBase
from rlcheck.checks import check_integer
from rlcheck.choice import ChoicePoint
from rlcheck.errors import ConfigurationError, MissingExtra
from rlcheck.generators import Generator
from rlcheck.protocols import State
from rlcheck.registry import install_command
from rlcheck.states import KnownState

#: Random episodes that number the states before the actors start, because they must agree on the numbers.
_SURVEY = 200

_LEVELS = 256


class Impala(LearnerBase):
    """A trained policy that selects and does not learn; untrained, it is uniform.

    Args:
        logits: For each state, how strongly the policy prefers each level.
        levels: How many levels there are: option `n * level // levels` of n is selected.
    """

    #: The state that it was trained on.
    abstraction = "call-stack"

    def __init__(
        self,
        logits: Mapping[State, Sequence[float]] | None = None,
        *,
        levels: int = _LEVELS,
        seed: int | None = None,
    ) -> None:
        self.levels = levels
        self.rng = Random(seed)
        self._sums = {state: list(accumulate(map(math.exp, row))) for state, row in (logits or {}).items()}

    @property
    def states(self) -> int:  # type: ignore[override]
        """How many states it was trained on."""
        return len(self._sums)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Pick an option with the policy's probability; any option in an unknown state."""
        sums = self._sums.get(state.parts if isinstance(state, KnownState) else state)
        if sums is None:
            return self.rng.randrange(n)
        level = bisect_right(sums, self.rng.random() * sums[-1])
        return n * min(level, self.levels - 1) // self.levels


def train(
    generator: Generator[Any],
    *,
    iterations: int = 20,
    steps: int = 1_000,
    actors: int = 2,
    levels: int = _LEVELS,
    max_states: int = 256,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    **env: Any,
) -> Impala:
    """Train IMPALA on a generator, on this machine, and return its policy.

    Args:
        generator: As for `ChoiceEnv`.
        iterations: The number of RLlib's iterations.
        steps: The least number of steps in an iteration.
        actors: The number of processes that run the generator.
        levels: The number of actions.
        max_states: The number of states that an observation tells apart.
        seed: The agent's seed; processes race, so that runs are similar but not equal.
        options: Other training options of RLlib's IMPALA, such as `lr` and `entropy_coeff`.
        **env: Other arguments of `ChoiceEnv`.
    """
    for name, number in (("iterations", iterations), ("steps", steps), ("actors", actors)):
        check_integer(name, number)
    try:
        import ray.rllib.algorithms.impala
        from ray.tune.registry import register_env

        from rlcheck.frontends.agents.gym_env import ChoiceEnv
    except ImportError as error:  # Ray may be there without RLlib.
        raise MissingExtra(
            f"rlcheck.frontends.agents.rllib.train needs RLlib. Install it with: {install_command('ray')}"
        ) from error

    survey = ChoiceEnv(generator, levels=levels, max_states=max_states, **env)
    seen = _survey(survey, seed)
    states = dict(survey.observations.states)

    def make(_: Any) -> ChoiceEnv:
        return ChoiceEnv(generator, levels=levels, max_states=max_states, states=dict(states), **env)

    with _ray(actors + 1):
        register_env("rlcheck", make)
        config = ray.rllib.algorithms.impala.IMPALAConfig()
        module = _trained(config, iterations, steps=steps, actors=actors, seed=seed, options=options or {})
        return Impala(_logits(module, survey, seen), levels=levels, seed=seed)


@contextmanager
def _ray(processors: int) -> Iterator[None]:
    """Start Ray, unless it is running."""
    import ray

    started = not ray.is_initialized()
    if started:
        ray.init(num_cpus=processors, include_dashboard=False, logging_level="error", log_to_driver=False)
    try:
        yield
    finally:
        if started:
            ray.shutdown()


def _trained(
    config: Any, iterations: int, *, steps: int, actors: int, seed: int, options: Mapping[str, Any]
) -> Any:
    """RLlib's module, trained on the environment named rlcheck."""
    config = (
        config.environment("rlcheck")
        .env_runners(num_env_runners=actors, rollout_fragment_length=50)
        .learners(num_learners=0)
        .debugging(seed=seed, log_level="ERROR")
        # An iteration is a number of steps; by default it lasts at least ten seconds.
        .reporting(min_time_s_per_iteration=None, min_sample_timesteps_per_iteration=steps)
        .training(**{"train_batch_size_per_learner": 500, **options})
    )
    algorithm = config.build_algo()
    try:
        for _ in range(iterations):
            algorithm.train()
        module = algorithm.get_module()
    finally:
        algorithm.stop()
    if module is None:
        raise ConfigurationError("RLlib returned no module; its old API stack is not supported.")
    return module


def _survey(env: Any, seed: int) -> dict[int, int]:
    """Step an environment at random; returns the number of options in each state, by its place."""
    env.action_space.seed(seed)
    seen: dict[int, int] = {}
    for _ in range(_SURVEY):
        env.reset()
        over = False
        while not over:
            _, place, n = env.asked
            seen.setdefault(place, n)
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            over = terminated or truncated
    return seen


def _logits(module: Any, env: Any, seen: Mapping[int, int]) -> dict[State, list[float]]:
    """The policy's preferences in each state of the survey."""
    import numpy as np
    import torch

    states = {place: state for state, place in env.observations.states.items() if place in seen}
    batch = np.stack([env.observations.of(place, seen[place]) for place in states])
    with torch.no_grad():
        found = module.forward_inference({"obs": torch.from_numpy(batch)})["action_dist_inputs"]
    rows = (found - found.max(dim=1, keepdim=True).values).tolist()  # [states, levels]
    return dict(zip(states.values(), rows, strict=True))
