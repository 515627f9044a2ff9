"""`rlcheck dashboard`: serves the stored runs to a browser on this machine."""

from __future__ import annotations

import secrets
import sys

from rlcheck.checks import check_between
from rlcheck.report.dashboard import LOOPBACK, Server
from rlcheck.report.store import FOLDER


def dashboard(host: str, port: int) -> int:
    """Serve until Ctrl-C."""
    server = start(host, port)
    sys.stdout.write(f"{server.address}\nStop with Ctrl-C.\n")
    sys.stdout.flush()
    try:
        server.wait()
    except KeyboardInterrupt:
        server.stop()
    return 0


def start(host: str, port: int) -> Server:
    """A server that is running; one that other machines can reach gets a token."""
    check_between(65_535, **{"--port": port})
    server = Server(FOLDER, host, port, "" if host in LOOPBACK else secrets.token_urlsafe(16))
    server.start()
    return server
