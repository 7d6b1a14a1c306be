"""The status of every cable, derived from the last values of its fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planner.install.site.cables import Cable, Plug
from planner.install.site.fields import AS_PLANNED
from planner.install.site.journal import Register

STEPS = ("planned", "pulled", "one end", "both ends", "link up", "tested", "accepted")
"""Steps of a cable, each beyond those before it."""


@dataclass(frozen=True)
class Status:
    """What is known of a cable.

    Attributes
    ----------
    step
        One of `STEPS`, the furthest with evidence that is still valid.
    wrong
        What is not as planned, in words.
    blocked
        Why work cannot go on; empty if it can.
    ends
        Last event about each plug that is in, or None, in the order of the cable's plugs.
    values
        Last events of the other fields of the cable, and of ends as (field, end).
    notes
        Remarks, photos, and findings of verifications.
    """

    cable: Cable
    step: str = "planned"
    wrong: tuple[str, ...] = ()
    blocked: str = ""
    ends: tuple[Register | None, ...] = ()
    values: Mapping[tuple[str, str], Register] = field(default_factory=dict)
    notes: tuple[Register, ...] = ()

    @property
    def crew(self) -> int:
        """Crew that should install it: the one to which the foreman gave it, else that of the work order; 0 without."""
        return int(self.value("crew") or self.cable.crew)

    @property
    def is_pulled(self) -> bool:
        return ("pulled", "") in self.values or any(self.ends)

    @property
    def is_plugged(self) -> bool:
        """Whether all plugs are in."""
        return all(self.ends)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to install: all plugs are in or the link is up, and nothing is wrong or blocked."""
        return STEPS.index(self.step) >= STEPS.index("both ends") and not self.wrong and not self.blocked

    def value(self, name: str, end: str = "") -> str:
        """Return the value of a field; empty where it has none."""
        found = self.values.get((name, end))
        return found.value if found is not None else ""


def of_cable(cable: Cable, registers: Iterable[tuple[Register, str, int]]) -> Status:
    """Return the status of a cable.

    Parameters
    ----------
    registers
        Values of fields, each with the end of the cable, a, b or empty, and the number of the row that it was recorded for.
    """
    last: dict[tuple[str, str], Register] = {}
    plugged: dict[Plug, Register] = {}
    links: dict[int, Register] = {}
    notes: list[Register] = []
    for register, end, row in registers:
        if register.field == "plugged":
            _keep_last(plugged, _plug_of(cable, end, row), register)
        elif register.field == "link":
            _keep_last(links, row, register)
        elif register.item:
            notes.append(register)
        else:
            _keep_last(last, (register.field, end), register)
    ends = tuple(_filled(plugged.get(plug)) for plug in cable.plugs)
    # What was measured before a plug was last touched is void.
    touched = max((register.order for register in plugged.values()), default=(0, "", ""))
    values = {at: each for at, each in last.items() if each.value}
    valid = {name: each for (name, end), each in values.items() if not end and each.order > touched}
    links = {row: each for row, each in links.items() if each.order > touched and each.value}
    up = len(links) == len(cable.rows) and all(each.value == "up" for each in links.values())
    return Status(
        cable,
        _step(values, ends, up, valid),
        tuple(_wrong(cable, values, ends, links, valid)),
        next((each.value for (name, _), each in sorted(values.items()) if name == "blocked"), ""),
        ends,
        values,
        tuple(sorted(notes, key=lambda each: each.order)),
    )


def _keep_last(found: dict[Any, Register], at: Any, register: Register) -> None:
    if at not in found or register.order > found[at].order:
        found[at] = register


def _plug_of(cable: Cable, end: str, row: int) -> Plug:
    return next(plug for plug in cable.plugs if plug.end == end and row in plug.rows)


def _filled(register: Register | None) -> Register | None:
    return register if register is not None and register.value else None


def _step(values: Mapping[tuple[str, str], Register], ends: Sequence[Register | None], up: bool, valid: Mapping) -> str:
    if "accepted" in valid:
        return "accepted"
    if "tested" in valid and valid["tested"].value == "pass":
        return "tested"
    if up:
        return "link up"
    if all(ends):
        return "both ends"
    return "one end" if any(ends) else "pulled" if ("pulled", "") in values else "planned"


def _wrong(
    cable: Cable,
    values: Mapping[tuple[str, str], Register],
    ends: Sequence[Register | None],
    links: Mapping[int, Register],
    valid: Mapping[str, Register],
) -> list[str]:
    """Return what is not as planned; an accepted cable may stay in other ports."""
    found = []
    for plug, register in zip(cable.plugs, ends, strict=True):
        if register is not None and register.value != AS_PLANNED and "accepted" not in valid:
            planned = next(row for row in cable.rows if row.number in plug.rows).ends["ab".index(plug.end)]
            found.append(f"end {plug.end} is in {register.value}, planned {planned.device} {planned.printed}")
    labels = (end for (name, end), each in sorted(values.items()) if (name, each.value) == ("label_ok", "no"))
    found += [f"label of end {end} is wrong" for end in labels]
    if "accepted" not in valid:
        states = sorted({each.value for each in links.values()} - {"up", "unknown"})
        # A dark link is no fault before both plugs are in.
        found += [f"link is {state}" for state in states if state == "wrong" or all(ends)]
        found += ["test failed"] if "tested" in valid and valid["tested"].value == "fail" else []
    return found
