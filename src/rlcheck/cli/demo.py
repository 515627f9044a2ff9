"""`rlcheck demo`: races random against guided generation in the RLCheck paper's study of search trees."""

from __future__ import annotations

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


class _Runner:
    """One side of the race, with the largest search tree that it has made."""

    def __init__(self, label: str, learner: str | None, seed: int) -> None:
        self.label = label
        self.largest = 0
        self.campaign = Campaign(tree, valid=is_bst, learner=learner, seed=seed, observers=[self._measure])

    def _measure(self, episode: Episode) -> None:
        if episode.unique and episode.outcome is Outcome.VALID:
            self.largest = max(self.largest, size(episode.value))


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
    random, guided = (runner.campaign.summary.unique_valid for runner in runners)
    console.print(
        f"In the same time, guided made {guided / max(1, random):.0f} times as many different search trees."
    )


def _table(runners: list[_Runner]) -> Table:
    table = Table()
    for heading in ("", "inputs", "valid", "unique valid", "largest tree", "inputs/s"):
        table.add_column(heading, justify="left" if heading == "" else "right")
    for runner in runners:
        summary = runner.campaign.summary
        table.add_row(
            runner.label,
            f"{summary.episodes:,}",
            f"{summary.valid:,} ({summary.valid / max(1, summary.episodes):.0%})",
            f"{summary.unique_valid:,}",
            f"{runner.largest} nodes",
            f"{summary.episodes / max(summary.seconds, 1e-9):,.0f}",
        )
    return table
