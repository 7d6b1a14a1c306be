"""A plan that is served on a port of this machine, by a thread of the test."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from planner.fabric.baseline import Planned
from planner.install.serve.app import application
from planner.install.serve.served import Options, Served
from planner.install.site import access
from planner.install.site.journal import Journal


@dataclass(frozen=True)
class Serving:
    """What is served, and where."""

    url: str
    served: Served
    journal: Journal

    @property
    def board(self) -> str:
        """Return the address of a new link to the board."""
        return self.link("foreman", "foreman")

    def link(self, crew: str, role: str = "crew") -> str:
        """Return the address of a new link."""
        return f"{self.url}/k/{access.issue(self.journal, crew, role)}"


@contextmanager
def serving(planned: Planned, path: Path, port: int = 0) -> Iterator[Serving]:
    """Serve a plan with the journal of a path; everybody needs a link. Without a port it is any that is free."""
    with socket.socket() as own, Journal(path) as journal:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        own.bind(("127.0.0.1", port))
        url = f"http://127.0.0.1:{own.getsockname()[1]}"
        made = application(planned, journal, Options(url, local=False))
        settings = {"loop": "asyncio", "http": "h11", "ws": "none", "lifespan": "off", "log_level": "error", "access_log": False}
        server = uvicorn.Server(uvicorn.Config(made, timeout_graceful_shutdown=1, **settings))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [own]}, daemon=True)
        thread.start()
        try:
            yield Serving(url, made.state.served, journal)
        finally:
            server.should_exit = True
            thread.join()
