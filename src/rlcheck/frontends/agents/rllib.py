"""RLlib's IMPALA, the agent of the DeepRNG paper, trained on a generator and handed back as a learner.

Reference: Espeholt et al., "IMPALA", ICML 2018; Tsai and Taylor, "DeepRNG", 2021, section 2. RLlib owns the
loop that trains, so this file drives `gym_env.py`. Training needs the extra `ray`; the learner needs nothing.

Departures from the paper:

1. The network is a multilayer perceptron on the state that the abstraction gives; a history, where one is
   wanted, is part of that state (`CallStack(history="SAR")`) and not kept by an LSTM.
2. What is handed back is frozen: it selects from what was learned, and learns no more.
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

#: Random episodes that number the states before the actors, which must agree on them, begin.
_SURVEY = 200

_LEVELS = 256


class Impala(LearnerBase):
    """A trained policy that selects and does not learn; before `train` it knows nothing, and is uniform.

    Args:
        logits: Of each state, how strongly the policy prefers each of its levels.
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
        """An option, as likely as the policy has it; any in a state that it was not trained on."""
        sums = self._sums.get(getattr(state, "parts", state))
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
    """Train IMPALA on a generator, on this machine, and hand its policy back.

    Args:
        generator: As for `ChoiceEnv`.
        iterations: How many of RLlib's iterations.
        steps: How many steps an iteration has at least.
        actors: How many processes run the generator.
        levels: How many actions there are.
        max_states: How many states an observation tells apart.
        seed: For the agent; processes race, so runs are alike and not the same.
        options: What else RLlib's IMPALA takes for training, such as `lr` and `entropy_coeff`.
        **env: What else a `ChoiceEnv` takes.
    """
    for name, number in (("iterations", iterations), ("steps", steps), ("actors", actors)):
        check_integer(name, number)
    try:
        import ray.rllib.algorithms.impala
        from ray.tune.registry import register_env

        from rlcheck.frontends.agents.gym_env import ChoiceEnv
    except ImportError as error:  # Ray may be there without RLlib.
        raise MissingExtra(
            "rlcheck.frontends.agents.rllib.train needs RLlib. Install it with: pip install 'rlcheck[ray]'"
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
    """A Ray of our own, unless there is one."""
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
    """RLlib's module, after so many iterations on the environment that is called rlcheck."""
    config = (
        config.environment("rlcheck")
        .env_runners(num_env_runners=actors, rollout_fragment_length=50)
        .learners(num_learners=0)
        .debugging(seed=seed, log_level="ERROR")
        # An iteration is a number of steps: by default it lasts ten seconds at least.
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
        raise ConfigurationError("RLlib gave no module back; its old API stack is not supported.")
    return module


def _survey(env: Any, seed: int) -> dict[int, int]:
    """Step an environment at random; gives back how many options there were in each state, by its place."""
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
    """What the policy prefers in each state that was surveyed."""
    import numpy as np
    import torch

    states = {place: state for state, place in env.observations.states.items() if place in seen}
    batch = np.stack([env.observations.of(place, seen[place]) for place in states])
    with torch.no_grad():
        found = module.forward_inference({"obs": torch.from_numpy(batch)})["action_dist_inputs"]
    rows = (found - found.max(dim=1, keepdim=True).values).tolist()  # [states, levels]
    return dict(zip(states.values(), rows, strict=True))
