"""Limits of requests: how often a client may send them, and how slowly it may send."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import Counter, OrderedDict
from typing import Any, NamedTuple

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from planner.core.errors import Problem
from planner.install.serve.door import Denied


class Rate(NamedTuple):
    """Requests per second over time, and how many may come at once."""

    per_s: float
    burst: int


KNOWN = Rate(100, 400)
"""For each session: a phone that sends what it recorded without reception stays far below."""

UNKNOWN = Rate(20, 200)
"""For each address without a session, which may be several phones that open their links."""

EVENTS = Rate(5, 50_000)
"""Events of a crew: more than it can record, with what waited on its phones; a link that was taken over fills no disk."""

_CLIENTS = 10_000
"""Maximum number of clients that are remembered; beyond, those whose last request is oldest are forgotten."""


class Rates:
    """A bucket of permits for each client, which fills up with time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, client: str, rate: Rate, now_s: float | None = None, *, count: int = 1) -> float:
        """Take permits and return 0, or return the time until there are as many."""
        now_s = time.monotonic() if now_s is None else now_s
        with self._lock:
            left, then_s = self._buckets.pop(client, (float(rate.burst), now_s))
            left = min(float(rate.burst), left + (now_s - then_s) * rate.per_s)
            wait_s = 0.0 if left >= count else (count - left) / rate.per_s
            self._buckets[client] = (left - count if left >= count else left), now_s
            while len(self._buckets) > _CLIENTS:
                self._buckets.popitem(last=False)
        return wait_s


def require_share(rates: Rates, crew: str, count: int) -> None:
    """Refuse events of a crew that has recorded more than crews can.

    Raises
    ------
    Denied
        With 429: the phone keeps them, and sends them later.
    """
    if wait_s := rates.wait_s(f"events of {crew}", EVENTS, count=count):
        message = f"crew {crew} has recorded {EVENTS.burst:,} events within a short time"
        remedy = "the phone sends them later; the foreman should look who uses the link"
        raise Denied(429, Problem("events", message, remedy), {"Retry-After": str(math.ceil(wait_s))})


PER_ADDRESS = 100
"""Connections of an address: phones have one or two each, and some may share an address."""

HEAD_S = 10.0
"""Time in which the head of a request must arrive, from the connection or its first byte."""

REST_S = 2.0
"""Time in which a client may send on after it was answered; then the connection is closed."""


class Protocol(H11Protocol):
    """HTTP that closes connections: those beyond the limit of an address, too slow ones, and those that go on after the answer.

    Attributes
    ----------
    per_address
        Maximum number of connections of an address; None behind a proxy, whose address all have.
    """

    per_address: int | None = PER_ADDRESS
    _open: Counter[str] = Counter()
    _address = ""
    _closing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._address = (transport.get_extra_info("peername") or ("",))[0]
        self._open[self._address] += 1
        if self.per_address is not None and self._open[self._address] > self.per_address:
            transport.abort()
            return
        self._close_after(HEAD_S)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE and self.conn.our_state is not h11.DONE:
            self._keep_open()
        elif self._closing is None:
            self._close_after(HEAD_S)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self._close_after(REST_S)

    def connection_lost(self, exc: Exception | None) -> None:
        self._keep_open()
        self._open[self._address] -= 1
        if not self._open[self._address]:
            del self._open[self._address]
        super().connection_lost(exc)

    def _close_after(self, seconds: float) -> None:
        self._keep_open()
        self._closing = self.loop.call_later(seconds, self.transport.close)

    def _keep_open(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None


class ProxiedProtocol(Protocol):
    """HTTP behind a proxy."""

    per_address = None
