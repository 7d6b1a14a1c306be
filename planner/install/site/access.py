"""Access by links: a token for each crew, kept as its hash, with a role and an end, and revocable."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from typing import NamedTuple

from planner.core.errors import InputError, Problem, suggestion
from planner.core.names import fault
from planner.install.site.fields import FABRIC, ROLES
from planner.install.site.journal import Journal

_BITS = 128
_TOKEN = re.compile(r"[A-Z2-7]{26}")
_HOUR_US = 3600 * 10**6
MAX_HOURS = 24 * 366
_INSERT = "INSERT INTO access VALUES (?, ?, ?, ?, ?, ?, 0)"


class Member(NamedTuple):
    """The owner of a token. `key` names the link in lists and revocations; it opens nothing."""

    key: str
    crew: str
    role: str
    expires: int
    revoked: bool = False


def issue(journal: Journal, crew: str, role: str = "crew", *, hours: float = 24.0, by: str = "terminal") -> str:
    """Return the token of a new link for a crew; it is shown once, and only its hash is kept.

    Raises
    ------
    InputError
        When the name, the role or the time is out of bounds.
    """
    problems = []
    if not crew.strip() or len(crew) > 40 or fault(crew) or crew == FABRIC:
        reason = fault(crew) or "is empty, longer than 40 characters, or reserved"
        problems.append(Problem("crew", f"the name {crew[:40]!r} {reason}", "give another name"))
    if role not in ROLES:
        problems.append(Problem("role", f"{role[:40]!r} is not a role", suggestion(role, ROLES)))
    if not 0 < hours <= MAX_HOURS:
        # A whole number may be too large to be written as a decimal one.
        problems.append(Problem("hours", f"{hours!r:.20} is out of bounds", f"give up to {MAX_HOURS:,} hours"))
    if problems:
        raise InputError(problems)
    token, now = _token(), journal.clock
    row = (_hash(token), "", crew, role, now, now + int(hours * _HOUR_US))
    journal.write(by, f"link {_hash(token)[:12]} for {crew}, {role}, {hours:g} h", _INSERT, [row])
    return token


def session(journal: Journal, token: str, *, hours: float = 16.0) -> str | None:
    """Return the token of a session opened with a link, or None where the link opens nothing.

    The session ends with its link, at the latest.
    """
    member = who(journal, token)
    if member is None or _is_session(journal, token):
        return None
    own, now = _token(), journal.clock
    row = (_hash(own), _hash(token), member.crew, member.role, now, min(now + int(hours * _HOUR_US), member.expires))
    journal.write(member.crew, f"session {_hash(own)[:12]} by link {member.key}", _INSERT, [row])
    return own


def who(journal: Journal, token: object) -> Member | None:
    """Return whose token it is; None where it is unknown, expired or revoked, or the link of its session is."""
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        return None
    now = journal.clock
    found = journal.query(
        "SELECT a.hash, a.crew, a.role, a.expires FROM access a LEFT JOIN access p ON p.hash = a.parent "
        "WHERE a.hash = ? AND a.expires > ? AND NOT a.revoked AND NOT coalesce(p.revoked, 0)",
        (_hash(token), now),
    )
    if found:
        journal.require(found[0][2] in ROLES and isinstance(found[0][1], str), "link")
    return Member(found[0][0][:12], *found[0][1:]) if found else None


def revoke(journal: Journal, key: str, *, by: str = "terminal") -> int:
    """Revoke the links or sessions whose key it is, or all of a crew of this name; return their number."""
    found = journal.query("SELECT hash FROM access WHERE NOT revoked AND (substr(hash, 1, 12) = ? OR crew = ?)", (key, key))
    if found:
        journal.write(by, f"revoked {key[:40]}", "UPDATE access SET revoked = 1 WHERE hash = ?", found)
    return len(found)


def links(journal: Journal) -> list[Member]:
    """Return all links, those that ended too, by the time they were made."""
    rows = journal.query("SELECT hash, crew, role, expires, revoked FROM access WHERE parent = '' ORDER BY made, hash")
    return [Member(key[:12], crew, role, expires, bool(revoked)) for key, crew, role, expires, revoked in rows]


def _is_session(journal: Journal, token: str) -> bool:
    return bool(journal.query("SELECT 1 FROM access WHERE hash = ? AND parent <> ''", (_hash(token),)))


def _token() -> str:
    return base64.b32encode(secrets.token_bytes(_BITS // 8)).decode().rstrip("=")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
