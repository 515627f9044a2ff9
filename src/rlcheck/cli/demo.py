"""`rlcheck demo`: races random against guided generation in the RLCheck paper's study of search trees."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from time import perf_counter

from rlcheck import registry
from rlcheck.campaign import Campaign
from rlcheck.checks import check_positive
from rlcheck.episode import Episode, Outcome
from rlcheck.generators import Choose

try:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Table
except ModuleNotFoundError as error:
    raise registry.missing_extra("rlcheck demo", error) from error

#: How many trees are drawn at the end, and how many nodes they have at least.
_DRAWN, _LARGE = 4, 6


@dataclass(slots=True)
class Tree:
    """A binary tree of integers."""

    value: int
    left: Tree | None = None
    right: Tree | None = None


def tree(choose: Choose, depth: int = 0) -> Tree:
    """Make any binary tree of up to five levels: the generator knows nothing about order."""
    node = Tree(choose(range(11)))
    if depth < 4 and choose([True, False]):
        node.left = tree(choose, depth + 1)
    if depth < 4 and choose([True, False]):
        node.right = tree(choose, depth + 1)
    return node


def is_bst(node: Tree | None, low: int = -1, high: int = 11) -> bool:
    """Whether the tree is a binary search tree."""
    return node is None or (
        low < node.value < high
        and is_bst(node.left, low, node.value)
        and is_bst(node.right, node.value, high)
    )


def size(node: Tree | None) -> int:
    """The number of nodes."""
    return 0 if node is None else 1 + size(node.left) + size(node.right)


def drawing(node: Tree | None) -> list[str]:
    """Draw a tree, the root on top."""
    lines, _ = _drawn(node)
    return lines


def _drawn(node: Tree | None) -> tuple[list[str], int]:
    """Return the lines of a tree, equally long, and the column of its root."""
    if node is None:
        return [], 0
    (left, left_root), (right, right_root) = _drawn(node.left), _drawn(node.right)
    label = str(node.value)
    width = len(left[0]) if left else 0
    other = len(right[0]) if right else 0
    top = " " * width + label + " " * other
    if left:
        top = " " * left_root + "╭" + "─" * (width - left_root - 1) + top[width:]
    if right:
        top = top[: width + len(label)] + "─" * right_root + "╮" + " " * (other - right_root - 1)
    height = max(len(left), len(right))
    left += [" " * width] * (height - len(left))
    right += [" " * other] * (height - len(right))
    gap = " " * len(label)
    return [top, *(a + gap + b for a, b in zip(left, right, strict=True))], width


class _Runner:
    """One side of the race, with the largest search tree that it has made and the latest large ones."""

    def __init__(self, label: str, learner: str | None, seed: int) -> None:
        self.label = label
        self.largest = 0
        self.latest: deque[Tree] = deque(maxlen=_DRAWN)
        self.campaign = Campaign(tree, valid=is_bst, learner=learner, seed=seed, observers=[self._measure])

    def _measure(self, episode: Episode) -> None:
        if episode.unique and episode.outcome is Outcome.VALID:
            nodes = size(episode.value)
            self.largest = max(self.largest, nodes)
            if nodes >= _LARGE:
                self.latest.append(episode.value)


def race(*, seconds: float, seed: int) -> None:
    """Let both sides run in turns, half of the time each, and show their progress."""
    check_positive("seconds", seconds)
    console = Console()
    console.print(
        "Binary search trees from a generator that knows nothing about order:\n"
        "at most five levels, values from 0 to 10; valid if every subtree is in order.\n"
    )
    runners = [_Runner("random", "uniform", seed), _Runner("guided", None, seed)]
    progress = Progress(TextColumn("racing"), BarColumn(), TimeRemainingColumn(), console=console)
    task = progress.add_task("race", total=seconds)
    started = perf_counter()
    with Live(console=console, refresh_per_second=8, transient=True) as live:
        while (spent := perf_counter() - started) < seconds:
            for runner in runners:
                runner.campaign.run(seconds=min(0.1, seconds / 2))
                if runner.campaign.summary.stopped == "interrupted":
                    spent = seconds
            progress.update(task, completed=spent)
            live.update(Group(_table(runners), progress))
            if spent >= seconds:
                break
    console.print(_table(runners))
    random, guided = (runner.campaign.summary for runner in runners)
    console.print(
        f"In the same time, guided made {guided.unique_valid / max(1, random.unique_valid):.0f} times as many"
        f" different search trees, of {guided.effective_shapes / max(1.0, random.effective_shapes):.0f} times"
        " as many effective shapes."
    )
    if runners[1].latest:
        console.print("\nSome of the guided ones:\n")
        console.print("\n".join(_beside([drawing(made) for made in runners[1].latest])), highlight=False)


def _beside(drawings: list[list[str]]) -> list[str]:
    """Put drawings next to each other."""
    height = max(map(len, drawings))
    padded = [lines + [" " * len(lines[0])] * (height - len(lines)) for lines in drawings]
    return ["    ".join(row).rstrip() for row in zip(*padded, strict=True)]


def _table(runners: list[_Runner]) -> Table:
    table = Table()
    for heading in (
        "",
        "inputs",
        "valid",
        "unique valid",
        "shapes",
        "effective shapes",
        "largest tree",
        "inputs/s",
    ):
        table.add_column(heading, justify="left" if heading == "" else "right")
    for runner in runners:
        summary = runner.campaign.summary
        table.add_row(
            runner.label,
            f"{summary.episodes:,}",
            f"{summary.valid / max(1, summary.episodes):.0%}",
            f"{summary.unique_valid:,}",
            f"{summary.shapes:,}",
            f"{summary.effective_shapes:,.0f}",
            str(runner.largest),
            f"{summary.episodes / max(summary.seconds, 1e-9):,.0f}",
        )
    return table
