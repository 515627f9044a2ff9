"""A test of an interface without a loop: a bounded cache, compared with a plain one."""

import rlcheck


class Cache:
    """Keeps the values of the last three keys that were put. The one that leaves is not always the oldest."""

    def __init__(self):
        self.values = {}

    def put(self, key, value):
        """Set a value."""
        if key not in self.values and len(self.values) == 3:
            del self.values[min(self.values)]
        self.values[key] = value

    def get(self, key):
        """The value of a key, or None."""
        return self.values.get(key)


class Plain:
    """The same, slowly: a list of pairs."""

    def __init__(self):
        self.pairs = []

    def put(self, key, value):
        """Set a value."""
        if self.get(key) is None:
            self.pairs = [*self.pairs[-2:], [key, value]]
        else:
            for pair in self.pairs:
                if pair[0] == key:
                    pair[1] = value

    def get(self, key):
        """The value of a key, or None."""
        return next((value for known, value in self.pairs if known == key), None)


test = rlcheck.ApiTest(Cache, {"put": ["abcd", range(1, 4)], "get": ["abcd"]}, oracle=Plain, seed=0)
summary = test.run(episodes=100)
print(summary.failures[0].error)
print(summary.failures[0].snippet)
