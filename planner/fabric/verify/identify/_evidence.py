"""Names and scans at the rack as evidence of identities: evidence with a weight, never the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from planner.fabric.verify.found import Fabric
from planner.fabric.verify.given import key_of
from planner.fabric.verify.identify._tables import Planned, Seen

NAME = 1.5
"""Weight of a name in links: two links outweigh it, one does not."""

ANCHOR = 3.5
"""Weight of a scan at the rack in links."""

LOOSE = 0.1
"""Weight of a link between the right devices in other ports."""


@dataclass(frozen=True)
class Evidence:
    """Evidence by found device: names and anchors, as planned devices.

    Attributes
    ----------
    called
        Name of each found device that has one: as found, or as given.
    name, anchor
        Planned device of a name, and of an anchor.
    doubled
        Names that several found devices have.
    notes
        Anchors that fit nothing.
    """

    called: dict[int, str]
    name: dict[int, int]
    anchor: dict[int, int]
    doubled: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def weights(self) -> list[tuple[int, int, float]]:
        """Return the evidence as rows: found device, planned device, weight."""
        names = [(found, planned, NAME) for found, planned in self.name.items()]
        return names + [(found, planned, ANCHOR) for found, planned in self.anchor.items()]


def collected(fabric: Fabric, found: Seen, plan: Planned, names: Mapping[str, str], anchors: Mapping[str, str]) -> Evidence:
    """Return the evidence of names and anchors; see `planner.fabric.verify.identify.identify`."""
    given = {key_of(key): name for key, name in names.items()}
    scanned = {key_of(key): name for key, name in anchors.items()}
    called: dict[int, str] = {}
    anchored: dict[int, int] = {}
    used: set[str] = set()
    notes: list[str] = []
    for number, key in enumerate(found.keys):
        aliases = _aliases(fabric, key)
        name = next((given[alias] for alias in aliases if alias in given), "") if given else ""
        device = fabric.devices.get(key)
        if name or (device is not None and device.name):
            called[number] = name or fabric.devices[key].name
        if not scanned:
            continue
        hits = [alias for alias in aliases if alias in scanned]
        used.update(hits)
        if hits:
            wanted = _planned(scanned[hits[0]], plan)
            if wanted is None:
                notes.append(f"the anchor {scanned[hits[0]]} of {key} is no device of the plan")
            else:
                anchored[number] = wanted
    if missing := sorted(set(scanned) - used):
        shown = ", ".join(missing[:5]) + (", ..." if len(missing) > len(missing[:5]) else "")
        notes.append(f"no device was found for {len(missing):,} of the anchors: {shown}")
    named = {number: wanted for number, name in called.items() if (wanted := _planned(name, plan)) is not None}
    named = {number: wanted for number, wanted in named.items() if (number < found.switches) == (wanted < plan.switches)}
    times = Counter(named.values())
    # The adapters of one host may answer as devices of their own, each with the name of the host.
    allowed = {wanted: max(1, len(plan.host_ends.get(wanted, ()))) for wanted in times}
    doubled = {plan.names[wanted]: count for wanted, count in times.items() if count > allowed[wanted]}
    named = {number: wanted for number, wanted in named.items() if plan.names[wanted] not in doubled}
    for name, count in sorted(doubled.items()):
        notes.append(f"{count:,} devices answer as {name}: their names are not used")
    return Evidence(called, named, anchored, doubled, notes)


def _aliases(fabric: Fabric, key: str) -> list[str]:
    device = fabric.devices.get(key)
    if device is None:
        return [key_of(key)]
    every = (key, *device.addresses, device.serial, device.name, fabric.described.get(key, ""))
    return [key_of(text) for text in every if text]


def _planned(name: str, plan: Planned) -> int | None:
    """Return the planned device of a name, with or without its domain."""
    low = name.strip().casefold()
    found = plan.number.get(low)
    return plan.number.get(low.split(".")[0]) if found is None else found
