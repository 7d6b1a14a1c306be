"""Where the ports of a verification are: cabinet, unit, text on the box and on the label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from planner.fabric.verify.result import Joined, Move, Plugged, Verification
from planner.view.schedule import Connection, End, nodes_of

UNPLACED = "(no cabinet in the plan)"


@dataclass(frozen=True)
class Places:
    """Ends of a schedule, by their ports and devices.

    Attributes
    ----------
    rows
        The schedule.
    """

    rows: Sequence[Connection]

    @cached_property
    def ends(self) -> dict[Plugged, tuple[Connection, int]]:
        """Row and side of each planned port."""
        return {Plugged(end.device, end.port): (row, side) for row in self.rows for side, end in enumerate(row.ends)}

    @cached_property
    def by_number(self) -> dict[int, Connection]:
        """Rows by their numbers."""
        return {row.number: row for row in self.rows}

    @cached_property
    def _of_device(self) -> dict[str, End]:
        return {end.device: end for row in reversed(self.rows) for end in row.ends}

    def cabinet(self, device: str) -> str:
        """Return the cabinet of a device; empty if no planned cable ends there."""
        end = self._of_device.get(device)
        return end.cabinet if end else ""

    def unit(self, device: str) -> int | None:
        """Return the lowest unit of a device; 0 is upright, None unknown."""
        end = self._of_device.get(device)
        return end.unit if end else None

    def role(self, device: str) -> str:
        """Return the role of a device; empty in a schedule without roles."""
        end = self._of_device.get(device)
        return end.role if end else ""

    def unit_text(self, device: str) -> str:
        """Return the unit of a device as people write it."""
        unit = self.unit(device)
        return "" if unit is None else f"U{unit}" if unit > 0 else "upright"

    def where(self, device: str) -> str:
        """Return cabinet and unit of a device."""
        return f"{self.cabinet(device)} {self.unit_text(device)}".strip()

    def printed(self, device: str, port: int) -> str:
        """Return the port as printed on the box; its number where the plan has no cable in it."""
        found = self.ends.get(Plugged(device, port))
        return found[0].ends[found[1]].printed if found else self._free(device, port)

    def _free(self, device: str, port: int) -> str:
        """Return the text of a port without a planned cable: that of its neighbor in a twin cage, or its number."""
        end = self._of_device.get(device)
        lanes = self._lanes.get(device, 1) if end else 1
        if lanes == 1 or end is None:
            return str(port)
        cage, lane = divmod(port - 1, lanes)
        head = end.printed.rpartition("/")[0].rpartition("/")[0]
        return f"{head + '/' if head else ''}{cage + 1}/{lane + 1}"

    @cached_property
    def _lanes(self) -> dict[str, int]:
        """Ports of a cage, of the devices whose printed ports show cage and lane and agree with one number of lanes."""
        seen: dict[str, set[tuple[int, str]]] = defaultdict(set)
        for row in self.rows:
            for end in row.ends:
                seen[end.device].add((end.port, end.printed))
        found = {}
        for device, ports in seen.items():
            for lanes in (2, 4, 8):
                if all(text.endswith(f"{(port - 1) // lanes + 1}/{(port - 1) % lanes + 1}") for port, text in ports):
                    found[device] = lanes
        return found

    def planned(self, plugged: Plugged) -> Plugged:
        """Return the port as the plan counts it: that of an adapter is found as port 1, and is one of several on its box."""
        own = self._node_ports.get(plugged.device, [])
        return own[0] if len(own) == 1 and plugged not in self.ends else plugged

    @cached_property
    def _node_ports(self) -> dict[str, list[Plugged]]:
        found: dict[str, list[Plugged]] = {device: [] for device in nodes_of(self.rows)}
        for plugged in self.ends:
            if plugged.device in found:
                found[plugged.device].append(plugged)
        return found

    def port(self, plugged: Plugged) -> str:
        """Return device and port as text."""
        return f"{plugged.device} {self.printed(*plugged)}"

    def ends_text(self, joined: Joined) -> str:
        """Return both ends of a link as text."""
        return " – ".join(self.port(Plugged(*end)) for end in joined)

    def full(self, plugged: Plugged) -> str:
        """Return cabinet, unit, device and port as text."""
        return f"{self.where(plugged.device)}, {self.port(plugged)}".lstrip(", ")


def places(verification: Verification) -> Places:
    """Return the places of the compared part of the plan."""
    return Places(verification.planned)


def by_cabinet(moves: Iterable[Move], where: Places) -> list[tuple[str, list[Move]]]:
    """Return the moves of each cabinet, cabinets in the order of their first move.

    A cabinet comes again where the order of work comes back to it: a chain or cycle is finished before the next begins.
    """
    ordered = sorted(moves, key=lambda move: move.order)
    return [(name, list(own)) for name, own in groupby(ordered, key=lambda move: where.cabinet(move.device) or UNPLACED)]
