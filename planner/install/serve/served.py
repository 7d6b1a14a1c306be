"""What a server has at hand: the plan, the journal, and the board."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from anyio import CapacityLimiter

from planner.core.errors import InputError
from planner.fabric import baseline as plans
from planner.fabric.baseline import Planned
from planner.install.serve.limits import Rates
from planner.install.site.board import Board
from planner.install.site.cables import Site
from planner.install.site.journal import Journal
from planner.install.site.photos import Limits

_LARGE = 16
"""Large bodies that are read at the same time; others wait."""

THREADS = {"quick": 24, "record": 16, "heavy": 3}
"""Requests of each kind that are answered at the same time; others wait."""

T = TypeVar("T")


@dataclass(frozen=True)
class Options:
    """How a plan is served.

    Attributes
    ----------
    url
        Address at which phones reach the server, such as ``https://site.local:8443``; links and QR codes begin with it.
    local
        Whether a user of this machine needs no link; only where the server listens on the loopback interface.
    read_only
        Whether nothing can be recorded or changed.
    tls
        Whether connections are encrypted.
    authority
        Certificate of the authority, for phones; empty without.
    photos
        Limits of the photos that the journal takes.
    proxied
        Whether a proxy speaks for all others, at the address `url`.
    own_code
        Whether plug-ins that the plan or its study names are imported.
    """

    url: str = "http://127.0.0.1:8080"
    local: bool = True
    read_only: bool = False
    tls: bool = False
    authority: bytes = b""
    photos: Limits = field(default_factory=Limits)
    own_code: bool = False
    proxied: bool = False

    @property
    def is_encrypted(self) -> bool:
        """Whether browsers reach the server over HTTPS."""
        return self.tls or (self.proxied and self.url.startswith("https://"))


class Revised(NamedTuple):
    """What became of the journal under another revision of the plan: cables with values, values left over, labels to print."""

    revision: str
    carried: int
    unmatched: int
    relabeled: int


class Served:
    """A plan, its journal, and what doors keep between requests.

    Requests are answered by several threads. The board is used under its lock; the journal has its own. The plan may be
    exchanged between two requests: who needs it twice in one takes it once.

    Attributes
    ----------
    problem
        Why the plan that is in the folder now is not served, but the one before; empty if it is served.
    """

    def __init__(self, planned: Planned, journal: Journal, options: Options):
        self.planned, self.journal, self.options = planned, journal, options
        self.site = Site.of(planned)
        self.secret = secrets.token_bytes(32)
        self.rates = Rates()
        self.large = asyncio.Semaphore(_LARGE)
        self._board = Board(journal, self.site)
        self._lock = threading.RLock()
        self._kept: dict[type, Any] = {}
        self._limits: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, CapacityLimiter]] = WeakKeyDictionary()
        self._mark = plans.mark(planned.path)
        self.problem = ""

    def follow(self) -> Revised | None:
        """Read the plan again if it was written since, and serve it; return what became of the journal, None without a change.

        A plan that cannot be read, such as one that is being computed, changes nothing; `problem` has the reason.
        """
        mark = plans.mark(self.planned.path)
        if mark == self._mark:
            return None
        self._mark = mark
        try:
            return self.adopt(plans.read(self.planned.path))
        except InputError as error:
            self.problem = str(error.problems[0])
            return None
        except OSError:
            # The journal could not note the revision: it is tried again.
            self._mark = None
            raise

    def adopt(self, planned: Planned) -> Revised:
        """Serve another revision of the plan; see `planner.install.site.carry` for what becomes of the events.

        Phones learn of it at their next request, and load the cables again.
        """
        site = Site.of(planned)
        board = Board(self.journal, site)
        with self._lock:
            self.planned, self.site, self._board, self.problem = planned, site, board, ""
            self._kept = {kind: own for kind, own in self._kept.items() if not getattr(kind, "follows_plan", False)}
        worked = sum(bool(board.values_of(number)) for number in board.statuses)
        return Revised(site.revision, worked, len(board.unmatched), len(board.relabeled))

    def threads(self, kind: str) -> CapacityLimiter:
        """Return the limit of the threads of a kind that answer at the same time, in the event loop that runs."""
        return self._limits.setdefault(asyncio.get_running_loop(), {}).setdefault(kind, CapacityLimiter(THREADS[kind]))

    def close(self) -> None:
        """End what doors keep, such as long work of planning, and remove its files."""
        with self._lock:
            for each in self._kept.values():
                if (close := getattr(each, "close", None)) is not None:
                    close()
            self._kept = {}

    @contextmanager
    def board(self) -> Iterator[Board]:
        """Yield the board, up to date; no other thread uses it meanwhile."""
        with self._lock:
            self._board.refresh()
            yield self._board

    def own_board(self) -> tuple[Planned, Board]:
        """Return the plan and a board that nobody else uses: what takes seconds must not hold up the phones."""
        with self._lock:
            planned, site = self.planned, self.site
        return planned, Board(self.journal, site)

    def kept(self, kind: type[T]) -> T:
        """Return what a door keeps between requests: one object of a type, made from this when it is first needed.

        A type with ``follows_plan`` set is made again after the plan has changed.
        """
        with self._lock:
            if kind not in self._kept:
                self._kept[kind] = kind(self)  # type: ignore[call-arg]  # such types take this
            return self._kept[kind]
