"""Networks of the deep learners, which grow with the choice points, choices and options that occur."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from rlcheck.errors import ConfigurationError


class Rows:
    """A matrix of which each batch uses few rows; Adam updates only these.

    Args:
        width: The length of a row.
        scale: The standard deviation of new weights.
        step_size: About how far a weight moves at most.
    """

    def __init__(
        self, width: int, scale: float, step_size: float, generator: torch.Generator, device: torch.device
    ) -> None:
        self.scale = scale
        self.step_size = step_size
        self.weights = torch.zeros(0, width, device=device)
        self._generator = generator
        self._first = self._second = torch.zeros(0, width, device=device)
        self._steps = torch.zeros(0, device=device)
        self._touched: tuple[Tensor, Tensor] | None = None

    def grow(self, old: tuple[int, ...], new: tuple[int, ...]) -> None:
        """Make room: the rows are numbered by a block of one size, and shall be by one of another."""
        width = self.weights.shape[1]
        # Made on the CPU, so that a seed gives the same weights on every device.
        made = torch.randn(*new, width, generator=self._generator) * self.scale
        made[tuple(slice(size) for size in old)] = self.weights.cpu().view(*old, width)
        self.replace(made.view(-1, width))

    def replace(self, weights: Tensor) -> None:
        """Use these weights; the state of Adam starts afresh."""
        device = self.weights.device
        self.weights = weights.to(device)
        self._first, self._second = torch.zeros(2, *weights.shape, device=device)
        self._steps = torch.zeros(len(weights), device=device)

    def touch(self, at: Tensor) -> Tensor:
        """Return rows to train: indices of any shape -> that shape and the width."""
        index, inverse = torch.unique(at, return_inverse=True)
        leaves = self.weights.index_select(0, index).requires_grad_()
        self._touched = index, leaves
        return leaves[inverse]

    def step(self) -> None:
        """Move the rows that were used against their gradients."""
        assert self._touched is not None
        index, leaves = self._touched
        gradient = leaves.grad
        assert gradient is not None
        self._touched = None
        steps = self._steps.index_select(0, index) + 1.0
        first = self._first.index_select(0, index).lerp_(gradient, 0.1)
        second = self._second.index_select(0, index).lerp_(gradient.square(), 0.001)
        self._steps.index_copy_(0, index, steps)
        self._first.index_copy_(0, index, first)
        self._second.index_copy_(0, index, second)
        rate = self.step_size / (1.0 - 0.9**steps)
        spread = (second / (1.0 - 0.999**steps)[:, None]).sqrt_().add_(1e-8)
        moved = leaves.detach().addcdiv_(first.mul_(rate[:, None]), spread, value=-1.0)
        self.weights.index_copy_(0, index, moved)


class PointNetworks:
    """A two-layer network for each choice point, all in two matrices so that a batch is one pass.

    The first layer of a one-hot vector is a look-up, so no such vector is built.

    Args:
        places: How many one-hot vectors an input has.
        hidden: The width of the hidden layer.
        step_size: How fast it learns.
    """

    def __init__(
        self, places: int, hidden: int, step_size: float, generator: torch.Generator, device: torch.device
    ) -> None:
        self.places = places
        self.hidden = hidden
        #: The number of points, tokens and options that there is room for.
        self.room = (0, 0, 0)
        self.inputs = Rows(hidden, places**-0.5, step_size, generator, device)  # [P * W * V, H]
        self.outputs = Rows(hidden + 1, 0.1 * hidden**-0.5, step_size, generator, device)  # [P * A, H + 1]

    def grow(self, points: int, tokens: int, options: int) -> None:
        """Make room for this many, if there is too little."""
        wanted = (points, tokens, options)
        if any(want > have for want, have in zip(wanted, self.room, strict=True)):
            old = self.room
            new = tuple(_room(want, have) for want, have in zip(wanted, old, strict=True))
            self.inputs.grow((old[0], self.places, old[1]), (new[0], self.places, new[1]))
            self.outputs.grow((old[0], old[2]), (new[0], new[2]))
            self.room = (new[0], new[1], new[2])

    def restore(self, room: tuple[int, ...], inputs: Tensor, outputs: Tensor) -> None:
        """Use the weights of other networks with this much room."""
        points, tokens, options = room
        if inputs.shape != (points * self.places * tokens, self.hidden):
            raise ValueError(f"its inputs have the shape {list(inputs.shape)}")
        if outputs.shape != (points * options, self.hidden + 1):
            raise ValueError(f"its outputs have the shape {list(outputs.shape)}")
        self.room = (points, tokens, options)
        self.inputs.replace(inputs)
        self.outputs.replace(outputs)

    def values(self, points: Tensor, tokens: Tensor) -> Tensor:
        """Return the value of each option: [B], [B, W] -> [B, A]."""
        hidden = self._hidden(self.inputs.weights[self._at(points, tokens)])
        outputs = self.outputs.weights.view(self.room[0], self.room[2], -1)  # [P, A, H + 1]
        return torch.einsum("bh,bah->ba", hidden, outputs[points])

    def learn(self, points: Tensor, tokens: Tensor, taken: Tensor, aims: Tensor) -> None:
        """Move the values of the options that were taken towards the aims: [B], [B, W], [B], [B]."""
        hidden = self._hidden(self.inputs.touch(self._at(points, tokens)))
        values = (hidden * self.outputs.touch(points * self.room[2] + taken)).sum(1)
        (aims - values).square().mean().backward()
        self.inputs.step()
        self.outputs.step()

    def _at(self, points: Tensor, tokens: Tensor) -> Tensor:
        """Return the rows of the inputs for the one-hot vectors: [B], [B, W] -> [B, W]."""
        places = points[:, None] * self.places + torch.arange(self.places, device=points.device)
        return places * self.room[1] + tokens

    def _hidden(self, rows: Tensor) -> Tensor:
        """The hidden layer, normalised, and a 1 for the bias: [B, W, H] -> [B, H + 1]."""
        active = functional.elu(rows.sum(1), alpha=0.5)
        return functional.pad(functional.layer_norm(active, (self.hidden,)), (0, 1), value=1.0)


def _room(wanted: int, have: int) -> int:
    """Return enough room for what is wanted: at least twice as much as before, so that growing is rare."""
    return have if wanted <= have else max(wanted, 2 * have, 8)


def masked(values: Tensor, sizes: Tensor) -> Tensor:
    """Return the values, with minus infinity for options that do not exist: [B, A], [B] -> [B, A]."""
    missing = torch.arange(values.shape[-1], device=values.device) >= sizes[..., None]
    return values.masked_fill(missing, -torch.inf)


def sampled(chances: Tensor, rolls: Tensor, sizes: Tensor) -> Tensor:
    """Draw an option for each row by its probabilities: [B, A], [B] in [0, 1), [B] -> [B]."""
    below = chances.cumsum(1)
    found = torch.searchsorted(below, rolls[:, None] * below[:, -1:], right=True)[:, 0]
    # The last one that is possible, when rounding leaves nothing above the roll.
    return torch.minimum(found, sizes - 1)


class Threads:
    """Sets how many threads PyTorch uses inside a `with` block; more threads slow small networks down.

    Args:
        number: How many.
    """

    def __init__(self, number: int) -> None:
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise ConfigurationError(f"threads={number!r} must be an integer of at least 1.")
        self._number = number
        self._before = number

    def __enter__(self) -> None:
        self._before = torch.get_num_threads()
        if self._before != self._number:
            torch.set_num_threads(self._number)

    def __exit__(self, *raised: object) -> None:
        if self._before != self._number:
            torch.set_num_threads(self._before)


def device_of(name: str) -> torch.device:
    """Return a device by name, or raise a clear error."""
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, TypeError) as error:
        raise ConfigurationError(
            f"device={name!r} cannot be used: {str(error).splitlines()[0]} Use 'cpu', or 'cuda' where PyTorch"
            " finds a GPU (torch.cuda.is_available())."
        ) from error
    return device
