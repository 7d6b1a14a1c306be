"""Panel schedules: every port of the panels, and every trunk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from planner.domain.model import Plan
from planner.view.names import cabinet_names, device_names, printed_ports, tray_names
from planner.view.panels import PanelTexts
from planner.view.tables.cables import route_text
from planner.view.tables.table import EVERYWHERE, FILE_AND_PAGE, REMARK, Column, Table, installed


class PanelPorts:
    """The ends of the rows over panels, by panel and port."""

    def __init__(self, texts: PanelTexts):
        self.texts, self.panels, self.plan = texts, texts.panels, texts.plan
        panels = self.panels
        jumper = panels.jumper.T.ravel()
        self.order = np.lexsort((panels.pair.T.ravel(), jumper))
        count = len(panels.row)
        self.row, self.end = self.order % max(count, 1), self.order // max(count, 1)
        self.jumper = jumper[self.order]
        self.cable = panels.row[self.row].astype(np.int64)
        self.panel = panels.jumper_panel[self.jumper]
        self.far = panels.jumper[self.row, 1 - self.end]

    def of(self, values: Any) -> np.ndarray:
        """Return the value of each panel, by its port."""
        return np.asarray(values)[self.panel]

    def bays(self) -> list[int | None]:
        """Return the bay of each port; None without cassettes."""
        cassettes = self.panels.jumper_cassette[self.jumper].tolist()
        bays = self.panels.cassette_bay.tolist()
        return [bays[one] if one >= 0 else None for one in cassettes]

    def text(self, values: Any) -> np.ndarray:
        """Return a text of each end, from those in the order of rows."""
        return np.array(values, object)[self.order]

    def of_trunk(self, values: Any) -> np.ndarray:
        """Return a value of the trunk of each port; empty without one."""
        return np.append(np.array(values, object), "")[self.panels.trunk[self.row]]

    def plugs(self) -> list[int | None]:
        return [number or None for number in np.append(self.panels.plug_number, 0)[self.panels.plug[self.row]].tolist()]

    def rears(self) -> list[str]:
        """Return the socket of the trunk behind each port."""
        both = np.array([[*one, ""] for one in self.texts.rears], object)
        end = np.where(self.panels.turned[self.row], 1 - self.end, self.end)
        return both[end, self.panels.plug[self.row]].tolist()

    def device(self, end: np.ndarray) -> np.ndarray:
        return np.array(self.texts.device_ends, object)[end, self.cable]

    @cached_property
    def place(self) -> tuple[np.ndarray, np.ndarray]:
        return self.cable, self.end

    def ports(self) -> np.ndarray:
        return np.array([printed_ports(self.plan, 0), printed_ports(self.plan, 1)], object)[self.end, self.cable]


def _ports(plan: Plan) -> PanelPorts | None:
    texts = PanelTexts.of(plan)
    return None if texts is None else PanelPorts(texts)


PORT_COLUMNS = (
    Column("position", "position", "panel, bay and port: where the jumper is plugged in",
           lambda t: np.array(t.texts.fronts, object)[t.jumper], shown=EVERYWHERE, width=18),
    Column("frame", "frame", "panel frame", lambda t: t.panels.frame_names[t.of(t.panels.frame)], width=12),
    Column("panel", "panel", "name of the panel", lambda t: t.of(t.panels.names), width=14),
    Column("panel_part", "panel part", "catalog row of the panel", lambda t: np.array(t.panels.parts)[t.of(t.panels.part)],
           width=22, collapsed=True),
    Column("unit", "unit", "lowest unit of the panel in its frame, from 1 at the bottom", lambda t: t.of(t.panels.unit), "whole"),
    Column("bay", "bay", "bay of the cassette or adapter, from 1; empty without cassettes", PanelPorts.bays, "whole"),
    Column("port", "port", "port at the front, from 1", lambda t: t.panels.jumper_port[t.jumper], "whole"),
    Column("pair", "pair", "first pair of fibers in that port", lambda t: t.panels.pair[t.row, t.end], "whole", shown=("file",),
           collapsed=True),
    Column("cabinet", "cabinet", "cabinet of the device at the jumper",
           lambda t: np.array(cabinet_names(t.plan))[t.plan.cables.cabinet[t.place]], width=12),
    Column("device", "device", "device at the jumper", lambda t: np.array(device_names(t.plan))[t.plan.cables.device[t.place]],
           width=16),
    Column("device_port", "port of the device", "port as printed on the device", PanelPorts.ports),
    Column("at", "device at the jumper", "cabinet, unit, device and port", lambda t: t.device(t.end), shown=("paper", "page")),
    Column("cable", "cable", "number of the row in the cable schedule", lambda t: t.cable + 1, "whole", shown=EVERYWHERE,
           link="cable"),
    Column("jumper", "jumper", "number of the jumper, from 1", lambda t: t.jumper + 1, "whole", shown=EVERYWHERE),
    Column("jumper_part", "jumper part", "catalog row of the jumper",
           lambda t: np.array(t.panels.jumper_parts)[t.panels.jumper_part[t.jumper]], width=22),
    Column("jumper_mm", "jumper", "stock length of the jumper", lambda t: t.panels.jumper_stock_mm[t.jumper], "whole", "mm",
           shown=EVERYWHERE),
    Column("jumper_run_mm", "jumper run", "run length of the jumper", lambda t: t.panels.jumper_run_mm[t.jumper], "whole", "mm",
           collapsed=True),
    Column("trunk", "trunk", "trunk or multi-core fiber behind the port; empty inside the boxes of one area",
           lambda t: t.of_trunk(t.panels.trunk_names), shown=EVERYWHERE, width=22),
    Column("plug", "plug", "plug of the trunk, from 1", PanelPorts.plugs, "whole", shown=EVERYWHERE),
    Column("rear", "rear socket", "socket of that plug at the rear", PanelPorts.rears, shown=EVERYWHERE, width=20),
    Column("fibers", "fibers", "fibers (or cores) in that plug", lambda t: t.text(t.texts.fibers()), shown=EVERYWHERE),
    Column("polarity", "polarity", "polarity type of the trunk: A or B", lambda t: [t.panels.polarity] * len(t.row)),
    Column("far_position", "far panel", "position of the jumper at the far end",
           lambda t: np.array(t.texts.fronts, object)[t.far], shown=EVERYWHERE, width=18),
    Column("far_at", "far device", "cabinet, unit, device and port at the far end", lambda t: t.device(1 - t.end),
           shown=EVERYWHERE, width=28),
    installed(shown=("file", "paper"), short="done", align="center"),
    REMARK,
)  # fmt: skip

PANELS = Table(
    "panels",
    "One row per port of a panel in use, by panel, bay and port; of a port that several links share one row each. Only plans "
    "with trunks, multi-core fiber or shuffle boxes have the table.",
    _ports,
    PORT_COLUMNS,
)


class Trunks:
    """The trunks and multi-core fibers."""

    def __init__(self, texts: PanelTexts):
        self.texts, self.panels, self.plan, self.cables = texts, texts.panels, texts.plan, texts.plan.cables
        self.bundle = self.panels.trunk_bundle

    def frames(self, end: int) -> np.ndarray:
        return self.panels.frame_names[self.panels.trunk_frame[:, end]]

    def trays(self, written: Callable[[Sequence[str]], str]) -> list[str]:
        """Return the trays of each trunk's route as text."""
        routes = tray_names(self.plan)
        return [written(routes[route]) for route in self.panels.trunk_route.tolist()]

    def links(self) -> np.ndarray:
        used = self.panels.trunk
        return np.bincount(used[used >= 0], minlength=len(self.bundle))

    def tasks(self) -> Sequence[int | None]:
        """Return the task that pulls each trunk; None without a work order."""
        if self.plan.work is None:
            return [None] * len(self.bundle)
        used = self.panels.trunk
        task = np.zeros(len(self.bundle), np.int64)
        task[used[used >= 0]] = self.plan.work.task[self.panels.row[used >= 0]] + 1
        return task.tolist()

    def labels(self, end: int) -> list[str]:
        return [self.texts.trunk_labels(number)[end] for number in range(len(self.bundle))]


def _trunks(plan: Plan) -> Trunks | None:
    texts = PanelTexts.of(plan)
    return None if texts is None else Trunks(texts)


TRUNK_COLUMNS = (
    Column("trunk", "trunk", "name of the trunk or multi-core fiber", lambda t: t.panels.trunk_names, shown=EVERYWHERE, width=22),
    Column("bundle", "bundle", "number of its bundle, from 1", lambda t: t.bundle + 1, "whole", shown=FILE_AND_PAGE,
           link="bundle"),
    Column("part", "part", "catalog row", lambda t: np.array(t.cables.bundle_parts)[t.cables.bundle_part[t.bundle]],
           shown=EVERYWHERE, width=22),
    Column("plugs", "plugs", "plugs at each end",
           lambda t: np.bincount(t.panels.plug_trunk, minlength=len(t.bundle)), "whole", shown=EVERYWHERE),
    Column("links", "links", "links that it carries", Trunks.links, "whole", shown=FILE_AND_PAGE),
    Column("a_frame", "first end: frame", "panel frame", lambda t: t.frames(0), shown=EVERYWHERE, short="from", width=12),
    Column("a_sockets", "first end: sockets", "sockets at the rear, the first and the last", lambda t: t.texts.trunk_sockets(0),
           shown=EVERYWHERE, short="sockets", width=34),
    Column("b_frame", "second end: frame", "panel frame", lambda t: t.frames(1), shown=EVERYWHERE, short="to", width=12),
    Column("b_sockets", "second end: sockets", "sockets at the rear, the first and the last", lambda t: t.texts.trunk_sockets(1),
           shown=EVERYWHERE, short="sockets", width=34),
    Column("trays", "trays", "trays on the route, from the first end", lambda t: t.trays(" > ".join), shown=FILE_AND_PAGE,
           width=36),
    Column("route", "trays on the route", "trays on the route, from the first end", lambda t: t.trays(route_text),
           shown=("paper",)),
    Column("run_mm", "run length", "run length, slack included", lambda t: t.cables.bundle_run_mm[t.bundle], "whole", "mm",
           shown=EVERYWHERE, short="run"),
    Column("stock_mm", "length to buy", "stock length", lambda t: t.cables.bundle_stock_mm[t.bundle], "whole", "mm",
           shown=EVERYWHERE, short="stock"),
    Column("polarity", "polarity", "polarity type: A or B; empty for multi-core fiber and between shuffle boxes",
           lambda t: [t.panels.polarity] * len(t.bundle), shown=FILE_AND_PAGE),
    Column("label_a", "label, first end", "text of the label", lambda t: t.labels(0), width=26),
    Column("label_b", "label, second end", "text of the label", lambda t: t.labels(1), width=26),
    Column("task", "task", "number of the task of the work order, from 1", Trunks.tasks, "whole", shown=EVERYWHERE),
    installed(shown=("file", "paper"), short="done", align="center"),
    REMARK,
)  # fmt: skip

TRUNKS = Table(
    "trunks",
    "One row per trunk or multi-core fiber between panels. Only plans with trunks, multi-core fiber or shuffle boxes have the "
    "table.",
    _trunks,
    TRUNK_COLUMNS,
)
