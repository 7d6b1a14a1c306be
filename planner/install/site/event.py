"""Events of the journal, and their reading from phones and files: data from strangers, bounded and typed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeGuard
from uuid import UUID

from planner.core.names import fault
from planner.install.site import fields

MAX_CLOCK = 2**53 - 1
"""Largest clock that JavaScript represents."""

_PHONE = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_PLAN = re.compile(r"[0-9a-f]{16}")
_LIMITS = {"target": 500, "end": 10, "field": 40, "value": fields.MAX_TEXT, "written": 40}


class Event(NamedTuple):
    """One thing that somebody recorded.

    Attributes
    ----------
    id
        UUID, made where the event was made: an event sent twice is recorded once.
    plan
        Revision of the plan that the writer worked with.
    crew, phone
        Who wrote it, from the access link, and on which device.
    clock
        Hybrid logical clock of the writer in µs: after everything that the writer knew.
    seen
        Clock of the server at the writer's last contact; 0 without.
    written
        Time of day on the phone, for people; nothing is computed from it.
    target, end, field, value
        Cable or device, its end, what is recorded, and its value.
    undoes
        Event that this one takes back by giving the value before it; empty otherwise.
    received
        Clock of the server when it took the event; 0 before.
    """

    id: str
    plan: str
    crew: str
    phone: str
    clock: int
    seen: int
    written: str
    target: str
    end: str
    field: str
    value: str
    undoes: str = ""
    received: int = 0

    @property
    def item(self) -> str:
        """Key of the entry of a field that only grows: its own id; empty for other fields."""
        return self.id if fields.FIELDS[self.field].grows else ""

    @property
    def is_sound(self) -> bool:
        """Whether it can have been recorded: bytes of a file may be others without that SQLite sees it."""
        return [*map(type, self)] == _KINDS and fields.is_sound(self.field, self.end, self.value)

    @property
    def order(self) -> tuple[int, str, str]:
        """The last event by this key gives the value of a field."""
        return self.clock, self.phone, self.id


_KINDS = [int if name in ("clock", "seen", "received") else str for name in Event._fields]


class Refused(NamedTuple):
    """An event that is not recorded, and the reason. `retry` states that a corrected clock mends it."""

    id: str
    reason: str
    retry: bool = False


def of_stranger(content: Any, crew: str, role: str) -> Event | Refused:
    """Return the event of decoded JSON, or why it is refused.

    Parameters
    ----------
    content
        Mapping with the keys ``id``, ``plan``, ``phone``, ``clock``, ``target``, ``field``, and as needed ``seen``, ``written``,
        ``end``, ``value``, ``undoes``. Other keys are ignored: crew and time of receipt are never those that a phone states.
    crew, role
        Who sends it.
    """
    if not isinstance(content, Mapping):
        return Refused("", "is not an event: an object is expected")
    key = content.get("id")
    if not _is_uuid(key):
        return Refused(str(key)[:40], "id is not a UUID in lower case")
    texts = {name: content.get(name, "") for name in _LIMITS}
    numbers = {name: content.get(name, 0) for name in ("clock", "seen")}
    plan, phone, undoes = (content.get(name, "") for name in ("plan", "phone", "undoes"))
    for name, value in texts.items():
        if not isinstance(value, str):
            return Refused(key, f"{name} is not text")
        if len(value) > _LIMITS[name]:
            return Refused(key, f"{name} has more than {_LIMITS[name]:,} characters")
    for name, number in numbers.items():
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MAX_CLOCK:
            return Refused(key, f"{name} is not a whole number of microseconds", retry=name == "clock")
    if not isinstance(plan, str) or not _PLAN.fullmatch(plan):
        return Refused(key, "plan is not the revision of a plan")
    if not isinstance(phone, str) or not _PHONE.fullmatch(phone):
        return Refused(key, "phone is not 1 to 64 letters, digits, or -_.:")
    if undoes != "" and not _is_uuid(undoes):
        return Refused(key, "undoes is not a UUID in lower case")
    if not texts["target"] or (bad := fault(texts["target"]) or fault(texts["written"])):
        return Refused(key, f"target {bad if texts['target'] else 'is empty'}")
    if reason := fields.wrong(texts["field"], texts["end"], texts["value"]):
        return Refused(key, reason)
    if not fields.may(role, texts["field"]):
        return Refused(key, f"the role {role} may not record {texts['field']}")
    return Event(
        key, plan, crew, phone, numbers["clock"], numbers["seen"], texts["written"], texts["target"], texts["end"],
        texts["field"], texts["value"], undoes,
    )  # fmt: skip


def _is_uuid(text: Any) -> TypeGuard[str]:
    try:
        return isinstance(text, str) and len(text) == 36 and str(UUID(text)) == text
    except ValueError:
        return False
