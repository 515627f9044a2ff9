"""The channel to a program in another language: lines of JSON with checked length, time and content."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections import deque
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from rlcheck.checks import is_integer, is_number
from rlcheck.errors import ConfigurationError, ProtocolError

VERSION = 1

#: The most bytes of a line, with its end.
LONGEST = 2**16

#: The most answers that a subject may ask for ahead.
MOST_AHEAD = 256

#: The most options of a draw, and the most coverage.
_MOST = 2**64

#: Longer requests are not remembered: 4,096 of them would take hundreds of megabytes.
_CACHED = 512

#: The most frames of a state.
_FRAMES = 32

_ENDS = ("pass", "invalid", "fail")

#: Poll this many times before blocking: most lines arrive before a sleeping core would wake up.
_POLLS = 25


class Request(NamedTuple):
    """A draw that a subject wants to be answered."""

    #: The number of options.
    n: int
    state: tuple[str, ...]
    #: The most answers that it takes: the later ones are for later draws with the same options and state.
    ahead: int
    #: How much is covered so far.
    coverage: float


class Silence(Exception):
    """No message arrived in time."""


class Channel(ABC):
    """Lines to and from a subject, each within `timeout` seconds."""

    def __init__(self, timeout: float) -> None:
        #: How the subject finds the channel.
        self.address = ""
        #: The descriptors that the subject inherits.
        self.inherited: tuple[int, ...] = ()
        self._timeout = timeout
        self._reads = self._writes = -1
        self._lines: deque[bytes] = deque()
        self._rest = b""

    @abstractmethod
    def accept(self, process: subprocess.Popen[bytes]) -> None:
        """Wait for the subject."""

    def receive(self) -> bytes:
        """The next line without its end; empty when the subject has closed the channel."""
        deadline = time.monotonic() + self._timeout
        while not self._lines:
            if len(self._rest) >= LONGEST:
                raise ProtocolError(f"a message is longer than {LONGEST:,} bytes.")
            if not self._has_arrived(deadline):
                raise Silence
            try:
                more = os.read(self._reads, LONGEST)
            except ConnectionResetError:
                more = b""
            if not more:
                if self._rest:
                    raise ProtocolError(f"the message {self._rest[:80]!r} breaks off.")
                return b""
            *lines, self._rest = (self._rest + more).split(b"\n")
            self._lines.extend(lines)
        line = self._lines.popleft()
        if len(line) >= LONGEST:
            raise ProtocolError(f"a message is longer than {LONGEST:,} bytes.")
        return line or b" "  # An empty line is a message, though a wrong one.

    def _has_arrived(self, deadline: float) -> bool:
        """Whether there is something to read before the deadline."""
        for _ in range(_POLLS):
            if select.select([self._reads], [], [], 0)[0]:
                return True
        return bool(select.select([self._reads], [], [], max(0.0, deadline - time.monotonic()))[0])

    def send(self, line: bytes) -> None:
        """Send a line, unless the subject has gone."""
        deadline = time.monotonic() + self._timeout
        while line:
            try:
                line = line[os.write(self._writes, line) :]
            except BlockingIOError:
                if not select.select([], [self._writes], [], max(0.0, deadline - time.monotonic()))[1]:
                    raise Silence from None
            except (BrokenPipeError, ConnectionResetError):
                return  # The subject has gone, as the next `receive` will report.

    @abstractmethod
    def close(self) -> None:
        """Release every resource."""


class Pipes(Channel):
    """Two pipes that the subject inherits."""

    def __init__(self, timeout: float) -> None:
        super().__init__(timeout)
        theirs, self._writes = os.pipe()
        self._reads, also_theirs = os.pipe()
        os.set_blocking(self._writes, False)
        self.inherited = (theirs, also_theirs)
        self.address = f"fd:{theirs},{also_theirs}"

    def accept(self, process: subprocess.Popen[bytes]) -> None:
        """Close our copies of the subject's ends, which would keep the channel open after it has gone."""
        for end in self.inherited:
            os.close(end)
        self.inherited = ()

    def close(self) -> None:
        """Close the pipes."""
        for end in (*self.inherited, self._reads, self._writes):
            os.close(end)


class Socket(Channel):
    """A Unix socket in its own folder."""

    def __init__(self, timeout: float) -> None:
        super().__init__(timeout)
        self._folder = tempfile.TemporaryDirectory(prefix="rlcheck-")
        path = Path(self._folder.name) / "guide"
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen(1)
        self._connection: socket.socket | None = None
        self.address = f"unix:{path}"

    def accept(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until the subject connects."""
        deadline = time.monotonic() + self._timeout
        self._listening.settimeout(0.05)
        while self._connection is None:
            try:
                self._connection, _ = self._listening.accept()
            except TimeoutError:
                if process.poll() is not None:
                    raise ProtocolError(
                        "the subject ended before it said hello. Does it use a client?"
                    ) from None
                if time.monotonic() > deadline:
                    raise Silence from None
        self._connection.settimeout(0.0)
        self._reads = self._writes = self._connection.fileno()

    def close(self) -> None:
        """Close and remove the socket."""
        if self._connection is not None:
            self._connection.close()
        self._listening.close()
        self._folder.cleanup()


def _has_unix_sockets() -> bool:
    return hasattr(socket, "AF_UNIX")


def check_system(*, socket: bool) -> None:
    """Raise if this system cannot run a command and talk to it."""
    if not hasattr(os, "killpg"):
        raise ConfigurationError(
            "a command needs process groups, which this system does not have. On Windows, use WSL."
        )
    if socket and not _has_unix_sockets():
        raise ConfigurationError("--socket needs Unix sockets, which this system does not have.")


def no_hello() -> ProtocolError:
    """The error for a subject that ended before its first message."""
    return ProtocolError("the subject ended before it said hello. Does it use a client?")


def hello(line: bytes) -> bytes:
    """The answer to a subject's first message."""
    message = _parsed(line)
    if "rlcheck" not in message:
        raise ProtocolError(
            f'the first message must be a hello, {{"rlcheck": {VERSION}}}, not {line[:80]!r}.'
        )
    if message["rlcheck"] != VERSION:
        raise ProtocolError(f"the client speaks version {message['rlcheck']!r}, and this rlcheck {VERSION}.")
    return b'{"rlcheck": %d}\n' % VERSION


def end_of(line: bytes) -> tuple[str, float] | None:
    """How a run ended, and its coverage; None for any other message."""
    if b'"end"' not in line:
        return None
    message = _parsed(line)
    if "end" not in message:
        return None  # A frame of that name.
    if message["end"] not in _ENDS:
        raise ProtocolError(f"end={message['end']!r:.80} must be one of {', '.join(_ENDS)}.")
    return message["end"], _coverage(message)


def request_of(line: bytes) -> Request:
    """What a subject asks for."""
    return _known_request(line) if len(line) <= _CACHED else _request(line)


def _request(line: bytes) -> Request:
    message = _parsed(line)
    n = message.get("n")
    if not is_integer(n) or not 1 <= n <= _MOST:
        raise ProtocolError(f"n={n!r:.80} must be an integer from 1 to 2**64.")
    state = message.get("state", [])
    if (
        not isinstance(state, list)
        or len(state) > _FRAMES
        or not all(isinstance(part, str) for part in state)
    ):
        raise ProtocolError(f"state={state!r:.80} must be a list of at most {_FRAMES} strings.")
    ahead = message.get("ahead", 1)
    if not is_integer(ahead) or not 1 <= ahead <= MOST_AHEAD:
        raise ProtocolError(f"ahead={ahead!r:.80} must be an integer from 1 to {MOST_AHEAD}.")
    return Request(n, tuple(state) or ("draw",), ahead, _coverage(message))


#: A loop asks for the same again and again.
_known_request = lru_cache(maxsize=4096)(_request)


def _coverage(message: dict[str, Any]) -> float:
    value = message.get("coverage", 0)
    if not is_number(value) or not 0 <= value <= _MOST:
        raise ProtocolError(f"coverage={value!r:.80} must be a number from 0 to 2**64.")
    return float(value)


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"the message {line[:80]!r} is not JSON: {error}.") from None
    if not isinstance(message, dict):
        raise ProtocolError(f"the message {line[:80]!r} is not a JSON object.")
    return message
