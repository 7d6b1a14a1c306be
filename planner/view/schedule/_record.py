"""Rows of a cable schedule."""

from __future__ import annotations

import re
from typing import NamedTuple

from planner.view.names import end_place

_CAGE = re.compile(r"^(.*\d)/\d+$")


class End(NamedTuple):
    """One end of a connection.

    Attributes
    ----------
    device, port
        Name of the device, and its port from 1: they identify the end.
    printed
        The port as printed on the device, such as 6/2.
    cabinet, unit
        Where the device is: the name of its cabinet and its lowest rack unit; 0 upright at the side of a cabinet.
    label
        Text of the label at this end.
    role
        Role of the device; empty in a schedule without roles.
    panel
        Panel and port of the jumper at this end; empty without panels.
    kind
        ``router`` or ``node``; empty in a schedule that does not state it.
    """

    device: str
    port: int
    printed: str
    cabinet: str
    unit: int
    label: str = ""
    role: str = ""
    panel: str = ""
    kind: str = ""

    @property
    def place(self) -> str:
        return end_place(self.cabinet, self.unit)

    @property
    def cage(self) -> str:
        """The cage as printed: what is before the port in it.

        >>> [End("R1", 12, printed, "A01", 3).cage for printed in ("6/2", "12", "compute/6/2", "compute/12")]
        ['6', '12', 'compute/6', 'compute/12']
        """
        return _CAGE.sub(r"\1", self.printed)

    def __str__(self) -> str:
        return f"{self.place}, {self.device} {self.printed}"


class Connection(NamedTuple):
    """A row of a cable schedule.

    Attributes
    ----------
    number, piece
        Number of the row, from 1, and that of the first row of the same cable: twin-port and splitter cables have several.
    network, kind
        Network of the connection, empty for the only one, and class of the link, or ``endpoint``.
    a, b
        Both ends.
    part, end_parts
        Catalog rows of the part with the length, and of plugs or modules at both ends.
    medium
        Copper, active copper or optical; empty if unknown.
    stock_mm, run_mm
        Length bought, and length of the route, in mm.
    trays, trunk
        Trays on the route from the first end, and the trunk over panels; empty without.
    stage
        Install stage.
    """

    number: int
    piece: int
    network: str
    kind: str
    a: End
    b: End
    part: str
    end_parts: tuple[str, str]
    medium: str
    stock_mm: int
    run_mm: int
    trays: str
    trunk: str
    stage: str

    @property
    def ends(self) -> tuple[End, End]:
        return self.a, self.b
