"""A generator, or a program with a random number generator, as a Gymnasium environment (extra `gym`).

The environment is a campaign whose learner is the agent that steps it. The generator runs in a greenlet: it
stops when it asks for a choice, and continues with the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rlcheck import registry
from rlcheck.abilities import LearnerBase
from rlcheck.campaign import Campaign
from rlcheck.checks import check_integer
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.errors import ConfigurationError
from rlcheck.frontends.random.generator import GuidedRandom, check_levels
from rlcheck.generators import Generator
from rlcheck.protocols import State
from rlcheck.states import KnownState

try:
    import gymnasium
    import numpy as np
    from greenlet import GreenletExit, getcurrent, greenlet
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise registry.missing_extra("rlcheck.ChoiceEnv", error) from error

#: The largest logarithm of a number of options in an observation.
_MOST_DIGITS = 32.0

#: How often to tell a generator that an episode is abandoned, if it swallows the signal.
_PATIENCE = 100


class Observations:
    """What an agent sees of a choice: the state, one-hot, and log10(n + 1) for n options.

    Args:
        places: How many states have their own place. States are numbered in the order of the first visit;
            later ones share places, by a hash that is the same in every process.
        states: Numbers of states that are already known; it grows.
    """

    def __init__(self, places: int, states: dict[State, int] | None = None) -> None:
        self.places = check_integer("max_states", places)
        self.states: dict[State, int] = {} if states is None else states
        high = np.ones(places + 1, dtype=np.float32)
        high[-1] = _MOST_DIGITS
        self.space = gymnasium.spaces.Box(np.zeros_like(high), high, dtype=np.float32)

    def place(self, state: State) -> int:
        """The place of a state."""
        key = state.parts if isinstance(state, KnownState) else state
        number = self.states.get(key)
        if number is None:
            if len(self.states) >= self.places:
                return hash(key) % self.places
            number = self.states[key] = len(self.states)
        return number

    def of(self, place: int, n: int) -> NDArray[np.float32]:
        """The observation of a choice among n options."""
        seen = np.zeros(self.places + 1, dtype=np.float32)
        seen[place] = 1.0
        seen[-1] = min(math.log10(n + 1), _MOST_DIGITS)
        return seen


class ChoiceEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """An environment whose steps are the choices of a generator, and whose episodes are its inputs.

    Action `a` of `levels` takes option `n * a // levels` of n, as in the DeepRNG paper. The reward of a step
    is what was earned before the next choice; the last one includes the reward of the episode.

    Args:
        generator: A function of `choose`; `program(...)` makes one from a function of a `random.Random`.
        levels: How many actions there are.
        max_states: How many states an observation tells apart.
        states: Numbers of states that are known already, to be shared between environments; it grows.
        render_mode: None, or "ansi": `render` returns the choices of the episode so far as text.
        campaign: Other arguments of `Campaign`: `valid`, `test`, `reward` ("validity" unless given),
            `abstraction` ("call-stack" unless given), `coverage`, `max_choices`, `seed`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        generator: Generator[Any],
        *,
        levels: int = 256,
        max_states: int = 256,
        states: dict[State, int] | None = None,
        render_mode: str | None = None,
        **campaign: Any,
    ) -> None:
        if "learner" in campaign:
            raise ConfigurationError("learner is not an argument of ChoiceEnv: its agent learns.")
        if render_mode not in (None, "ansi"):
            raise ConfigurationError(f"render_mode={render_mode!r} must be None or 'ansi'.")
        self.levels = check_levels(levels)
        self.render_mode = render_mode
        self.observations = Observations(max_states, states)
        self.observation_space = self.observations.space
        self.action_space = gymnasium.spaces.Discrete(levels)
        self._agent = _Agent(levels)
        options = {"abstraction": "call-stack", "reward": "validity", "seed": 0, **campaign}
        #: Runs the episodes; its summary counts them.
        self.campaign = Campaign(generator, learner=self._agent, **options)
        self._episode: greenlet | None = None
        #: The choice that waits for an answer: its point, the place of its state, and its number of options.
        self.asked: tuple[ChoicePoint, int, int] | None = None
        self._lines: list[str] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Abandon any running episode, and run the generator up to its first choice."""
        super().reset(seed=seed)
        self.close()
        self._lines.clear()
        self._agent.take_reward()
        self._episode = greenlet(self.campaign.episode)
        if self._go_on() is not None:
            raise ConfigurationError("the generator makes no choices, so there is nothing to step.")
        return self._observation(), {}

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Answer a choice, and run the generator up to its next one."""
        if self._episode is None or self.asked is None:
            raise ConfigurationError("step() was called outside an episode. Call reset() first.")
        if not self.action_space.contains(action):
            raise ConfigurationError(f"action={action!r} must be an integer below {self.levels}.")
        point, place, n = self.asked
        self._lines.append(f"{point.name}: option {n * int(action) // self.levels} of {n}")
        ended = self._go_on(int(action))
        reward = self._agent.take_reward()
        if ended is None:
            return self._observation(), reward, False, False, {}
        self._episode = None
        assert ended.outcome is not None
        self._lines.append(ended.outcome.value)
        info = {"outcome": ended.outcome.value, "choices": tuple(ended.choices), "unique": ended.unique}
        last = self.observations.of(place, n)
        return last, reward, not ended.overrun, ended.overrun, info

    def render(self) -> str | None:  # type: ignore[override]
        """The choices of the episode so far, and how it ended."""
        return "\n".join(self._lines) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Abandon the running episode."""
        for _ in range(_PATIENCE):
            if self._episode is None or self._episode.dead:
                break
            self._episode.parent = getcurrent()
            self._episode.throw(GreenletExit)
        self._episode = None

    def _go_on(self, *answer: int) -> Episode | None:
        """Run the generator up to its next choice; returns the episode if it has ended."""
        assert self._episode is not None
        self._episode.parent = getcurrent()
        self._agent.asks = None
        ended = self._episode.switch(*answer)
        if self._agent.asks is None:
            return ended  # type: ignore[no-any-return]
        point, state, n = self._agent.asks
        self.asked = (point, self.observations.place(state), n)
        return None

    def _observation(self) -> NDArray[np.float32]:
        assert self.asked is not None
        _, place, n = self.asked
        return self.observations.of(place, n)


class _Agent(LearnerBase):
    """The learner of an environment's campaign: passes each choice to the agent."""

    def __init__(self, levels: int) -> None:
        self._levels = levels
        self._reward = 0.0
        #: The choice that waits for its answer.
        self.asks: tuple[ChoicePoint, State, int] | None = None

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Switch to the agent, and wait for its answer."""
        self.asks = (point, state, n)
        parent = getcurrent().parent
        assert parent is not None
        action: int = parent.switch()
        return n * action // self._levels

    def reward(self, value: float) -> None:
        """Add to the reward of this step."""
        self._reward += value

    def update(self, episode: Episode) -> None:
        """Add what the episode as a whole was worth to the reward of its last step."""
        self._reward += episode.progress + episode.reward

    def drop(self) -> None:
        """Forget the rewards of an abandoned episode."""
        self._reward = 0.0

    def take_reward(self) -> float:
        """The reward since the last call."""
        reward, self._reward = self._reward, 0.0
        return reward


class ChoiceVectorEnv(gymnasium.vector.SyncVectorEnv):
    """Several environments of one generator, stepped together, with the same numbers for states.

    Only one campaign at a time can measure coverage: environments with coverage need their own processes.

    Args:
        generator: As for `ChoiceEnv`, which takes the other arguments too.
        num_envs: How many environments.
        env: Other arguments of `ChoiceEnv`.
    """

    def __init__(self, generator: Generator[Any], *, num_envs: int, **env: Any) -> None:
        check_integer("num_envs", num_envs)
        env.setdefault("states", {})
        super().__init__([lambda: ChoiceEnv(generator, **env)] * num_envs)


def program(run: Callable[[GuidedRandom], Any]) -> Generator[Any]:
    """A generator from a function of a `random.Random`, whose result is the input."""
    return lambda choose: run(GuidedRandom(choose))
