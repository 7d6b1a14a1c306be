"""What the crews install, in the order of work, to tick off: cables, and over panels trunks and jumpers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from planner.domain.model import Plan
from planner.view.names import cabinet_names, network_of_rows, port_names, tray_names
from planner.view.panels import PanelTexts
from planner.view.pulling import pulling_rank
from planner.view.tables.cables import Cables
from planner.view.tables.table import REMARK, Column, Table


class Place(NamedTuple):
    """One end: cabinet or panel frame, lowest rack unit, device or panel, and port."""

    cabinet: str
    unit: int | None
    device: str
    port: str


class Pull(NamedTuple):
    """A cable, trunk or jumper that is pulled and plugged in.

    Attributes
    ----------
    kind
        ``cable``, ``trunk`` or ``jumper``.
    task
        Its task, from 0; None without a work order.
    rows
        The rows of the cable plan that it serves.
    piece
        First row of the same piece, for pieces of several rows; counted from 1.
    """

    kind: str
    task: int | None
    rows: tuple[int, ...]
    network: str
    a: Place
    b: Place
    label_a: str
    label_b: str
    part: str
    stock_mm: int
    bundle: int | None
    trays: str
    piece: int | None = None


def pulls_of(plan: Plan) -> list[Pull] | None:
    """Return all that is pulled, in the order of work; None where the plan has no cables."""
    if plan.cables is None:
        return None
    texts = PanelTexts.of(plan) if plan.work is not None else None
    over = np.full(plan.cables.cable_count, -1) if texts is None else texts.panels.of_row(plan.cables.cable_count)
    found = [*_cables(plan, over < 0), *(_trunks(texts) if texts is not None else ())]
    found += _jumpers(texts) if texts is not None else ()
    # Sorting is stable: within a task the order of pulling remains.
    return sorted(found, key=lambda each: -1 if each.task is None else each.task)


def _cables(plan: Plan, wanted: np.ndarray) -> Iterator[Pull]:
    """Yield the cables from port to port, in the order of pulling."""
    cables, table = plan.cables, Cables(plan, plan.cables)
    order = np.argsort(pulling_rank(plan), kind="stable")
    order = order[wanted[order]]
    shared = table.shared_pieces()
    sides = [
        list(map(Place, table.cabinet_names[cables.cabinet[:, side]].tolist(), cables.unit[:, side].tolist(),
                 table.device_names[cables.device[:, side]].tolist(), port_names(plan, side)))
        for side in (0, 1)
    ]  # fmt: skip
    trays, parts, networks = table.trays(" > ".join), cables.of_assembly("length_part"), table.networks.tolist()
    bundles, tasks = table.bundles(), table.tasks()
    for row in order.tolist():
        task = tasks[row]
        yield Pull(
            "cable", None if task is None else task - 1, (row,), networks[row], sides[0][row], sides[1][row],
            str(cables.label_a[row]), str(cables.label_b[row]), str(parts[row]), int(cables.stock_mm[row]), bundles[row],
            trays[row], shared[row],
        )  # fmt: skip


def _trunks(texts: PanelTexts) -> Iterator[Pull]:
    """Yield the trunks and multi-core fibers between panel frames."""
    panels, plan, cables = texts.panels, texts.plan, texts.plan.cables
    routes, networks = [" > ".join(names) for names in tray_names(plan)], plan.inventory.network_names
    sockets = [texts.trunk_sockets(end) for end in (0, 1)]
    frames = panels.frame_names[panels.trunk_frame].tolist()
    network = network_of_rows(plan)
    for trunk, bundle in enumerate(panels.trunk_bundle.tolist()):
        rows = panels.row[panels.trunk == trunk].tolist()
        if rows:
            a, b = (Place(frames[trunk][end], None, "", sockets[end][trunk]) for end in (0, 1))
            label_a, label_b = texts.trunk_labels(trunk)
            yield Pull(
                "trunk", int(plan.work.task[rows[0]]), tuple(rows), networks[network[rows[0]]], a, b, label_a, label_b,
                cables.bundle_parts[cables.bundle_part[bundle]], int(cables.bundle_stock_mm[bundle]), bundle + 1,
                routes[panels.trunk_route[trunk]],
            )  # fmt: skip


def _jumpers(texts: PanelTexts) -> Iterator[Pull]:
    """Yield the jumpers from devices to panels, those of a task from the top of the cabinet down, by port."""
    panels, plan, cables = texts.panels, texts.plan, texts.plan.cables
    row, side = panels.end_of_jumper()
    routes, networks = [" > ".join(names) for names in tray_names(plan)], plan.inventory.network_names
    cabinets, names, network = cabinet_names(plan), plan.inventory.names, network_of_rows(plan)
    ports = [port_names(plan, 0), port_names(plan, 1)]
    served: list[list[int]] = [[] for _ in row]
    for at, both in zip(panels.row.tolist(), panels.jumper.tolist(), strict=True):
        for jumper in set(both):
            served[jumper].append(at)
    order = np.lexsort((cables.port[row, side], -cables.unit[row, side], cables.cabinet[row, side]))
    for jumper in order.tolist():
        at = (int(row[jumper]), int(side[jumper]))
        port = ports[at[1]][at[0]]
        near = Place(cabinets[cables.cabinet[at]], int(cables.unit[at]), str(names[cables.device[at]]), port)
        panel = int(panels.jumper_panel[jumper])
        name, _, front = texts.fronts[jumper].partition(":")
        far = Place(str(panels.frame_names[panels.frame[panel]]), int(panels.unit[panel]), name, front)
        route = int(panels.jumper_route[jumper])
        label_a, label_b = texts.jumper_labels[jumper]
        yield Pull(
            "jumper", int(plan.work.jumper_task[jumper]), tuple(served[jumper]), networks[network[at[0]]], near, far,
            label_a, label_b, panels.jumper_parts[panels.jumper_part[jumper]], int(panels.jumper_stock_mm[jumper]),
            None, routes[route] if route >= 0 else "",
        )  # fmt: skip


class Pulls:
    """All that is pulled in a plan, with its tasks."""

    def __init__(self, plan: Plan, pulls: Sequence[Pull]):
        self.plan, self.pulls = plan, pulls

    @property
    def numbers(self) -> range:
        return range(1, len(self.pulls) + 1)

    def of(self, name: str) -> list[Any]:
        """Return a field of each, such as ``a.cabinet``."""
        return list(map(attrgetter(name), self.pulls))

    def of_task(self, name: str, divisor: int = 1) -> list[int | None]:
        """Return a number of the task of each, divided and counted from 1; None without a work order."""
        values = getattr(self.plan.work, name).tolist() if self.plan.work is not None else ()
        return [None if each.task is None else values[each.task] // divisor + 1 for each in self.pulls]

    def tasks(self) -> list[int | None]:
        return [None if each.task is None else each.task + 1 for each in self.pulls]

    def days(self) -> list[int | None]:
        """Return the working day on which the task of each starts, from 1."""
        return self.of_task("start_s", self.plan.work.shift_s if self.plan.work is not None else 1)

    def stages(self) -> list[str]:
        """Return the install stage of each."""
        plan, work = self.plan, self.plan.work
        if work is None:
            return [plan.cables.stage_names[plan.cables.stage[each.rows[0]]] for each in self.pulls]
        return [work.stage_names[work.stage[each.task]] for each in self.pulls]

    def cables(self) -> list[int | None]:
        """Return the number of the first cable that each serves; trunks serve all of their bundle."""
        return [None if each.kind == "trunk" else each.rows[0] + 1 for each in self.pulls]


def _end(side: str) -> tuple[Column, ...]:
    word = {"a": "from", "b": "to"}[side]
    return (
        Column(f"{side}_cabinet", f"{word}: cabinet", "name of the cabinet or panel frame", lambda t: t.of(f"{side}.cabinet")),
        Column(f"{side}_unit", f"{word}: unit", "lowest unit of the device or panel", lambda t: t.of(f"{side}.unit"), "whole"),
        Column(f"{side}_device", f"{word}: device", "name of the device or panel", lambda t: t.of(f"{side}.device"), width=18),
        Column(f"{side}_port_name", f"{word}: port", "port as printed on the device or panel; of a trunk its sockets",
               lambda t: t.of(f"{side}.port"), width=14),
    )  # fmt: skip


COLUMNS = (
    Column("order", "order", "position in the order of work, from 1", lambda t: t.numbers, "whole"),
    Column("task", "task", "number of the task of the work order, from 1", Pulls.tasks, "whole"),
    Column("stage", "stage", "install stage", Pulls.stages, width=18),
    Column("crew", "crew", "crew that does the task, from 1", lambda t: t.of_task("crew"), "whole"),
    Column("day", "day", "working day on which the task starts, from 1", Pulls.days, "whole"),
    Column("kind", "what", "cable, trunk or jumper", lambda t: t.of("kind")),
    Column("cable", "cable", "number of the cable in the sheet cables; empty for a trunk", Pulls.cables, "whole"),
    Column("piece", "one piece with", "first cable of the same piece, such as a splitter; empty where it is one cable",
           lambda t: t.of("piece"), "whole"),
    Column("network", "network", "network of the cable", lambda t: t.of("network"), named=True),
    *_end("a"),
    *_end("b"),
    Column("label_a", "label, from", "text of the label", lambda t: t.of("label_a"), width=22),
    Column("label_b", "label, to", "text of the label", lambda t: t.of("label_b"), width=22),
    Column("part", "part", "catalog row of the part with the length", lambda t: t.of("part"), width=26),
    Column("stock_mm", "length to buy", "stock length", lambda t: t.of("stock_mm"), "whole", "mm"),
    Column("bundle", "bundle", "number of the loom, trunk or fiber, from 1; empty inside a cabinet and for jumpers",
           lambda t: t.of("bundle"), "whole"),
    Column("trays", "trays", "trays on the route, from → to", lambda t: t.of("trays"), width=34),
    Column("pulled", "pulled", "filled in by the crew: yes, or empty", content="tick"),
    Column("plugged_a", "plugged, from", "filled in by the crew: yes, or empty", content="tick"),
    Column("plugged_b", "plugged, to", "filled in by the crew: yes, or empty", content="tick"),
    Column("tested", "tested", "filled in by the crew: yes, or empty", content="tick"),
    Column("initials", "initials", "filled in by the crew: any text", content="note"),
    REMARK,
)  # fmt: skip


def _data(plan: Plan) -> Pulls | None:
    pulls = pulls_of(plan)
    return None if pulls is None else Pulls(plan, pulls)


WORK = Table(
    "work",
    "One row per cable, trunk and jumper, in the order of work: what a crew installs, and ticks off.",
    _data,
    COLUMNS,
    keys=1,
)
