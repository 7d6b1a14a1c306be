"""Photos of the crews: bounded, recognized by content, kept under the hash of their bytes."""

from __future__ import annotations

import hashlib

from planner.errors import InputError, Problem
from planner.site.journal import Journal

MAX_BYTES = 5_000_000

_STARTS = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png"}


def keep(journal: Journal, content: bytes, *, crew: str) -> str:
    """Keep a photo and return its hash, the value of an event `photo`; one that is there already is kept once.

    Raises
    ------
    InputError
        When it is too large, or is neither JPEG, PNG nor WebP.
    """
    if len(content) > MAX_BYTES:
        problem = Problem("photo", f"has {len(content):,} bytes", f"take one of up to {MAX_BYTES:,} bytes")
        raise InputError(problem)
    if not kind(content):
        raise InputError(Problem("photo", "is no picture", "take JPEG, PNG or WebP"))
    key = hashlib.sha256(content).hexdigest()
    if not journal.query("SELECT 1 FROM photo WHERE hash = ?", (key,)):
        journal.write(crew, f"photo {key[:12]}", "INSERT OR IGNORE INTO photo VALUES (?, ?)", [(key, content)])
    return key


def read(journal: Journal, key: str) -> tuple[bytes, str] | None:
    """Return content and media type of a photo; None if it is not here, or not yet."""
    found = journal.query("SELECT content FROM photo WHERE hash = ?", (key,))
    return (found[0][0], kind(found[0][0])) if found else None


def kind(content: bytes) -> str:
    """Return the media type by the first bytes; "" if it is none of those that are kept."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((name for start, name in _STARTS.items() if content.startswith(start)), "")
