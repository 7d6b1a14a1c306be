"""Ports of ibdiagnet's database: states, labels, plugs and error counters from several blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from planner.fabric.verify.found import Errors, Plug, Port, Reading
from planner.fabric.verify.readers.syntax.lines import number

BLOCKS = ("ports", "port_hierarchy_info", "cable_info", "pm_info")
"""Blocks with one row for each port."""

_POLLING, _DISABLED = "2", "3"
_DOWN = "1"
_WIDTHS = {"1": 1, "2": 4, "4": 8, "8": 12, "16": 2}
_SPEEDS = {"1": "SDR", "2": "DDR", "4": "QDR", "256": "FDR", "512": "EDR", "1024": "HDR", "2048": "NDR", "65536": "FDR10"}
_NUMBER = re.compile(r"\s*(-?\d{1,6}(?:\.\d{1,6})?)\s*(m|C|dBm)?\s*")
_RATIO = re.compile(r"\s*\d{1,6}(?:\.\d{1,12})?(?:[eE][-+]?\d{1,3})?\s*")


@dataclass
class Found:
    """What the blocks state about ports."""

    links: list[tuple[Port, Port]] = field(default_factory=list)
    states: dict[Port, str] = field(default_factory=dict)
    labels: dict[Port, str] = field(default_factory=dict)
    planes: dict[Port, int] = field(default_factory=dict)
    rates: dict[Port, tuple[int, str]] = field(default_factory=dict)
    plugs: dict[Port, Plug] = field(default_factory=dict)
    errors: dict[Port, Errors] = field(default_factory=dict)

    def take(self, block: str, port: Port, row: dict[str, str]) -> None:
        """Take a row of a block; columns by lower-case names."""
        if block == "ports":
            self._state(port, row)
        elif block == "port_hierarchy_info":
            label = _given(row, "label") or _given(row, "extendedlabel")
            if label:
                self.labels[port] = label
            if plane := number(row.get("plane", "")):
                self.planes[port] = plane
        elif block == "cable_info":
            self.plugs[port] = _plug(row)
        else:
            self.errors[port] = _errors(row, self.errors.get(port, Errors()))

    def readings(self) -> list[Reading]:
        """Return a reading of each port and link."""
        far: dict[Port, list[Port]] = {}
        for a, b in self.links:
            far.setdefault(a, []).append(b)
            far.setdefault(b, []).append(a)
        readings = []
        for port in dict.fromkeys([*far, *self.states, *self.plugs, *self.errors]):
            for other in far.get(port) or (None,):
                lanes, rate = self.rates.get(port, (0, ""))
                state = "up" if other is not None else self.states.get(port, "")
                # A port that is up without a link in the list, and without a plug: nothing is known.
                if other is None and state in ("up", "") and port not in self.plugs and port not in self.errors:
                    continue
                reading = Reading(
                    port,
                    self.labels.get(port, ""),
                    other,
                    state=state,
                    width=lanes,
                    speed=rate,
                    plane=self.planes.get(port, 0),
                    plug=self.plugs.get(port),
                    errors=self.errors.get(port),
                )
                readings.append(reading)
        return readings

    def _state(self, port: Port, row: dict[str, str]) -> None:
        state, physical = row.get("portstate", "").strip(), row.get("portphystate", "").strip()
        if state == _DOWN or (not state and physical in (_POLLING, _DISABLED)):
            self.states[port] = "disabled" if physical == _DISABLED else "down"
        elif state in ("2", "3", "4"):
            self.states[port] = "up"
            width = _WIDTHS.get(row.get("linkwidthactv", "").strip(), 0)
            self.rates[port] = width, _SPEEDS.get(row.get("linkspeedactv", "").strip(), "")


def _plug(row: dict[str, str]) -> Plug:
    return Plug(
        _given(row, "vendor"),
        _given(row, "pn"),
        _given(row, "sn"),
        _amount(row.get("lengthdesc", ""), "m"),
        _given(row, "typedesc"),
        # Other units than dBm are not documented.
        tuple(_lanes(row, "rx")),
        tuple(_lanes(row, "tx")),
        _amount(row.get("temperature", ""), "C"),
    )


def _lanes(row: dict[str, str], side: str) -> list[float]:
    if f"{side}1power" not in row:
        return []
    cells = (row.get(f"{side}{lane}power", "") for lane in range(1, 9))
    return [power for cell in cells if cell.strip().endswith("dBm") and (power := _amount(cell, "dBm")) is not None]


def _errors(row: dict[str, str], known: Errors) -> Errors:
    plain = {re.sub(r"\W|_", "", name): cell for name, cell in row.items()}

    def ratio(name: str, before: float | None) -> float | None:
        return float(plain[name]) if _RATIO.fullmatch(plain.get(name, "")) else before

    downs = plain.get("linkdownedcounter", "").strip()
    return Errors(
        ratio("rawber", known.raw_ber),
        ratio("effectiveber", known.effective_ber),
        ratio("symbolber", known.symbol_ber),
        known.minutes,
        int(downs) if downs.isascii() and downs.isdigit() and len(downs) < 12 else known.link_downs,
    )


def _given(row: dict[str, str], name: str) -> str:
    cell = row.get(name, "").strip()
    return "" if cell.upper() in ("N/A", "NA", "0X0") else cell[:200]


def _amount(cell: str, unit: str) -> float | None:
    found = _NUMBER.fullmatch(cell)
    return float(found[1]) if found and found[2] in (None, unit) else None
