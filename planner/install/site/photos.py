"""Photos of the crews: bounded, recognized by content, kept under the hash of their bytes."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass

from planner.core.errors import InputError, PlannerError, Problem
from planner.install.site.journal import Journal

MAX_BYTES = 5_000_000
"""Maximum size of a photo."""

SPARE_BYTES = 200_000_000
"""Space on the disk that photos leave to events, which matter more."""

_STARTS = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png"}


@dataclass(frozen=True)
class Limits:
    """How many photos a journal takes, and of what size together; a crew has its share, so that one cannot fill it."""

    count: int = 10_000
    total_bytes: int = 2_000_000_000
    crew_share: float = 0.5


class Full(PlannerError):
    """There is no room for a photo: what is full, and the remedy."""

    def __init__(self, problem: Problem):
        self.problem = problem
        super().__init__(str(problem))


def keep(journal: Journal, content: bytes, *, crew: str, limits: Limits | None = None) -> str:
    """Keep a photo and return its hash, the value of an event `photo`; one that is there already is kept once.

    Raises
    ------
    InputError
        When it is too large, or is neither JPEG, PNG nor WebP.
    Full
        When the photos of the crew or of the journal have reached a limit, or the disk has little space left.
    """
    if len(content) > MAX_BYTES:
        problem = Problem("photo", f"has {len(content):,} bytes", f"take one of up to {MAX_BYTES:,} bytes")
        raise InputError(problem)
    if not kind(content):
        raise InputError(Problem("photo", "is no picture", "take JPEG, PNG or WebP"))
    key = hashlib.sha256(content).hexdigest()
    if not journal.query("SELECT 1 FROM photo WHERE hash = ?", (key,)):
        _check_room(journal, len(content), crew, limits or Limits())
        statement = "INSERT OR IGNORE INTO photo(hash, content, crew) VALUES (?, ?, ?)"
        journal.write(crew, f"photo {key[:12]}", statement, [(key, content, crew)])
    return key


def _check_room(journal: Journal, size: int, crew: str, limits: Limits) -> None:
    statement = "SELECT count(*), coalesce(sum(length(content)), 0) FROM photo"
    for whose, found, share in (
        ("the journal has", journal.query(statement)[0], 1.0),
        (f"crew {crew} has", journal.query(f"{statement} WHERE crew = ?", (crew,))[0], limits.crew_share),
    ):
        count, total = found
        if count >= share * limits.count or total + size > share * limits.total_bytes:
            message = (
                f"{whose} {count:,} photos of {total / 1e6:,.0f} MB, the limit is {share * limits.total_bytes / 1e6:,.0f} MB"
            )
            message += f" or {share * limits.count:,.0f} photos"
            raise Full(Problem("photo", message, "the foreman can start planner serve with a higher --photos"))
    free = shutil.disk_usage(journal.path.parent).free
    if free < SPARE_BYTES + size:
        message = f"the disk of the journal has {free / 1e6:,.0f} MB left, which are kept for events"
        raise Full(Problem("photo", message, "the foreman should make room on it"))


def read(journal: Journal, key: str) -> tuple[bytes, str] | None:
    """Return content and media type of a photo; None if it is not here, or not yet."""
    found = journal.query("SELECT content FROM photo WHERE hash = ?", (key,))
    return (found[0][0], kind(found[0][0])) if found else None


def kind(content: bytes) -> str:
    """Return the media type by the first bytes; "" if it is none of those that are kept."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((name for start, name in _STARTS.items() if content.startswith(start)), "")
