"""What verification found: identities, findings and moves, in the names and ports of the plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from planner.fabric.verify.found import Errors
from planner.view.schedule import Connection


class Plugged(NamedTuple):
    """A port of the plan: name of the device and port from 1."""

    device: str
    port: int


Joined = tuple[Plugged, Plugged]
"""Two ports with a link, sorted."""


@dataclass(frozen=True)
class Identified:
    """Which planned device a found one is.

    `certainty` is between 0 and 1; `evidence` states by what it was identified: name, anchor, links, place. `agreeing` and
    `links` are its found links that the plan has, and all of them.
    """

    key: str
    device: str
    certainty: float
    evidence: str
    agreeing: int = 0
    links: int = 0


@dataclass(frozen=True)
class Identity:
    """Which planned device each found device is.

    Attributes
    ----------
    of
        By key of the found device; devices that the plan does not know are missing.
    renamed
        Found devices whose name is that of another planned device, or of none although it is no default: (key, name as found,
        planned device where it is).
    ambiguous
        Groups of planned devices among which the links alone cannot choose; empty where an anchor or names settled it.
    symmetries
        Mappings of the plan to itself that keep links and port numbers, where they were counted: 1 means that no anchor is
        needed; 0 not counted.
    unknown
        Keys of found devices that the plan lacks.
    swapped_hosts
        Pairs of planned nodes whose names are exchanged at the same kind of place: offer to exchange the names.
    notes
        What the user should know: anchors that contradict links, what to scan at a rack.
    doubts
        Why nothing should be concluded from the result.
    """

    of: dict[str, Identified]
    renamed: list[tuple[str, str, str]] = field(default_factory=list)
    ambiguous: list[tuple[str, ...]] = field(default_factory=list)
    symmetries: int = 0
    unknown: list[str] = field(default_factory=list)
    swapped_hosts: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Located:
    """The fabric in ports of the plan: links that are up, dark ports with their state, ports about which nothing is known.

    `unscanned` are unknown nodes where the files list no node at all, `unheard` ports of links between two nodes where no node
    reports its ports, `uncompared` ports of directors whose links lead to the right device, but to a port that no file states.
    `assumed` is the number of links of which no file states the port at a router: it is taken as the planned one. `lit` are
    ports that are up, though no file names their far end. `foreign` are links with an end that the plan does not know: its
    planned port, if it has one, and the other end in words.
    """

    links: dict[Joined, str]
    dark: dict[Plugged, str] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    foreign: list[tuple[Plugged | None, str]] = field(default_factory=list)
    slow: dict[Joined, str] = field(default_factory=dict)
    lit: frozenset[Plugged] = frozenset()
    unscanned: frozenset[str] = frozenset()
    unheard: frozenset[Plugged] = frozenset()
    uncompared: frozenset[Plugged] = frozenset()
    assumed: int = 0


@dataclass(frozen=True)
class Finding:
    """One thing that is not as planned.

    `kind` is a word of `KINDS`; `ports` the ports of the plan it is about; `cables` rows of the schedule; `text` one sentence for
    people; `moves` the orders of the moves that mend it.
    """

    kind: str
    text: str
    ports: tuple[Plugged, ...] = ()
    cables: tuple[int, ...] = ()
    moves: tuple[int, ...] = ()


KINDS = {
    "swapped pair": "two cables in each other's ports",
    "cycle": "three or more cables permuted",
    "wrong port, free": "a plug in a port that should be empty",
    "shifted block": "neighboring plugs one or more ports too far",
    "wrong far port": "a wrong link that belongs to an open chain",
    "missing": "a planned link without any plug, or without any sign of one",
    "half plugged": "one plug of the cable is in its port, the other is not",
    "no light": "both plugs are in, and there is no light",
    "extra": "a cable between ports that should be empty",
    "exchanged devices": "two or more devices in each other's places",
    "renamed device": "a device with a name that is not its place",
    "unknown device": "a device that the plan lacks",
    "doubtful": "too little fits the plan to conclude anything: do not work by this result",
    "same name": "several devices with one name",
    "not compared": "links to ports of a director that the files do not number as the plan does",
    "device silent": "a device that does not answer; its links are unknown",
    "swapped rails": "two ports of one node exchanged",
    "exchanged hosts": "two nodes of one router exchanged: exchange cables, or names",
    "bundle-internal": "ports exchanged between parallel links: no move",
    "lane order": "links of one plug permuted inside: port split or polarity, no move",
    "slow": "a link below its planned width or speed",
    "degraded": "a plane of a multi-plane link is down",
    "wrong part": "a plug of another part than planned",
    "wrong length": "a cable of another length than planned",
    "high BER": "a bit error ratio above the threshold",
    "low light": "received power too low, or lanes that differ",
    "admin down": "a port that someone switched off",
    "stale": "a neighbor's entry that contradicts the port itself",
    "contradiction": "two files that cannot both be true",
}
"""Kinds of findings."""


@dataclass(frozen=True)
class Move:
    """One plug that moves from a port to another.

    Attributes
    ----------
    order
        Place in the order of work, from 1.
    device, from_port, to_device, to_port
        Where the plug should be found and where it belongs; both devices are the same but for plugs in a wrong device.
    cable, end
        Row of the schedule that this cable is believed to be, and its end a or b.
    label
        Text of the label that the crew should find at the plug.
    else_
        What to do if another label is found.
    component
        Number of the chain or cycle, from 1: a scan that contradicts one move turns all of its component.
    hold
        Whether the plug is pulled first and held until the last move of its cycle.
    certainty
        ``certain`` where only this plug can be wrong; otherwise the evidence in words (serial, length, cabinet), or ``a guess``.
    lanes
        For a plug with several links, from and to port of the others.
    """

    order: int
    device: str
    from_port: int
    to_device: str
    to_port: int
    cable: int
    end: str
    label: str
    else_: str = ""
    component: int = 0
    hold: bool = False
    certainty: str = ""
    crew: int = 0
    lanes: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Removal:
    """A cable that is one too many: its two ports, and its row in the schedule if it is believed to be a planned cable.

    `lanes` are its other links, if it has several. A cable to a device that the plan lacks has port 0 there.
    """

    ports: Joined
    cable: int = 0
    component: int = 0
    lanes: tuple[Joined, ...] = ()


@dataclass(frozen=True)
class Addition:
    """A planned link to put in or to revive: its row in the schedule, and what is known about its plugs.

    `lanes` are the other links of the same cable, if all of them are missing.
    """

    cable: int
    ports: Joined
    what: str = "missing"
    component: int = 0
    lanes: tuple[Joined, ...] = ()


@dataclass(frozen=True)
class PartReading:
    """What the plugs of one planned cable state, compared with the plan.

    `verdict` is ok, unknown part, wrong part, wrong length, or length? where only the rounding may differ. `remark` is what else
    differs, such as the wire gauge.
    """

    cable: int
    planned: str
    planned_mm: int
    read: tuple[str, str]
    serials: tuple[str, str]
    length_m: tuple[float | None, float | None]
    verdict: str
    remark: str = ""


@dataclass(frozen=True)
class Evidence:
    """What plugs, the as-built record and people report about single cables, in ports of the plan.

    Attributes
    ----------
    joined
        Ports whose plugs bear the same serial number: they are the two ends of one cable, whether its link is up or not.
    plugs
        Ports with a plug.
    cable
        Row and end (0 or 1) of the schedule to which the plug in a port belongs, where a scan or an earlier verification
        states it.
    reach_mm
        Length of the cable in a port as its memory states it, in mm.
    """

    joined: dict[Plugged, Plugged] = field(default_factory=dict)
    plugs: frozenset[Plugged] = frozenset()
    cable: dict[Plugged, tuple[int, int]] = field(default_factory=dict)
    reach_mm: dict[Plugged, int] = field(default_factory=dict)


class Source(NamedTuple):
    """A discovery file: path, name of its reader, and when it was made, as ISO 8601; empty if it does not state that."""

    file: str
    format: str
    taken: str = ""


@dataclass(frozen=True)
class Verification:
    """The fabric as found against the plan.

    Attributes
    ----------
    planned
        Connections of the plan that were compared, after the selection.
    right, wrong, dark, unknown
        Links as planned; found links that the plan lacks; planned links with both ports dark; planned links about which nothing
        is known, because a device does not answer, or the files do not state its ports.
    cables_to_remove, cables_to_add_or_revive
        Cables that the minimum moves leave over, and that they leave open.
    errors
        Bit error ratios of ports of the plan, where files have them.
    sources
        The discovery files.
    """

    planned: list[Connection]
    found: int
    right: int
    wrong: list[Joined]
    dark: list[Joined]
    unknown: list[Joined]
    moves: list[Move]
    removals: list[Removal]
    additions: list[Addition]
    findings: list[Finding]
    identity: Identity
    parts: list[PartReading]
    notes: list[str] = field(default_factory=list)
    errors: dict[Plugged, Errors] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether all is as planned: nothing was found otherwise, and no link is unknown."""
        return not self.findings and not self.unknown


def states(verification: Verification) -> dict[int, str]:
    """Return the state of each planned connection: right, wrong, dark or unknown, by its number."""
    dark, unknown = set(verification.dark), set(verification.unknown)
    taken = {port for link in verification.wrong for port in link}
    taken |= {port for finding in verification.findings if finding.kind == "unknown device" for port in finding.ports}
    found = {}
    for row in verification.planned:
        link = link_of(row)
        if link in unknown:
            found[row.number] = "unknown"
        elif link in dark:
            found[row.number] = "dark"
        else:
            found[row.number] = "wrong" if taken.intersection(link) else "right"
    return found


def link_of(row: Connection) -> tuple[Plugged, Plugged]:
    """Return the two ports of a connection, sorted."""
    a, b = sorted(Plugged(end.device, end.port) for end in row.ends)
    return a, b
