"""Port maps: the cable in every port of a router, and its far end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from planner.model import Plan
from planner.report._names import device_names, is_named
from planner.report._pdf.blocks import Block, space
from planner.report._pdf.canvas import ACCENT, ACCENT_LIGHT, DARK, MUTED, RULE, Pen
from planner.report._pdf.fonts import BOLD, MIN_PT, width_of
from planner.report._pdf.sheet import TEXT_WIDTH
from planner.report.tables import tables_of

_MAX_ACROSS, _MAX_KEPT = 12, 8
_LINE = 6.6
_HEIGHT = 3 * _LINE + 2.5


@dataclass(frozen=True)
class PortMaps:
    """The cables of every router, and of every node where networks have names.

    For each port the cable number, the far device and port, and its cabinet.
    """

    ports: list[int]
    across: int
    names: list[str]
    port_names: list[tuple[str, ...]]
    plugged: dict[str, dict[int, tuple[str, str, str]]]

    @classmethod
    def of(cls, plan: Plan) -> PortMaps:
        """Gather the ports of routers from the table of ports."""
        names, inventory = device_names(plan), plan.inventory
        plugged: dict[str, dict[int, tuple[str, str, str]]] = defaultdict(dict)
        for port in tables_of(plan)["ports"].data(plan) or ():
            if (port.kind == "router" or is_named(plan)) and port.cable is not None:
                place = "inside" if port.cabinet == port.far_cabinet else port.far_cabinet
                far = f"{port.far_device}:{port.far_name or port.far_port}"
                plugged[port.device][port.port] = (str(port.cable), far, place)
        if is_named(plan):
            parts = [inventory.parts[part].port_names for part in inventory.part.tolist()]
            ports = list(map(len, parts))
        else:
            parts = []
            ports = [max(inventory.part_of(one).ports, *plugged[names[one]], 0) for one in range(inventory.router_count)]
        across = _MAX_ACROSS
        if is_named(plan):
            longest = max((width_of(far, MIN_PT) for own in plugged.values() for _, far, _ in own.values()), default=0)
            across = max(1, min(_MAX_ACROSS, int(TEXT_WIDTH / (longest + 5))))
        return cls(ports, across, names, parts, plugged)

    def blocks(self, router: int, unit: int) -> list[Block]:
        """Return the map of one router; consecutive lines of free ports are merged."""
        ports, plugged = self.ports[router], self.plugged.get(self.names[router], {})
        rows = -(-ports // self.across)
        across = -(-ports // max(rows, 1))
        head = f"{self.names[router]}, {f'unit {unit}' if unit > 0 else 'upright'}"
        used = f"{len(plugged)} of {ports} ports"
        first, again = _bar(head, used), _bar(f"{head}, continued", used)
        taken = {(port - 1) // across for port in plugged}
        lines: list[Block] = []
        for in_use, of_a_kind in groupby(range(rows), taken.__contains__):
            together = list(of_a_kind)
            spans = [(row, row) for row in together] if in_use else [(together[0], together[-1])]
            for low, high in spans:
                shown = range(low * across + 1, min((high + 1) * across, ports) + 1)
                ends = [plugged.get(port) for port in shown]
                lines.append(
                    _line(self._named(router, shown), ends, across, (again,))
                    if in_use
                    else _free(self._named(router, shown), (again,))
                )
        # A small map stays on one sheet.
        whole = len(lines) <= _MAX_KEPT
        return [first, *(replace(line, keep=whole) for line in lines[:-1]), *lines[-1:], space(4)]

    def _named(self, router: int, ports: Sequence[int]) -> list[str]:
        """Return the names of some ports of a router."""
        return [self.port_names[router][port - 1] if self.port_names else str(port) for port in ports]


def _bar(head: str, used: str) -> Block:
    height = 11.0

    def draw(pen: Pen, x: float, top: float) -> None:
        pen.box(x, top - height, TEXT_WIDTH, height, ACCENT_LIGHT, ACCENT)
        pen.text(x + 3, top - 8, head, 7, font=BOLD, color=ACCENT, width=TEXT_WIDTH * 0.6)
        pen.text(x + TEXT_WIDTH - 3, top - 8, used, 6, color=MUTED, align="right")

    return Block(height, draw, keep=True)


def _free(ports: Sequence[str], above: tuple[Block, ...]) -> Block:
    height = _LINE + 3
    text = f"ports {ports[0]} to {ports[-1]} free" if len(ports) > 1 else f"port {ports[0]} free"

    def draw(pen: Pen, x: float, top: float) -> None:
        pen.box(x, top - height, TEXT_WIDTH, height, None, RULE)
        pen.text(x + 2, top - _LINE, text, MIN_PT, color=MUTED)

    return Block(height, draw, above=above)


def _line(ports: Sequence[str], ends: Sequence[tuple[str, str, str] | None], across: int, above: tuple[Block, ...]) -> Block:
    """Return a line of ports, each with its number, its cable, the far end and its cabinet."""
    width = TEXT_WIDTH / across

    def draw(pen: Pen, x: float, top: float) -> None:
        pen.box(x, top - _HEIGHT, width * len(ports), _HEIGHT, None, RULE)
        for place, (port, end) in enumerate(zip(ports, ends, strict=True)):
            left = x + place * width
            if place:
                pen.line([(left, top), (left, top - _HEIGHT)], RULE)
            pen.text(left + 2, top - _LINE, port, MIN_PT, font=BOLD)
            if end is None:
                pen.text(left + width / 2, top - 2 * _LINE, "free", MIN_PT, color=MUTED, align="center")
                continue
            cable, device, cabinet = end
            pen.text(left + width - 2, top - _LINE, cable, MIN_PT, color=ACCENT, align="right", width=width - 13)
            pen.text(left + 2, top - 2 * _LINE, device, MIN_PT, color=DARK, width=width - 3)
            pen.text(left + 2, top - 3 * _LINE, cabinet, MIN_PT, color=MUTED, width=width - 3)

    return Block(_HEIGHT, draw, above=above)
