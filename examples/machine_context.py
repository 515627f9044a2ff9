"""A state machine that says what its next rule depends on."""

from hypothesis import seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test


class Lock:
    """Opens after the digits 3, 1 and 4."""

    def __init__(self):
        self.right = 0
        self.is_open = False

    def press(self, digit):
        """Press a key."""
        self.right = self.right + 1 if digit == (3, 1, 4)[self.right] else 0
        self.is_open = self.right == 3


class Door(RuleBasedStateMachine):
    """A door with a code: each right digit leads on, a wrong one back to the start."""

    def __init__(self):
        super().__init__()
        self.lock = Lock()

    def rlcheck_context(self):
        """What the next rule may depend on: any value that can be hashed."""
        return self.lock.right

    @rule(digit=st.integers(0, 9))
    def press(self, digit):
        """Press a key."""
        self.lock.press(digit)
        assert not self.lock.is_open


guided = settings(backend="rlcheck", database=None, deadline=None, print_blob=False)
try:
    run_state_machine_as_test(seed(0)(Door), settings=guided)
except AssertionError as error:
    print(*error.__notes__, sep="\n")
