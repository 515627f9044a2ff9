"""The Python client of `rlcheck guide`: a random.Random whose draws another process answers.

Protocol: docs/reference/protocol.md. This file stands alone: copy it beside a program, Python 3.8 or later.

    rng = rlcheck_client.connect() or random.Random()
    ...
    rng.end("fail")    # or "pass", or "invalid"; a program that just ends has passed
"""

import json
import os
import random
import socket
import sys

VERSION = 1
VARIABLE = "RLCHECK_GUIDE"
_FRAMES = 32
_BITS = 53
_WORD = 32


def connect():
    """A guided generator; None when no guide is there."""
    address = os.environ.get(VARIABLE, "")
    if address.startswith("fd:"):
        reads, writes = (int(number) for number in address[3:].split(","))
        return GuidedRandom(os.fdopen(reads, "rb"), os.fdopen(writes, "wb"))
    if address.startswith("unix:"):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address[5:])
        return GuidedRandom(connection.makefile("rb"), connection.makefile("wb"))
    return Replayed(address) if address else None


class _Drawn(random.Random):
    """Draws as choices among n options."""

    def __new__(cls, *arguments):
        return super().__new__(cls)

    def seed(self, *arguments, **options):
        """Nothing: the guide decides."""
        self.gauss_next = None

    def random(self):
        return self.draw(1 << _BITS) / (1 << _BITS)

    def getrandbits(self, k):
        made = 0
        for low in range(0, k, _WORD):
            made |= self.draw(1 << min(_WORD, k - low)) << low
        return made

    def _randbelow(self, n):
        if n == 0:
            return 0
        return self.draw(n) if n.bit_length() <= 64 else self._randbelow_with_getrandbits(n)

    def gauss(self, mu=0.0, sigma=1.0):
        self.gauss_next = None
        return super().gauss(mu, sigma)


class GuidedRandom(_Drawn):
    """A random.Random whose draws the guide answers.

    `coverage` may be set to a function that says how much is covered so far.
    """

    def __init__(self, reads, writes):
        super().__init__()
        self.coverage = None
        self._reads, self._writes = reads, writes
        self._send({"rlcheck": VERSION, "client": "python"})
        if self._receive().get("rlcheck") != VERSION:
            raise RuntimeError("the guide speaks another version")

    def draw(self, n):
        """The index of one of n options."""
        message = {"n": n, "state": _stack()}
        if self.coverage is not None:
            message["coverage"] = self.coverage()
        self._send(message)
        action = self._receive().get("action")
        if not isinstance(action, int) or not 0 <= action < n:
            raise RuntimeError(f"the guide answered {action!r} to a draw of {n} options")
        return action

    def end(self, how="pass"):
        """Say how the run ended: "pass", "fail" or "invalid"."""
        message = {"end": how}
        if self.coverage is not None:
            message["coverage"] = self.coverage()
        self._send(message)

    def _send(self, message):
        self._writes.write(json.dumps(message).encode() + b"\n")
        self._writes.flush()

    def _receive(self):
        line = self._reads.readline()
        if not line:
            raise RuntimeError("the guide has gone")
        message = json.loads(line)
        if "error" in message:
            raise RuntimeError(f"the guide says: {message['error']}")
        return message


class Replayed(_Drawn):
    """A random.Random that draws what a recording says."""

    def __init__(self, path):
        super().__init__()
        self.coverage = None
        self._used = 0
        with open(path, encoding="utf-8") as file:
            header, *self._draws = [json.loads(line) for line in file if line.strip()]
        if header.get("rlcheck") != "actions" or header.get("version") != VERSION:
            raise RuntimeError(f"{path} is not a recording that this client reads")

    def draw(self, n):
        """The recorded index."""
        if self._used >= len(self._draws):
            raise RuntimeError(f"the recording ends after {self._used} draws")
        draw = self._draws[self._used]
        if draw["n"] != n or not 0 <= draw["action"] < n:
            raise RuntimeError(f"draw {self._used} was of {draw['n']} options, and is now of {n}")
        self._used += 1
        return draw["action"]

    def end(self, how="pass"):
        """Nobody listens."""


def _stack():
    """Function and line of the frames outside this file and the random module, outermost first."""
    made = []
    frame = sys._getframe(2)
    while frame is not None and len(made) < _FRAMES:
        if frame.f_globals is not globals() and frame.f_globals is not vars(random):
            made.append(f"{frame.f_code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return made[::-1]
