"""The dashboard: stored runs in a browser on this machine, also while they are running.

A run writes its progress to the store every second. The server reads the store and sends what changed.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import closing
from typing import Any

from rlcheck import registry
from rlcheck.errors import ConfigurationError
from rlcheck.report.html import about, empty_page
from rlcheck.report.schema import ListedRun
from rlcheck.report.store import Store, with_rivals

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import Request
    from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
    from starlette.routing import Route
except ModuleNotFoundError as error:
    raise registry.missing_extra("the dashboard", error) from error

#: Seconds between two looks at the store.
_EVERY = 1.0

#: The most runs that the list shows.
_LISTED = 500

#: The most runs that are shown together, and among how many of the latest ones others are looked for.
_TOGETHER, _RECENT = 6, 20

#: A run that stored nothing for this many seconds is not running.
_SILENT = 10.0

#: The page carries its own script and style; it may load and send nothing else.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'"

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def snapshot(folder: str, *numbers: int) -> dict[str, Any]:
    """What the page shows: all runs, and some of them in full.

    If none is named, these are the latest run, those that it was compared with, and those of the same target
    that other processes are running now.
    """
    try:
        store = Store(folder)
    except ConfigurationError as error:
        return {"listed": [], "runs": [], "failures": [], "note": str(error)}
    with closing(store):
        runs = store.latest(_LISTED)
        chosen = [run for run in reversed(runs) if run.id in numbers]
        if len(chosen) < 2:
            chosen = with_rivals(chosen or _running(store, runs), runs)
        shown = about(store, [store.run(run.id) for run in chosen[:_TOGETHER]])
        listed = [
            {
                "id": run.id,
                "target": run.target,
                "learner": str(run.settings.get("learner")),
                "started": run.started,
                "stopped": run.stopped,
            }
            for run in runs
        ]
    return {**shown, "listed": listed, "note": "" if runs else "no run is stored yet"}


def _running(store: Store, runs: Sequence[ListedRun]) -> list[ListedRun]:
    """The latest run, and those of the same target that are running."""
    same = [run for run in runs[:_RECENT] if run.target == runs[0].target]
    return [run for run in same if run.id == runs[0].id or _is_running(store, run)]


def _is_running(store: Store, run: ListedRun) -> bool:
    """Whether a run was stored a moment ago, and has not ended: its process may have been killed."""
    progress = store.progress(run.id)[-1:] if run.stopped is None else []
    return bool(progress) and run.started + progress[0].seconds > time.time() - _SILENT


def make_app(
    folder: str | os.PathLike[str],
    *,
    token: str = "",
    hosts: tuple[str, ...] = LOOPBACK,
    is_over: Callable[[], bool],
) -> Starlette:
    """The application.

    Args:
        folder: Where the store is.
        token: What a request must carry as `?token=`, if it is not empty.
        hosts: The names that a request may address the server by: a page of another site is none of them.
        is_over: Whether the server is about to stop, which ends its streams.
    """
    folder = os.fspath(folder)

    def refused(request: Request) -> Response | None:
        given = request.query_params.get("token", "")
        if token and not hmac.compare_digest(given.encode(), token.encode()):
            return PlainTextResponse("The token is missing or wrong. The terminal shows the address.\n", 403)
        return None

    async def index(request: Request) -> Response:
        return refused(request) or HTMLResponse(
            empty_page(), headers={"Content-Security-Policy": _POLICY, "Cache-Control": "no-store"}
        )

    async def events(request: Request) -> Response:
        texts = request.query_params.getlist("run")[:_TOGETHER]
        numbers = [int(text) for text in texts if text.isdecimal() and len(text) < 18]
        return refused(request) or StreamingResponse(
            _changes(request, folder, numbers, is_over),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store"},
        )

    return Starlette(
        routes=[Route("/", index), Route("/events", events)],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))],
    )


async def _changes(
    request: Request, folder: str, numbers: Sequence[int], is_over: Callable[[], bool]
) -> AsyncIterator[str]:
    """Server-sent events: what the page shows, whenever it has changed."""
    sent = ""
    while not is_over() and not await request.is_disconnected():
        text = json.dumps(await asyncio.to_thread(snapshot, folder, *numbers))
        if text != sent:
            sent = text
            yield f"data: {text}\n\n"
        else:
            yield ": nothing new\n\n"  # Shows that the browser is gone, if it is.
        await asyncio.sleep(_EVERY)


class Server:
    """The dashboard's server, in a thread of its own.

    Args:
        folder: Where the store is.
        host: The address to listen on.
        port: The port; 0 for any that is free.
        token: What every request must carry; needed unless the address is a loopback one.
    """

    def __init__(self, folder: str | os.PathLike[str], host: str, port: int, token: str) -> None:
        if host not in LOOPBACK and not token:
            raise ConfigurationError(
                f"host={host!r} can be reached from other machines, so it needs a token."
            )
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            # It listens at once: a browser that comes before the server is ready waits for it.
            self._socket = socket.create_server((host, port), family=family)
        except OSError as error:
            raise ConfigurationError(
                f"port {port} of {host} cannot be used: {error}. Name another one with --port."
            ) from error
        hosts = LOOPBACK if host in LOOPBACK else ("*",)
        app = make_app(folder, token=token, hosts=hosts, is_over=lambda: self._server.should_exit)
        self._server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=10))
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)
        name = f"[{host}]" if ":" in host else host
        #: Where a browser finds it.
        self.address = f"http://{name}:{self._socket.getsockname()[1]}/" + (
            f"?token={token}" if token else ""
        )

    def start(self) -> None:
        """Serve."""
        self._thread.start()

    def wait(self) -> None:
        """Wait until it is stopped."""
        while self._thread.is_alive():
            self._thread.join(0.2)

    def stop(self) -> None:
        """Stop serving."""
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()
