"""A served plan without sockets, and visitors with and without links."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from planner.fabric.baseline import Planned
from planner.install.serve.app import application
from planner.install.serve.served import Options
from planner.install.site import access
from planner.install.site.journal import Journal
from shared.sites import ROWS

with warnings.catch_warnings():
    # It names the successor of a package.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

HOST = "http://127.0.0.1:8080"
FAR = "http://10.0.0.5:8080"


@dataclass
class Hall:
    """A plan that is served, by its rows or as a whole."""

    journal: Journal
    options: Options = field(default_factory=Options)
    planned: Planned = field(default_factory=lambda: Planned(list(ROWS), Path("hall")))

    def __post_init__(self):
        self.app = application(self.planned, self.journal, self.options)
        self.served = self.app.state.served

    def local(self) -> Visitor:
        """The user of the machine."""
        return Visitor(self, HOST, "127.0.0.1")

    def stranger(self, client: str = "10.0.0.9") -> Visitor:
        return Visitor(self, FAR, client)

    def guest(self, role: str, crew: str = "blue", **limits: Any) -> Visitor:
        """Somebody who opened a link."""
        made = self.stranger()
        token = access.issue(self.journal, crew, role, **limits)
        assert made.get(f"/k/{token}").status_code == 303
        return made.known()

    def content(self) -> list[list[tuple]]:
        """Everything that the journal holds, but for access."""
        return [self.journal.query(f"SELECT * FROM {table}") for table in ("event", "state", "photo", "audit", "plan")]


class Visitor:
    """A browser: it keeps cookies, and sends what our pages send."""

    def __init__(self, hall: Hall, base: str, client: str):
        self.base, self.csrf = base, ""
        self.http = TestClient(
            hall.app, base_url=base, client=(client, 50_000), follow_redirects=False, raise_server_exceptions=False
        )
        if base == HOST:
            self.known()

    def known(self) -> Visitor:
        self.csrf = self.get("/api/me").json().get("csrf", "")
        return self

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Planner": self.csrf, "Origin": self.base, "Sec-Fetch-Site": "same-origin"}

    def get(self, path: str, **other: Any) -> Any:
        return self.http.get(path, **other)

    def post(self, path: str, content: Any = None, *, raw: bytes | None = None, **other: Any) -> Any:
        given = {"headers": self.headers, **other}
        if raw is not None:
            return self.http.post(path, content=raw, **given)
        return self.http.post(path, **given) if content is None else self.http.post(path, json=content, **given)

    def delete(self, path: str, **other: Any) -> Any:
        return self.http.delete(path, **{"headers": self.headers, **other})

    def records(self, *events: dict) -> Any:
        return self.post("/api/install/events", {"events": list(events)})


def event(cable: int = 1, field: str = "pulled", value: str = "yes", end: str = "", **other: Any) -> dict[str, Any]:
    """An event as phones send it."""
    return {
        "id": str(uuid4()), "clock": 1, "phone": "p1", "cable": cable, "end": end, "field": field, "value": value,
        "wall": "10:31", **other,
    }  # fmt: skip
