"""Recurrent: one network for all choice points, which sees the whole history of the episode.

References: Jiang and Lemieux, "Test Input Generation Using Deep Q-Learning Based Generators", 2020,
section 3; Espeholt et al., "IMPALA", ICML 2018, for the update.

    loss = - advantage * log pi(c) + (v - V)^2 / 2 - entropy * H(pi) - prediction * log P(point)

as a mean over the choices of a batch of episodes; v and the advantage are V-trace's.

Departures from the paper:

1. An actor-critic with an entropy bonus in place of Q-learning, which the authors could not make stable.
2. The policy is told the choice point; the core that predicts it is not.
3. Half of a batch is replayed from a buffer of episodes; V-trace corrects for the policy that made them.
4. Rewards are normalised by their running mean and deviation, large advantages by their deviation; gradients
   are clipped; each choice of a valid input costs a little.
5. Episodes of another learner (`bootstrap`) are imitated where they are valid. The paper's section 4.1
   proposes this for the representation; here the whole network goes on learning afterwards.
6. The history restarts after `context` choices, which bounds the memory and the time of an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from rlcheck.checks import check_between
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners._exploration import any_option
from rlcheck.learners.deep.codes import OTHER, Codes
from rlcheck.learners.deep.deep import Deep
from rlcheck.learners.deep.lanes import MOST_OPTIONS, Lane
from rlcheck.learners.deep.networks import masked, sampled
from rlcheck.learners.deep.scale import Scale
from rlcheck.learners.deep.sequences import HistoryNetwork, Lstm, Transformer
from rlcheck.learners.deep.vtrace import vtrace
from rlcheck.protocols import Learner


@dataclass(frozen=True, slots=True)
class RecurrentConfig:
    """The parameters to tune."""

    #: What reads the history: "lstm" or "transformer".
    core: str = "lstm"
    #: The width and the number of its layers.
    width: int = 64
    layers: int = 1
    #: The parts of the history that it sees: states (S), choices (A for actions) and rewards (R).
    inputs: str = "A"
    #: After how many choices the history restarts.
    context: int = 128
    #: How fast it learns.
    step_size: float = 0.003
    #: How many new episodes it learns from at a time; with `replay`, as many old ones are added.
    batch: int = 8
    replay: bool = True
    #: How much later rewards count (gamma).
    discount: float = 1.0
    #: The weight of the policy's entropy.
    entropy: float = 0.02
    #: The weight of the prediction of the next choice point in the loss, and as a reward where it fails.
    prediction: float = 0.1
    curiosity: float = 0.0
    #: The cost of each choice of a valid input.
    length_penalty: float = 0.01
    #: The learner that plays the first episodes, None for none, and how many.
    bootstrap: str | Learner[Any] | None = None
    bootstrap_episodes: int = 1_000

    def __post_init__(self) -> None:
        if self.core not in ("lstm", "transformer"):
            raise ConfigurationError(f"core={self.core!r} must be 'lstm' or 'transformer'.")
        if not self.inputs or set(self.inputs) - set("SAR"):
            raise ConfigurationError(f"inputs={self.inputs!r} must be letters of 'SAR', at least one.")
        for name in ("width", "layers", "context", "batch", "bootstrap_episodes"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name}={getattr(self, name)!r} must be at least 1.")
        if self.core == "transformer" and self.width > 32 and self.width % 32:
            raise ConfigurationError(f"width={self.width} must be a multiple of 32 for a transformer.")
        for name in ("entropy", "prediction", "curiosity", "length_penalty"):
            if not getattr(self, name) >= 0:
                raise ConfigurationError(f"{name}={getattr(self, name)!r} must not be below 0.")
        check_between(1, discount=self.discount)
        if not self.step_size > 0:
            raise ConfigurationError(f"step_size={self.step_size!r} must be above 0.")


class _Trajectory(NamedTuple):
    """A finished episode."""

    points: list[int]
    choices: list[int]
    states: list[bytes]
    gains: list[float]
    sizes: list[int]
    outputs: list[int]
    behaviour: list[float]
    rewards: list[float]
    #: Whether to make its choices likelier, even if another learner made them.
    imitated: bool


#: How many episodes are kept to replay.
_KEPT = 512
#: The window of states, where they are looked at.
_WINDOW = 4


class Recurrent(Deep):
    """One network over the history, learned by an actor-critic: see `RecurrentConfig` and `Deep`."""

    kind = "recurrent"
    configuration = RecurrentConfig
    config: RecurrentConfig

    def __init__(
        self,
        config: RecurrentConfig | None = None,
        *,
        device: str = "cpu",
        lanes: int = 16,
        threads: int = 1,
        seed: int | None = None,
    ) -> None:
        config = RecurrentConfig() if config is None else config
        super().__init__(config, device=device, lanes=lanes, threads=threads, window=_WINDOW, seed=seed)
        self._surprise = Scale()
        self._new: list[_Trajectory] = []
        self._old: list[_Trajectory] = []
        self._next_old = 0
        # Created at the first choice, when the seed is known.
        self._made_network: HistoryNetwork | None = None
        self._optimizer: torch.optim.Optimizer | None = None

    def outputs(self, lanes: Sequence[Lane], sizes: list[int], wanted: list[int]) -> list[int]:
        """Return the output that each lane takes, drawn from the policy."""
        self._options = max(self._options, *sizes)
        rolls = [self.rng.random() for _ in lanes]
        network = self._network()
        last = [_last_choice(lane, self.codes) for lane in lanes]
        with self._threads, torch.no_grad():
            inputs = network.embed(
                self._integers(last),
                self._states(lane.states[-1] for lane in lanes) if "S" in self.config.inputs else None,
                self._numbers(map(_last_reward, lanes)) if "R" in self.config.inputs else None,
            )
            times = self._integers((len(lane.points) - 1) % self.config.context for lane in lanes)
            known = network.core.step(inputs, self._integers(lane.place for lane in lanes), times)
            policy, _ = network.decide(
                known, self._integers(lane.points[-1] for lane in lanes), self._options
            )
            room = self._integers(sizes)
            scores = torch.log_softmax(masked(policy, room), 1)
            want = self._integers(wanted)
            taken = torch.where(want < 0, sampled(scores.exp(), self._numbers(rolls), room), want)
            found = scores.gather(1, taken[:, None])[:, 0]
            both = torch.stack((taken.double(), found.double())).tolist()  # One transfer, not two.
        for lane, score in zip(lanes, both[1], strict=True):
            lane.scores.append(score)
        return list(map(int, both[0]))

    def learn(self, lane: Lane, episode: Episode) -> None:
        """Learn as soon as there are enough episodes."""
        steps = len(lane.outputs)
        total = sum(value for _, value in lane.rewards)
        self._scale.add(total)
        valid = episode.outcome is not Outcome.INVALID
        # An invalid input costs nothing more: while none is valid, the shortest would seem the best.
        rewards = [-self.config.length_penalty if valid else 0.0] * steps
        gains = [0.0] * steps
        for after, value in lane.rewards:
            rewards[max(after, 1) - 1] += value / self._scale.deviation
            if after < steps:
                gains[after] = value
        rewards[-1] -= self._scale.mean / self._scale.deviation
        imitated = lane.led and valid
        choices = [OTHER, *map(self.codes.token, lane.points[:-1], lane.outputs[:-1])]
        made = (lane.points, choices, lane.states, gains, lane.sizes, lane.outputs, lane.scores, rewards)
        self._new.append(_Trajectory(*made, imitated))
        if len(self._new) >= self.config.batch:
            self._learn_batch()

    def _learn_batch(self) -> None:
        new, self._new = self._new, []
        batch = list(new)
        if self.config.replay and self._old:
            batch += [self._old[any_option(self.rng, len(self._old))] for _ in new]
        with self._threads:
            self._train(batch)
        for trajectory in new:
            if len(self._old) < _KEPT:
                self._old.append(trajectory)
            else:
                self._old[self._next_old] = trajectory
                self._next_old = (self._next_old + 1) % _KEPT

    def _train(self, batch: list[_Trajectory]) -> None:
        """One step of gradient descent."""
        config = self.config
        network = self._network()
        known, places = self._read(batch)  # [N, H]: all choices of the batch, one after the other
        points = self._integers(_flat(batch, "points"))
        policy, values = network.decide(known, points, self._options)
        scores = torch.log_softmax(masked(policy, self._integers(_flat(batch, "sizes"))), 1)
        taken = scores.gather(1, self._integers(_flat(batch, "outputs"))[:, None])[:, 0]
        surprise = functional.cross_entropy(network.predict(known), points, reduction="none")
        aims, advantages = self._judge(batch, places, values, taken, surprise)
        imitated = self._numbers(float(t.imitated) for t in batch for _ in t.points)
        # Small ones stay small: where all episodes are worth the same they are noise, and shall move nothing.
        deviation = advantages.std(correction=0).clamp(min=1.0)
        weights = torch.where(imitated > 0, 1.0, advantages / deviation)
        chances = scores.exp()
        entropy = -(chances * scores.masked_fill(chances == 0, 0.0)).sum(1)
        loss = (
            -(weights * taken).mean()
            + 0.5 * (values - aims).square().mean()
            - config.entropy * entropy.mean()
            + config.prediction * surprise.mean()
        )
        assert self._optimizer is not None
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        self._optimizer.step()

    def _read(self, batch: list[_Trajectory]) -> tuple[Tensor, list[slice]]:
        """Return the output of the core at each choice, and the range of each episode."""
        context = self.config.context
        stretches: list[tuple[_Trajectory, int, int]] = []
        places = []
        begin = 0
        for trajectory in batch:
            length = len(trajectory.points)
            places.append(slice(begin, begin + length))
            begin += length
            # The history begins anew, as it did when the choices were made.
            stretches += [(trajectory, at, min(at + context, length)) for at in range(0, length, context)]
        longest = max(end - start for _, start, end in stretches)
        there = torch.zeros(len(stretches), longest, dtype=torch.bool)
        for row, (_, start, end) in zip(there, stretches, strict=True):
            row[: end - start] = True
        there = there.to(self.device)

        def padded(flat: Tensor) -> Tensor:
            made = flat.new_zeros(*there.shape, *flat.shape[1:])
            made[there] = flat
            return made

        network = self._network()
        inputs = network.embed(
            padded(self._integers(_flat(batch, "choices"))),
            padded(self._states(_flat(batch, "states"))) if "S" in self.config.inputs else None,
            padded(self._numbers(_flat(batch, "gains"))) if "R" in self.config.inputs else None,
        )
        return network.core(inputs)[there], places  # [S, T, H] -> [N, H]

    def _judge(
        self, batch: list[_Trajectory], places: list[slice], values: Tensor, taken: Tensor, surprise: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the target values and the advantages."""
        expected, scores, strange = torch.stack((values, taken, surprise)).tolist()
        if self.config.curiosity:
            for value in strange:
                self._surprise.add(value)
        aims: list[float] = []
        advantages: list[float] = []
        for trajectory, at in zip(batch, places, strict=True):
            rewards = trajectory.rewards
            if self.config.curiosity:
                # A choice is rewarded when the point after it is unexpected.
                later = [*strange[at][1:], self._surprise.mean]
                scale = self.config.curiosity / self._surprise.deviation
                rewards = [r + scale * (s - self._surprise.mean) for r, s in zip(rewards, later, strict=True)]
            found = vtrace(rewards, expected[at], scores[at], trajectory.behaviour, self.config.discount)
            aims += found[0]
            advantages += found[1]
        return self._numbers(aims), self._numbers(advantages)

    def _learned(self) -> dict[str, Any]:
        return {"options": self._options, "weights": self._network().state_dict()}

    def _restore(self, data: dict[str, Any]) -> None:
        self._options = data["options"]
        self._network().load_state_dict(data["weights"])

    def _network(self) -> HistoryNetwork:
        if self._made_network is None:
            # PyTorch's own modules draw their weights from the global generator: it is put back afterwards.
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(self.rng.getrandbits(63))
                self._made_network = self._make_network().to(self.device)
            self._optimizer = torch.optim.Adam(self._made_network.parameters(), lr=self.config.step_size)
        return self._made_network

    def _make_network(self) -> HistoryNetwork:
        config = self.config
        lanes = len(self._made)
        core: Lstm | Transformer
        if config.core == "lstm":
            core = Lstm(config.width, config.layers, lanes)
        else:
            core = Transformer(config.width, config.layers, lanes, config.context)
        return HistoryNetwork(
            core,
            config.width,
            points=self.codes.most_points,
            tokens=self.codes.most_tokens,
            options=MOST_OPTIONS,
            inputs=config.inputs,
            window=_WINDOW,
        )


def _flat(batch: list[_Trajectory], name: str) -> Iterator[Any]:
    return chain.from_iterable(getattr(trajectory, name) for trajectory in batch)


def _last_choice(lane: Lane, codes: Codes) -> int:
    """Return the token of the choice before the one that a lane asks for."""
    return codes.token(lane.points[-2], lane.outputs[-1]) if lane.outputs else OTHER


def _last_reward(lane: Lane) -> float:
    """Return the reward after the last choice; 0 if there was none."""
    after, value = lane.rewards[-1] if lane.rewards else (-1, 0.0)
    return value if after == len(lane.outputs) else 0.0
