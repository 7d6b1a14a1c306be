"""Doors: what is answered at an address, to whom, and how much is read for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from planner.core.errors import InputError, PlannerError, Problem
from planner.core.names import shown
from planner.core.reading import is_deeper
from planner.install.site.access import Member

if TYPE_CHECKING:
    from planner.install.serve.served import Served

JSON_BYTES = 1_000_000
"""Maximum size of a body of JSON, unless a door allows more."""

_DEPTH = 40
"""Maximum depth of brackets in JSON from strangers."""


class Denied(PlannerError):
    """A request is not answered: the status, and the problem that is returned instead."""

    def __init__(self, status: int, problem: Problem, headers: Mapping[str, str] | None = None):
        self.status, self.problem, self.headers = status, problem, dict(headers or {})
        super().__init__(str(problem))


@dataclass(frozen=True)
class Answer:
    """Content with its media type; `etag` lets browsers keep it, `headers` are further ones."""

    content: bytes
    media: str = "application/json"
    status: int = 200
    etag: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    gzipped: bytes | None = None


@dataclass(frozen=True)
class Upload:
    """A file of a form: its name as the browser states it, and its content."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Call:
    """A request after all checks: from whom, for what, and with which content.

    Attributes
    ----------
    member
        Who sends it; None where a door is open to everybody and nobody is known.
    parts
        Parts of the address, such as the token of ``/k/{token}``.
    query
        Values after the question mark; of several with one name the last.
    csrf
        Value of the header X-Planner for this session.
    site
        From where a browser came, as it states in Sec-Fetch-Site; empty where it does not.
    """

    member: Member | None
    parts: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    media: str = ""
    uploads: Sequence[Upload] = ()
    csrf: str = ""
    site: str = ""

    @property
    def crew(self) -> str:
        return self.member.crew if self.member else ""

    @property
    def role(self) -> str:
        return self.member.role if self.member else ""

    def json(self) -> Any:
        """Return the body as decoded from JSON.

        Raises
        ------
        InputError
            When it is not JSON, or is nested too deeply.
        """
        try:
            text = self.body.decode("utf-8")
            found = json.loads(text, parse_constant=_no_constant)
            # An escape may be half a character, which no file can hold.
            json.dumps(found, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            raise InputError(Problem("body", "is not JSON in UTF-8", "send JSON")) from None
        if is_deeper(found, _DEPTH):
            raise InputError(Problem("body", f"is nested more than {_DEPTH} levels deep", "send it flat"))
        return found

    def whole(self, name: str, default: int = 0, *, high: int = 2**53) -> int:
        """Return a whole number of the query.

        Raises
        ------
        InputError
            When it is none, or out of bounds.
        """
        text = self.query.get(name, str(default))
        if not (text.isascii() and text.isdigit() and len(text) < 17 and int(text) <= high):
            raise InputError(Problem(name, f"{text[:40]!r} is not a whole number up to {high:,}", "correct the address"))
        return int(text)


def _no_constant(name: str) -> Any:
    raise ValueError(name)


@dataclass(frozen=True)
class Door:
    """What is answered at an address.

    Attributes
    ----------
    answer
        Function of what is served and of the request; it returns an `Answer`, or what becomes JSON.
    role
        The lowest role that may use it; None: everybody.
    body_bytes
        Maximum size of the body.
    body_s
        Maximum time in which the body must arrive.
    form
        Whether the body is a form with files.
    threads
        Threads that answer: ``quick`` ones, ``heavy`` ones for what takes seconds, of which there are few, or those that
        ``record`` what crews did, which wait for no other.
    """

    method: str
    path: str
    answer: Callable[[Served, Call], Any]
    role: str | None = "viewer"
    body_bytes: int = JSON_BYTES
    body_s: float = 20.0
    form: bool = False
    threads: Literal["quick", "record", "heavy"] = "quick"

    @property
    def writes(self) -> bool:
        return self.method not in ("GET", "HEAD")

    @property
    def is_page(self) -> bool:
        """Whether a browser opens the address, and people read what it answers."""
        return not self.path.startswith("/api/") and not self.path.startswith("/static/")


def problems_of(error: InputError | Denied) -> dict[str, Any]:
    """Return the problems of an error as they are sent: place, message and remedy of each."""
    found = error.problems if isinstance(error, InputError) else (error.problem,)
    # Messages may cite what was sent.
    texts = [{"place": each.place, "message": each.message, "remedy": each.remedy} for each in found[:40]]
    return {"problems": [{key: shown(text) for key, text in each.items()} for each in texts]}
