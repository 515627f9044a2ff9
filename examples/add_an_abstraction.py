"""An abstraction of one's own: how many choices were made, and the last one."""

import rlcheck
from rlcheck import testing
from trees import is_bst, tree


class Progress:
    """The number of choices so far, and the latest."""

    def start(self, frame):
        """Begin an episode driven from `frame`."""
        self.made = 0
        self.last = None

    def state(self, frame):
        """The state of a choice asked for in `frame`."""
        return self.made, self.last

    def record(self, point, index):
        """Take note of the choice that was made."""
        self.made += 1
        self.last = (point.number, index)

    def finish(self):
        """Let go of the episode."""


testing.check_abstraction(Progress)
summary = rlcheck.Campaign(tree, valid=is_bst, abstraction=Progress(), seed=0).run(episodes=5_000)
print(f"{summary.valid} valid, {summary.unique_valid} unique valid")
