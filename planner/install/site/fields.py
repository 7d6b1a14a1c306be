"""What crews record: the fields of a cable, of its ends and of devices, and the bounds of their values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from planner.core.names import fault

CABLE, END, DEVICE = "cable", "end", "device"
"""What a field belongs to; events about a cable name end a, end b or neither, those about a device the end `device`."""

ROLES = ("viewer", "crew", "planner", "foreman")
"""Roles, each with the rights of those before it."""

FABRIC = "fabric"
"""Crew of the events that `planner verify` records; no phone has it."""

AS_PLANNED = "as planned"
"""Value of `plugged` for a plug in its own port."""

MAX_TEXT = 2000
"""Maximum number of characters of a remark."""


@dataclass(frozen=True)
class Field:
    """One thing to record.

    Attributes
    ----------
    of
        What it belongs to: cable, end, device.
    bound
        Function from a value to what is wrong with it, or "".
    grows
        Whether every event adds an entry; otherwise the last event gives the value, and an empty value clears it.
    role
        The lowest role that may record it.
    """

    of: tuple[str, ...]
    bound: Callable[[str], str]
    grows: bool = False
    role: str = "crew"


def _one_of(*words: str) -> Callable[[str], str]:
    return lambda value: "" if value in words else f"is not one of {', '.join(words)}"


def _text(limit: int, *, lines: bool = False) -> Callable[[str], str]:
    def bound(value: str) -> str:
        return f"has more than {limit:,} characters" if len(value) > limit else fault(value, lines=lines)

    return bound


def _port(value: str) -> str:
    if value == AS_PLANNED:
        return ""
    device, _, port = value.rpartition(" ")
    if not device or not (port.isascii() and port.isdigit() and 0 < int(port[:9]) < 10**6 and len(port) < 9):
        return f"is not {AS_PLANNED!r}, or a device and the number of a port"
    return _text(220)(value)


def _matching(pattern: str, what: str) -> Callable[[str], str]:
    found = re.compile(pattern, re.ASCII)
    return lambda value: "" if found.fullmatch(value) else f"is not {what}"


_YES = _one_of("yes")

FIELDS = {
    "pulled": Field((CABLE,), _YES),
    "plugged": Field((END,), _port),
    "label_ok": Field((END,), _one_of("yes", "no")),
    "serial": Field((CABLE, END, DEVICE), _text(64)),
    "length_mm": Field((CABLE,), _matching(r"[1-9]\d{0,6}", "a length of 1 to 9,999,999 mm")),
    "tested": Field((CABLE,), _one_of("pass", "fail")),
    "loss_db": Field((CABLE,), _matching(r"-?\d{1,2}(\.\d{1,3})?", "a loss in dB, such as 1.25")),
    "blocked": Field((CABLE, END, DEVICE), _text(500)),
    "installed": Field((DEVICE,), _YES),
    "asset_tag": Field((DEVICE,), _text(50)),
    "crew": Field((CABLE,), _matching(r"[1-9]\d{0,3}", "the number of a crew"), role="foreman"),
    "remark": Field((CABLE, END, DEVICE), _text(MAX_TEXT, lines=True), grows=True),
    "photo": Field((CABLE, END, DEVICE), _matching(r"[0-9a-f]{64}", "the SHA-256 of a picture"), grows=True),
    "accepted": Field((CABLE,), _YES, role="foreman"),
    "link": Field((CABLE,), _one_of("up", "wrong", "dark", "unknown"), role=FABRIC),
    "finding": Field((CABLE,), _text(40), grows=True, role=FABRIC),
}
"""Every field by its name."""


def wrong(field: str, end: str, value: str) -> str:
    """Return what is wrong with a field, the end that it is about, and its value; "" if nothing is.

    >>> wrong("plugged", "a", "R001 12"), wrong("plugged", "", "as planned")
    ('', 'plugged is not recorded for a cable')
    >>> wrong("length_mm", "", "0")
    "length_mm '0' is not a length of 1 to 9,999,999 mm"
    """
    known = FIELDS.get(field)
    if known is None:
        return f"{field[:40]!r} is not a field"
    of = {"": CABLE, "a": END, "b": END, "device": DEVICE}.get(end)
    if of is None:
        return f"{end[:40]!r} is not an end: a, b, device or empty"
    if of not in known.of:
        return f"{field} is not recorded for {'an' if of == END else 'a'} {of}"
    if not value:
        return f"{field} is empty" if known.grows else ""
    reason = known.bound(value)
    return f"{field} {value[:60]!r} {reason}" if reason else ""


def is_sound(field: str, end: str, value: str) -> bool:
    """Return whether a value can have been recorded; free text is not read through."""
    known = FIELDS.get(field)
    if known is None or end not in ("", "a", "b", "device"):
        return False
    return field in _FREE or not wrong(field, end, value)


_FREE = ("serial", "blocked", "asset_tag", "remark", "finding")


def may(role: str, field: str) -> bool:
    """Return whether a role may record a field."""
    needed = FIELDS[field].role
    if FABRIC in (role, needed):
        return role == needed
    return ROLES.index(role) >= ROLES.index(needed)
