"""Panels: where trunks and jumpers are plugged."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from planner.core.record import Record, array, value

PANEL_KINDS = ("enclosure", "shuffle box", "fan-out")
"""Kinds of panel: an enclosure holds cassettes; boxes and fan-outs have sockets of their own."""


@dataclass(frozen=True, eq=False)
class PanelPlan(Record, name="panels", needs=("catalog", "room", "placement", "cables")):
    """Frames, the panels in them, and the sockets of every trunk and jumper; empty without trunks, multi-core fiber or shuffles.

    A frame is located where jumpers end: on a cabinet at its cable exit, or at the tray node of the middle slot of a row or
    zone. Jumpers are plugged in at the front of a panel, trunks at its rear. Sizes: F frames, P panels, C cassettes, T trunks,
    Q trunk plugs, J jumpers, N rows of the cable plan that go over panels.
    """

    frame_slot: np.ndarray = array("int32", "F", "slot of each frame")
    frame_cabinet: np.ndarray = array("int32", "F", "cabinet that the frame is mounted on; -1 for a frame at the tray node")
    frame_names: np.ndarray = array("str", "F", "name of each frame, such as PF-B07")
    names: np.ndarray = array("str", "P", "name of each panel, such as PP-B07-01")
    kind: np.ndarray = array("uint8", "P", "kind of each panel, index into PANEL_KINDS")
    part: np.ndarray = array("int32", "P", "part of each panel, index into parts")
    frame: np.ndarray = array("int32", "P", "frame of each panel")
    unit: np.ndarray = array(
        "int32", "P", "lowest unit in the frame, counted from 1 at the bottom; the place of boxes and fan-outs, of unknown height"
    )
    parts: tuple[str, ...] = value("ids of panels and cassettes in use")
    cassette_panel: np.ndarray = array("int32", "C", "panel of each cassette or adapter")
    cassette_bay: np.ndarray = array("int32", "C", "its bay, counted from 1")
    cassette_part: np.ndarray = array("int32", "C", "its part, index into parts")
    trunk_bundle: np.ndarray = array("int32", "T", "bundle of each trunk or multi-core fiber")
    trunk_names: np.ndarray = array("str", "T", "name of each trunk, such as TR-B07-D02-01")
    trunk_frame: np.ndarray = array("int32", "T,2", "frames at both ends of the trunk")
    trunk_route: np.ndarray = array("int32", "T", "route over the trays, row of route_indptr in the cable plan")
    plug_trunk: np.ndarray = array("int32", "Q", "trunk of each plug; a plug is the same fibers at both ends")
    plug_number: np.ndarray = array("int32", "Q", "number of the plug in its trunk, counted from 1")
    plug_panel: np.ndarray = array("int32", "Q,2", "panel at both ends of the trunk")
    plug_cassette: np.ndarray = array("int32", "Q,2", "cassette at both ends; -1 without cassettes")
    plug_socket: np.ndarray = array("int32", "Q,2", "socket at the rear of the cassette or panel, counted from 1")
    jumper_panel: np.ndarray = array("int32", "J", "panel of each jumper")
    jumper_cassette: np.ndarray = array("int32", "J", "its cassette; -1 without cassettes")
    jumper_port: np.ndarray = array("int32", "J", "its port at the front of the cassette or panel, counted from 1")
    jumper_part: np.ndarray = array("int32", "J", "its part, index into jumper_parts")
    jumper_parts: tuple[str, ...] = value("ids of the parts of jumpers in use")
    jumper_run_mm: np.ndarray = array("int32", "J", "run length", "mm")
    jumper_stock_mm: np.ndarray = array("int32", "J", "stock length", "mm")
    jumper_route: np.ndarray = array("int32", "J", "route over the trays, row of route_indptr in the cable plan; -1 for none")
    row: np.ndarray = array("int32", "N", "row of the cable plan")
    turned: np.ndarray = array("bool", "N", "whether the first end of the row is at the second end of its trunk")
    jumper: np.ndarray = array(
        "int32", "N,2", "jumper at both ends of the row; router cables of shuffle boxes carry several rows"
    )
    pair: np.ndarray = array("int32", "N,2", "first pair of fibers of the row in that jumper, counted from 1")
    plug: np.ndarray = array("int32", "N", "plug of the trunk; -1 inside the shuffle boxes of one area")
    fiber: np.ndarray = array("int32", "N,2", "first fiber (or core) of the row in that plug at both ends, counted from 1")
    polarity: str = value("polarity type of the trunks; empty where fibers keep their positions", default="")

    @classmethod
    def none(cls) -> PanelPlan:
        """Return the record of a plan without panels."""
        content: dict[str, Any] = {"parts": (), "jumper_parts": ()}
        for one in fields(cls):
            if "dtype" in one.metadata:
                content[one.name] = np.zeros(0, np.str_ if one.metadata["dtype"] == "str" else np.int64)
        return cls(**content)

    @property
    def panel_count(self) -> int:
        return len(self.names)

    @property
    def trunk(self) -> np.ndarray:
        """Trunk of each row; -1 inside the shuffle boxes of one area, int64 (N,)."""
        return np.append(self.plug_trunk, -1)[self.plug].astype(np.int64)

    def of_row(self, cables: int) -> np.ndarray:
        """Return the place of each row of the cable plan in this record, int64 (W,) for W `cables`; -1 for others."""
        place = np.full(cables, -1, np.int64)
        place[self.row] = np.arange(len(self.row))
        return place

    def end_of_jumper(self) -> tuple[np.ndarray, np.ndarray]:
        """Return a row of the cable plan that each jumper serves, and the end of the row that it is at, int64 (J,) each.

        Of several rows the first one; for the last cable of a router, if it only holds the rest of a row, that row.
        """
        jumper, first = np.unique(self.jumper.ravel(), return_index=True)
        place = first[np.searchsorted(jumper, np.arange(len(self.jumper_port)), side="right") - 1] if len(jumper) else first
        return self.row[place // 2].astype(np.int64), place % 2

    def cabinet_of_jumper(self, cabinet: np.ndarray) -> np.ndarray:
        """Return the cabinet of each jumper, int64 (J,), from those at both ends of each row of the cable plan, (W, 2)."""
        return cabinet[self.end_of_jumper()].astype(np.int64)

    def ports(self) -> list[str]:
        """Return the front port of each jumper as on the labels: ``PP-B07-01:2/3`` is port 3 of the cassette in bay 2."""
        return self._sockets(self.jumper_panel, self.jumper_cassette, self.jumper_port)

    def rears(self, end: int) -> list[str]:
        """Return the rear socket of each plug at one end of its trunk: ``PP-B07-01:2/R1``."""
        return self._sockets(self.plug_panel[:, end], self.plug_cassette[:, end], self.plug_socket[:, end], "R")

    def _sockets(self, panel: np.ndarray, cassette: np.ndarray, number: np.ndarray, mark: str = "") -> list[str]:
        names, bays = self.names[panel].tolist(), np.append(self.cassette_bay, 0)[cassette].tolist()
        return [
            f"{name}:{bay}/{mark}{port}" if bay else f"{name}:{mark}{port}"
            for name, bay, port in zip(names, bays, number.tolist(), strict=True)
        ]
