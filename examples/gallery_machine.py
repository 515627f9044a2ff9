"""Gallery: a Hypothesis state machine that tests sessions built on cachetools."""

import cachetools
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test


class Sessions:
    """Sessions end ten minutes after their last use. Using one again does not renew it, though."""

    def __init__(self, clock):
        self.cache = cachetools.TTLCache(maxsize=100, ttl=10, timer=clock)

    def log_in(self, user):
        """Begin a session."""
        self.cache[user] = "session"

    def use(self, user):
        """Tell whether the session is still there."""
        return self.cache.get(user) is not None


class LogInAndUse(RuleBasedStateMachine):
    """Users log in, use their sessions, and wait."""

    def __init__(self):
        super().__init__()
        self.now = 0
        self.sessions = Sessions(lambda: self.now)
        self.used = {}

    def rlcheck_context(self):
        """What the next rule may depend on: for how long each user was idle."""
        return tuple(sorted((user, min(10, self.now - last)) for user, last in self.used.items()))

    @rule(user=st.sampled_from("ab"))
    def log_in(self, user):
        """Log in."""
        self.sessions.log_in(user)
        self.used[user] = self.now

    @rule(minutes=st.integers(1, 9))
    def wait(self, minutes):
        """Wait."""
        self.now += minutes

    @rule(user=st.sampled_from("ab"))
    def use(self, user):
        """Use a session; it must be there if it was used a short while ago."""
        if user in self.used and self.now - self.used[user] < 10:
            assert self.sessions.use(user), "the session has ended too early"
            self.used[user] = self.now


stock = settings(database=None, deadline=None, print_blob=False, phases=(Phase.generate, Phase.shrink))
guided = settings(stock, backend="rlcheck", suppress_health_check=[HealthCheck.too_slow])
try:
    run_state_machine_as_test(seed(0)(LogInAndUse), settings=guided)
except AssertionError as error:
    print(error)
    print(*error.__notes__, sep="\n")
