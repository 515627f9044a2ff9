"""A state machine that has preconditions only: nothing is assumed, and one rule is seldom enabled."""

from __future__ import annotations

from collections.abc import Hashable

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from benchmarks.hypothesis.property import Property


class Server:
    """A mail server, as far as its journal."""

    def __init__(self) -> None:
        self.journal: list[tuple[str, int]] = []

    def say(self, command: str, argument: int = 0) -> None:
        """Do what the client says."""
        self.journal.append((command, argument))


class MailSession(RuleBasedStateMachine):
    """A session with a mail server; what is hard to reach is a message to several people."""

    def __init__(self) -> None:
        super().__init__()
        self.server = Server()
        self.connected = False
        self.secure = False
        self.user: int | None = None
        self.recipients = 0

    def hit(self) -> tuple[tuple[str, int], ...] | None:
        """What was said until a message was sent; None when none was."""
        commands = [command for command, _ in self.server.journal]
        return tuple(self.server.journal[: commands.index("send") + 1]) if "send" in commands else None

    @rule()
    def noop(self) -> None:
        """Say nothing."""
        self.server.say("noop")

    @rule(topic=st.integers(0, 5))
    def ask(self, topic: int) -> None:
        """Ask for help."""
        self.server.say("ask", topic)

    @precondition(lambda self: not self.connected)
    @rule()
    def connect(self) -> None:
        """Begin."""
        self.server.say("connect")
        self.connected = True

    @precondition(lambda self: self.connected)
    @rule()
    def leave(self) -> None:
        """End, and forget everything."""
        self.server.say("leave")
        self.connected = self.secure = False
        self.user, self.recipients = None, 0

    @precondition(lambda self: self.connected)
    @rule()
    def reset(self) -> None:
        """Forget who is written to."""
        self.server.say("reset")
        self.recipients = 0

    @precondition(lambda self: self.connected and not self.secure)
    @rule()
    def encrypt(self) -> None:
        """Continue in secret."""
        self.server.say("encrypt")
        self.secure = True

    @precondition(lambda self: self.secure and self.user is None)
    @rule(user=st.integers(0, 3))
    def log_in(self, user: int) -> None:
        """Say who writes."""
        self.server.say("log_in", user)
        self.user = user

    @precondition(lambda self: self.user is not None)
    @rule(person=st.integers(0, 9))
    def address(self, person: int) -> None:
        """Say who is written to."""
        self.server.say("address", person)
        self.recipients += 1

    @precondition(lambda self: self.recipients >= 3)
    @rule(length=st.integers(0, 99))
    def send(self, length: int) -> None:
        """Send a message."""
        self.server.say("send", length)
        self.recipients = 0


def shape(journal: tuple[tuple[str, int], ...]) -> Hashable:
    """What was said, without arguments, and without what has no effect."""
    return tuple(command for command, _ in journal if command not in ("noop", "ask"))


PROPERTIES = (Property("state-machine", shape, shape, machine=MailSession),)
