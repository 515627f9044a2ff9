"""Dqn: deep Q-learning with a small network for each choice point instead of a table.

Reference: Jiang and Lemieux, "Test Input Generation Using Deep Q-Learning Based Generators", 2020, section 2.

    minimise (y - Q[p](s)[c])^2,    y = r + curiosity * i(s') + discount * max Q[p'](s')

by a step for each batch of choices c at points p in states s; r is the reward of the episode, normalised,
i the intrinsic one, and p' and s' are those of the next choice.

Departures from the paper:

1. Several episodes run side by side, and a batch holds the choices of many; the paper runs one at a time.
2. An option is drawn with softmax(Q / temperature). If each episode took the best option, all would be the
   same. `temperature=0` takes the best, as in the paper.
3. The last choices are those of the state, by default those of the frames that are still running
   (`call-tree`); with `abstraction="sequence"` they are the last ones whatever made them, as in the paper.
4. The loss is that of Q(s), where the paper prints Q(s'). What the paper leaves open: Adam with step size
   0.005, discount 0, rewards normalised by their running mean and deviation.
5. More than 256 options are split into 256 equal buckets. Numbers of choice points and choices are bounded,
   and so is the memory.
6. While no input is valid, those that came nearer than most are replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

from rlcheck.checks import check_between
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners._exploration import any_option
from rlcheck.learners.deep.codes import TOKEN_BYTES, as_bytes
from rlcheck.learners.deep.curiosity import Curiosity
from rlcheck.learners.deep.deep import Deep
from rlcheck.learners.deep.lanes import Lane
from rlcheck.learners.deep.networks import PointNetworks, masked, sampled
from rlcheck.learners.deep.replay import END, Replay, Transition
from rlcheck.protocols import Learner

#: How much of the running share of valid inputs remains after each episode.
_KEPT = 0.99


@dataclass(frozen=True, slots=True)
class DqnConfig:
    """The parameters to tune, and the parts of the paper, each of which can be switched off."""

    #: How many of the last choices a network sees (w).
    window: int = 8
    #: The width of the hidden layer.
    hidden: int = 12
    #: How often a random option is taken (epsilon).
    epsilon: float = 0.05
    #: How much the values of options may differ without changing their probabilities much; 0 takes the best.
    temperature: float = 0.1
    #: How much the value of the next state counts (gamma).
    discount: float = 0.0
    #: How fast it learns.
    step_size: float = 0.005
    #: How many transitions it learns from at a time.
    batch: int = 256
    #: The worth of an unfamiliar state relative to a reward; 0 switches curiosity off (section 2.3).
    curiosity: float = 0.0
    #: How many successful transitions are replayed after an episode; 0 for none (section 2.4).
    replay: int = 4
    #: Replay only while less than this share of inputs is valid.
    replay_below: float = 0.2
    #: The learner that plays the first episodes, None for none, and how many (section 2.5).
    bootstrap: str | Learner[Any] | None = None
    bootstrap_episodes: int = 1_000

    def __post_init__(self) -> None:
        for name in ("window", "hidden", "batch", "bootstrap_episodes"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name}={getattr(self, name)!r} must be at least 1.")
        check_between(1, epsilon=self.epsilon, discount=self.discount, replay_below=self.replay_below)
        for name in ("temperature", "curiosity", "replay"):
            if not getattr(self, name) >= 0:
                raise ConfigurationError(f"{name}={getattr(self, name)!r} must not be below 0.")
        if not self.step_size > 0:
            raise ConfigurationError(f"step_size={self.step_size!r} must be above 0.")


class Dqn(Deep):
    """A two-layer network per choice point, trained by Q-learning: see `DqnConfig` and `Deep`."""

    kind = "dqn"
    configuration = DqnConfig
    config: DqnConfig

    def __init__(
        self,
        config: DqnConfig | None = None,
        *,
        device: str = "cpu",
        lanes: int = 128,
        threads: int = 1,
        seed: int | None = None,
    ) -> None:
        config = DqnConfig() if config is None else config
        super().__init__(config, device=device, lanes=lanes, threads=threads, window=config.window, seed=seed)
        #: The share of valid inputs among the last hundred or so.
        self.valid_rate = 0.0
        self._pending: list[Transition] = []
        self._replay = Replay(10_000)
        self._found = False
        # Created at the first choice, when the seed is known.
        self._network: PointNetworks | None = None
        self._curious: Curiosity | None = None

    def outputs(self, lanes: Sequence[Lane], sizes: list[int], wanted: list[int]) -> list[int]:
        """Return the output that each lane takes: mostly a good one."""
        self._options = max(self._options, *sizes)
        if min(wanted) >= 0:
            return wanted  # Another learner has the say.
        rolls = [self.rng.random() for _ in lanes]
        with self._threads, torch.no_grad():
            states = self._states(lane.states[-1] for lane in lanes)
            values = self._networks().values(
                self._integers(lane.points[-1] for lane in lanes), functional.pad(states, (0, 1))
            )
            room = self._integers(sizes)
            values = masked(values, room)
            if self.config.temperature:
                chances = torch.softmax(values / self.config.temperature, 1)
                good = sampled(chances, self._numbers(rolls), room).tolist()
            else:
                good = values.argmax(1).tolist()
        epsilon = self.config.epsilon
        for place, want in enumerate(wanted):
            if want >= 0:
                good[place] = want
            elif epsilon and self.rng.random() < epsilon:
                good[place] = any_option(self.rng, sizes[place])
        return good

    def learn(self, lane: Lane, episode: Episode) -> None:
        """Learn as soon as there are enough transitions."""
        reward = sum(value for _, value in lane.rewards)
        valid = episode.outcome is not Outcome.INVALID
        self.valid_rate += (1.0 - _KEPT) * (valid - self.valid_rate)
        if valid and not self._found:
            self._found = True
            self._replay = Replay(self._replay.capacity)  # What was only near is no longer good.
        near = not self._found and reward > self._scale.mean + self._scale.deviation
        self._scale.add(reward)
        made = self._transitions(lane, reward)
        self._pending += made
        if self.config.replay:
            if valid or near:
                self._replay.extend(made)
            if self.valid_rate < self.config.replay_below:
                self._pending += self._replay.sample(self.rng, self.config.replay)
        if len(self._pending) >= self.config.batch:
            self._train(self._pending)
            self._pending = []

    def _transitions(self, lane: Lane, reward: float) -> list[Transition]:
        points, states, outputs = lane.points, lane.states, lane.outputs
        token = self.codes.token(points[-1], outputs[-1])
        ended = as_bytes([token]) + states[-1][:-TOKEN_BYTES]
        return list(
            zip(
                points,
                states,
                outputs,
                [*points[1:], END],
                [*states[1:], ended],
                [*lane.sizes[1:], 1],
                [reward] * len(points),
                strict=True,
            )
        )

    def _train(self, batch: list[Transition]) -> None:
        config = self.config
        network = self._networks()
        with self._threads:
            points, states, taken, next_points, next_states, next_sizes, rewards = zip(*batch, strict=True)
            aims = (self._numbers(rewards) - self._scale.mean) / self._scale.deviation
            if config.curiosity or config.discount:
                after = self._integers(next_points)
                ended = after == END
                # The last place says whether the episode has ended.
                tokens = torch.cat((self._states(next_states), ended[:, None]), 1)
            if config.curiosity:
                where = torch.cat((tokens, after[:, None] - END), 1)
                aims = aims + config.curiosity * self._curiosity().rewards(where)
            if config.discount:
                with torch.no_grad():
                    values = network.values(after.clamp(min=0), tokens)
                    best = masked(values, self._integers(next_sizes)).amax(1)
                aims = aims + config.discount * torch.where(ended, 0.0, best)
            tokens = functional.pad(self._states(states), (0, 1))
            network.learn(self._integers(points), tokens, self._integers(taken), aims)

    def _learned(self) -> dict[str, Any]:
        network = self._networks()
        return {
            "room": list(network.room),
            "inputs": network.inputs.weights,
            "outputs": network.outputs.weights,
        }

    def _restore(self, data: dict[str, Any]) -> None:
        self._networks().restore(tuple(data["room"]), data["inputs"], data["outputs"])

    def _networks(self) -> PointNetworks:
        """Return the networks, with room for everything that occurred so far."""
        if self._network is None:
            config = self.config
            self._network = PointNetworks(
                config.window + 1, config.hidden, config.step_size, self._generator(), self.device
            )
        self._network.grow(len(self.codes.names), len(self.codes.tokens), self._options)
        return self._network

    def _curiosity(self) -> Curiosity:
        if self._curious is None:
            self._curious = Curiosity(
                self.config.window + 2, self.codes.most_tokens, self._generator(), self.device
            )
        return self._curious

    def _generator(self) -> torch.Generator:
        return torch.Generator().manual_seed(self.rng.getrandbits(63))
