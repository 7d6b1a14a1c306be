"""What discovery files state, before it is compared with any plan.

Readers turn each file into one `Scan`: devices under the key that the file gives them (a GUID, a chassis id, a system name), and
what each port reports about itself. Ports are texts as in the file: ``12``, ``swp12``, ``Ethernet1/12``, ``1/6/2``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

SWITCH, HOST = "switch", "host"


class Port(NamedTuple):
    """A port as found: key of its device in the file, and the port as the file calls it."""

    device: str
    port: str


@dataclass(frozen=True)
class Device:
    """A device as found.

    Attributes
    ----------
    key
        What other rows of the file call it: GUID without 0x in 16 lower-case hex digits, chassis id, or name.
    name
        Node description or system name, exactly as found; empty if the file has none.
    kind
        `SWITCH`, `HOST`, or empty if the file does not state it.
    system
        What joins the chips of one box (SystemImageGUID), in the form of keys; empty if unknown.
    addresses
        GUIDs and MAC addresses of the device and its ports, in the form of keys.
    serial, model
        Serial number and model; empty if unknown.
    ports
        Number of its ports; 0 if unknown.
    answers
        Whether it reported its own ports: otherwise its dark ports are unknown.
    """

    key: str
    name: str = ""
    kind: str = ""
    system: str = ""
    addresses: tuple[str, ...] = ()
    serial: str = ""
    model: str = ""
    ports: int = 0
    answers: bool = True


@dataclass(frozen=True)
class Plug:
    """What the memory of a plug states, and the light at it; empty text and None are unknown.

    Attributes
    ----------
    length_m
        Length in whole or fractional meters as the memory states it; 0 is below one meter.
    rx_dbm, tx_dbm
        Power of each lane.
    """

    vendor: str = ""
    part_number: str = ""
    serial: str = ""
    length_m: float | None = None
    technology: str = ""
    rx_dbm: tuple[float, ...] = ()
    tx_dbm: tuple[float, ...] = ()
    temperature_c: float | None = None


@dataclass(frozen=True)
class Errors:
    """Bit error ratios of a port and the time since its counters were cleared; None is unknown."""

    raw_ber: float | None = None
    effective_ber: float | None = None
    symbol_ber: float | None = None
    minutes: float | None = None
    link_downs: int | None = None


@dataclass(frozen=True)
class Reading:
    """What one port reports about itself in one file.

    Attributes
    ----------
    port
        The port.
    label
        The port as printed on the box, where the file has it in addition to the port number.
    far
        The port at the other end, as this side reports it; None for a dark port. Its port may be empty: only the device is known.
    far_names
        Other names that this side gives the port of the far end (description, alias), by which it may be recognized.
    state
        ``up``, ``down``, ``disabled`` (switched off by someone), or empty if unknown.
    width, speed
        Lanes, and speed as a word (EDR, 100G); 0 and empty if unknown.
    slow
        Why the link is below what both ends support; empty if it is not, or unknown.
    age_s, ttl_s
        Age and lifetime of a neighbor's entry.
    plane
        Plane of a multi-plane port, from 1; 0 without.
    internal
        Whether the link is inside a chassis.
    """

    port: Port
    label: str = ""
    far: Port | None = None
    far_names: tuple[str, ...] = ()
    state: str = ""
    width: int = 0
    speed: str = ""
    slow: str = ""
    age_s: int | None = None
    ttl_s: int | None = None
    plane: int = 0
    internal: bool = False
    plug: Plug | None = None
    errors: Errors | None = None


@dataclass(frozen=True)
class Scan:
    """One discovery file.

    Attributes
    ----------
    file, format
        Path as given (for a member of an archive with its name after a colon), and name of the reader.
    devices
        Devices by key.
    readings
        What ports report; each link once or from both of its ends.
    both_ends
        Whether the format reports each link from both ends where both answer: a link that only one end claims is then doubtful.
    dark_ports
        Whether the format lists dark ports: a port of an answering device without a reading is then unknown, not dark.
    claims
        Readings that state what was planned by others or filled in by people (a workbook, NetBox), not what was measured.
    taken
        When the scan was taken, as a text that sorts (ISO 8601); empty if unknown.
    listed, total
        Entries of a page, and those of all pages of the answer that it belongs to; 0 where there are no pages.
    """

    file: str
    format: str
    devices: dict[str, Device] = field(default_factory=dict)
    readings: list[Reading] = field(default_factory=list)
    both_ends: bool = False
    dark_ports: bool = False
    claims: bool = False
    taken: str = ""
    listed: int = 0
    total: int = 0


# -- after merging and normalizing ----------------------------------------------------------------


class Place(NamedTuple):
    """A port as found after normalizing: key of its device, and its number from 1 as plans count ports; 0 if unknown.

    The number of a port of a host is the rank of its adapter among those of such hosts, so 1 for the only one: it is not a port
    of the plan, and matters only for hosts with several planned ports, of which number n is the n-th.
    """

    device: str
    port: int


@dataclass(frozen=True)
class Link:
    """A link that is up; `mutual` if both ends report it. `texts` are the ports as found."""

    a: Place
    b: Place
    mutual: bool = True
    texts: tuple[str, str] = ("", "")
    width: int = 0
    speed: str = ""
    slow: str = ""
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Contradiction:
    """Two statements of files that cannot both be true, in words with both files, or a stale statement that was dropped."""

    kind: str
    text: str
    files: tuple[str, ...] = ()
    ports: tuple[Port, ...] = ()


@dataclass(frozen=True)
class Fabric:
    """The fabric as found: all files merged, without what never belongs to a plan.

    Attributes
    ----------
    devices
        Devices by key; one for each box: chips of one system are joined, aggregation nodes dropped. `name` is the cleaned name:
        without domain, prefix and adapter, empty where it is a default; `described` keeps it as found.
    adapters
        Adapter of each port of a host, in words (``mlx5_0``), by place; empty where unknown.
    links
        Links that are up, each once.
    dark
        State of each port that is known to have no link: ``down``, ``disabled`` or ``polling``.
    plugs, errors
        Memory of plugs and error ratios by place.
    silent
        Keys of switches that did not answer, and are known from their neighbors only: their dark ports are unknown.
    partial
        Keys of devices that answered but whose list of neighbors is not complete: ports that are not in `links` or `dark` are
        unknown. Of all other devices, ports that appear nowhere have no link.
    unknown
        Ports that are up, without a known far end: neither linked nor dark.
    uncounted
        Keys of directors whose ports have no numbers in the plan: links to them are not compared.
    numbered
        Whether port numbers of other switches are those of the boxes; False where the files hide those of most ports.
    doubled
        Keys of the devices of each name that several of them have: it is not used.
    contradictions
        Contradictions between the files.
    notes
        Everything that was dropped or joined, in words, with counts.
    """

    devices: dict[str, Device]
    links: list[Link]
    dark: dict[Place, str] = field(default_factory=dict)
    plugs: dict[Place, Plug] = field(default_factory=dict)
    errors: dict[Place, Errors] = field(default_factory=dict)
    adapters: dict[Place, str] = field(default_factory=dict)
    described: dict[str, str] = field(default_factory=dict)
    silent: frozenset[str] = frozenset()
    partial: frozenset[str] = frozenset()
    unknown: frozenset[Place] = frozenset()
    uncounted: frozenset[str] = frozenset()
    numbered: bool = True
    doubled: dict[str, tuple[str, ...]] = field(default_factory=dict)
    contradictions: list[Contradiction] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
