"""Devices that others of another part replace: what is unplugged, where it is plugged again, and what to check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from planner.core.names import natural
from planner.studies.diff.result import Comparison
from planner.view.schedule import Connection, End


class Plug(NamedTuple):
    """A plug at a replaced device: its end in the old and in the new plan, None where it has none, and the row of the cable.

    `far` is the other end; `row` the row of the new plan, or that of the old plan where the cable is taken out.
    """

    old: End | None
    new: End | None
    far: End
    row: Connection
    is_new_cable: bool

    @property
    def what(self) -> str:
        """What becomes of the cable."""
        if self.new is None:
            return "take out"
        return "new cable" if self.is_new_cable else "same cable"

    @property
    def is_labeled(self) -> bool:
        """Whether the plug gets another label."""
        return self.new is not None and (self.old is None or self.old.label != self.new.label)


@dataclass(frozen=True)
class Replaced:
    """A device that another one replaces at its place.

    Attributes
    ----------
    name, place
        Its name, cabinet and lowest rack unit.
    old_part, new_part
        Catalog rows.
    serial, reason
        As the study states them in ``[[keep.replace]]``; empty if it does not.
    plugs
        Plugs by port, those of the old device first.
    """

    name: str
    place: str
    old_part: str
    new_part: str
    serial: str
    reason: str
    plugs: tuple[Plug, ...]

    def steps(self) -> list[str]:
        """Return the order of work."""
        stay = sum(each.old is not None and each.new is not None for each in self.plugs)
        gone = sum(each.new is None for each in self.plugs)
        labels = sum(each.is_labeled for each in self.plugs)
        come = len(self.plugs) - stay - gone
        return [
            f"Before work: take {self.name} out of service. Compare the labels of its {stay + gone} plugs with the list; mark "
            "each plug without a readable label with its old port.",
            f"Pull the {stay + gone} plugs out in the order of their old ports, and cap their ends. Then pull the power cords.",
            f"Take the {self.old_part} out of {self.place}, and put the {self.new_part} into the same rack unit. Connect power.",
            f"Plug {stay} cables into their new ports in the order of the list"
            + (f", and {come} new ones" if come else "")
            + (f"; {gone} cables are taken out" if gone else "")
            + f". Exchange the labels of {labels} cable{'s' * (labels > 1)}, at both ends." * bool(labels)
            + "." * (not labels),
        ]

    def checks(self) -> list[str]:
        """Return what to check after work."""
        count = sum(each.new is not None for each in self.plugs)
        return [
            f"All {count} links are up at their rate, each with the far end of the list: planner verify compares the ports that "
            "the fabric reports with this plan.",
            "No port that the list leaves free has a plug. Error counters of the new device stay at zero under load.",
            "The management address and firmware are those of the device before; its serial number is recorded.",
        ]


def replacements(found: Comparison) -> list[Replaced]:
    """Return the devices that have another part at the same place; none where a schedule does not state parts."""
    before, after = found.old.devices, found.new.devices
    names = [
        name
        for name in sorted(before.keys() & after.keys(), key=natural)
        if (one := before[name]).place == (two := after[name]).place and one.model and two.model and one.model != two.model
    ]
    stated = _stated(found)
    made = []
    for name in names:
        serial, reason = (str(stated.get(name, {}).get(key) or "") for key in ("serial", "reason"))
        parts = before[name].model, after[name].model
        made.append(Replaced(name, before[name].place, *parts, serial, reason, tuple(_plugs(found, name))))
    return made


def _stated(found: Comparison) -> Mapping[str, Mapping[str, Any]]:
    """Return the entry of ``[[keep.replace]]`` for each device."""
    given = found.new.titled.study.get("keep", {}).get("replace", ())
    return {name: each for each in given for name in ([each["device"]] if isinstance(each["device"], str) else each["device"])}


def _plugs(found: Comparison, name: str) -> Iterator[Plug]:
    """Yield the plugs at a device, by old port, then those that only the new plan has, by port."""
    made: list[Plug] = []
    for each in found.found.cables:
        crossed = found.found.is_crossed(each)
        ends = [(side, end) for side, end in enumerate(each.old.ends) if end.device == name] if each.old is not None else []
        for side, end in ends:
            come = None if each.new is None else each.new.ends[side ^ crossed]
            if each.new is not None and come is not None and come.device == name:
                made.append(Plug(end, come, each.new.ends[side ^ crossed ^ 1], each.new, False))
            elif each.old is not None:
                made.append(Plug(end, None, each.old.ends[side ^ 1], each.old, False))
        if each.new is not None:
            known = {plug.new for plug in made}
            fresh = [(side, end) for side, end in enumerate(each.new.ends) if end.device == name and end not in known]
            made += [Plug(None, end, each.new.ends[side ^ 1], each.new, each.old is None) for side, end in fresh]
    yield from sorted(_joined(made), key=lambda plug: (plug.old is None, (plug.old or plug.new or plug.far).port))


def _joined(plugs: list[Plug]) -> list[Plug]:
    """Return the plugs with those of a cable that is exchanged between the same two devices in one entry."""
    gone = [plug for plug in plugs if plug.new is None]
    found = []
    for plug in plugs:
        if plug.new is None:
            continue
        # A connection that gets another cable leaves one port and comes into one.
        same = next((old for old in gone if plug.old is None and old.far[:2] == plug.far[:2]), None)
        if same is not None:
            gone.remove(same)
            plug = plug._replace(old=same.old)
        found.append(plug)
    return found + gone
