"""Gallery: test a calendar built on sortedcontainers against a model that is too simple to be wrong."""

from sortedcontainers import SortedDict

import rlcheck


class Calendar:
    """Bookings of a room: the hour at which each begins, and the hour at which it ends."""

    def __init__(self):
        self.ends = SortedDict()

    def book(self, start, hours):
        """Book the room; tells whether it was free."""
        before = self.ends.bisect_right(start) - 1
        if before >= 0 and self.ends.peekitem(before)[1] > start:
            return False
        after = before + 1
        if after < len(self.ends) and self.ends.peekitem(after)[0] < start + hours - 1:
            return False
        self.ends[start] = start + hours
        return True

    def cancel(self, start):
        """Cancel the booking that begins at an hour; tells whether there was one."""
        return self.ends.pop(start, None) is not None


class Model:
    """The same with a set of hours for each booking."""

    def __init__(self):
        self.bookings = {}

    def book(self, start, hours):
        """Book the room; tells whether it was free."""
        wanted = set(range(start, start + hours))
        if any(wanted & taken for taken in self.bookings.values()):
            return False
        self.bookings[start] = wanted
        return True

    def cancel(self, start):
        """Cancel the booking that begins at an hour; tells whether there was one."""
        return self.bookings.pop(start, None) is not None


calls = {"book": [range(8, 18), range(1, 4)], "cancel": [range(8, 18)]}
test = rlcheck.ApiTest(Calendar, calls, oracle=Model, seed=0)
summary = test.run(episodes=200)
print(summary.failures[0].error)
print(summary.failures[0].snippet)
