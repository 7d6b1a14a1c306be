"""The cable schedule: one row per cable of the plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from planner.core.units import stock
from planner.domain.model import SIDES, CablePlan, Plan
from planner.domain.parts import Assembly
from planner.view.figures import SPACE, grouped
from planner.view.names import (
    branch_of_rows,
    cabinet_names,
    device_names,
    end_names,
    first_of_piece,
    network_of_rows,
    port_names,
    printed_ports,
    tray_names,
)
from planner.view.panels import PanelTexts
from planner.view.stages import stage_numbers
from planner.view.tables.table import (
    FILE_AND_PAGE,
    KEPT,
    NEW,
    REMARK,
    Column,
    Place,
    Table,
    installed,
    kept_or_new,
)


class Cables:
    """The cables of a plan, with the names that several columns need."""

    def __init__(self, plan: Plan, cables: CablePlan):
        self.plan, self.cables = plan, cables

    @property
    def numbers(self) -> range:
        return range(1, self.cables.cable_count + 1)

    @cached_property
    def cabinet_names(self) -> np.ndarray:
        return np.array(cabinet_names(self.plan))

    @cached_property
    def device_names(self) -> np.ndarray:
        return np.array(device_names(self.plan))

    @cached_property
    def networks(self) -> np.ndarray:
        """Name of the network of each cable, str (W,)."""
        return np.array(self.plan.inventory.network_names)[network_of_rows(self.plan)]

    def roles(self, side: int) -> np.ndarray:
        """Return the role of the device at one end of each cable, str (W,)."""
        return np.array(self.plan.inventory.role_names)[self.plan.inventory.role[self.cables.device[:, side]]]

    def device_kinds(self, side: int) -> np.ndarray:
        """Return whether the device at one end of each cable is a router or a node, str (W,)."""
        return np.where(self.plan.inventory.is_router[self.cables.device[:, side]], "router", "node")

    @cached_property
    def kind(self) -> np.ndarray:
        """Class of each link, or endpoint, str (W,)."""
        return np.array(self.plan.inventory.kind_names)[self.plan.inventory.kind]

    @cached_property
    def delay_ps(self) -> np.ndarray:
        """Delay of each cable, with error correction where latency is known, int64 (W,)."""
        fec_ps = self.plan.latency.fec_ps if self.plan.latency is not None else np.zeros(0, np.int64)
        return self.cables.delay_ps + (fec_ps[self.cables.assembly] if len(fec_ps) else 0)

    def trays(self, written: Callable[[Sequence[str]], str]) -> list[str]:
        """Return the trays on each route, from the first end, as text."""
        routes = [written(names) for names in tray_names(self.plan)]
        return [routes[route] if route >= 0 else "" for route in self.cables.route.tolist()]

    def bought_lengths(self) -> list[str]:
        """Return the stock lengths; for a cable over panels those of jumper, trunk and jumper."""
        columns = (self.cables.stock_mm, self.cables.leg_stock_mm, self.trunk_mm(), self.cables.carried)
        return [
            " | ".join(map(stock, (one, trunk, other))) if carried else stock(length)
            for length, (one, other), trunk, carried in zip(*(column.tolist() for column in columns), strict=True)
        ]

    @cached_property
    def _over_panels(self) -> tuple[PanelTexts | None, np.ndarray]:
        """The panels, and the place of each row in them, -1 for none."""
        texts = PanelTexts.of(self.plan)
        return texts, np.full(self.cables.cable_count, -1) if texts is None else texts.panels.of_row(self.cables.cable_count)

    def panel_ports(self, side: int) -> list[str]:
        """Return the panel port of the jumper at one end of each cable; empty without panels."""
        texts, place = self._over_panels
        ports = [] if texts is None else [texts.fronts[one] for one in texts.panels.jumper[:, side].tolist()]
        return [ports[one] if one >= 0 else "" for one in place.tolist()]

    def trunks(self) -> list[str]:
        """Return the trunk of each cable; empty without one."""
        texts, place = self._over_panels
        names = [] if texts is None else np.append(texts.panels.trunk_names, "")[texts.panels.trunk].tolist()
        return [names[one] if one >= 0 else "" for one in place.tolist()]

    def trunk_mm(self) -> np.ndarray:
        """Return the stock length of the trunk of each cable over panels, 0 for others, int64 (W,)."""
        stock = np.append(self.cables.bundle_stock_mm, 0)[self.cables.bundle]
        return np.where(self.cables.carried, stock, 0)

    def parts(self) -> list[str]:
        """Return the parts of each cable as text."""
        parts = [_part(assembly) for assembly in self.cables.assemblies]
        return [parts[number] for number in self.cables.assembly.tolist()]

    def bundles(self) -> list[int | None]:
        return [bundle + 1 if bundle >= 0 else None for bundle in self.cables.bundle.tolist()]

    def branches(self) -> list[int | None]:
        return [branch or None for branch in branch_of_rows(self.plan).tolist()]

    def pieces(self) -> list[int]:
        """Return for each row the first one of the same cable, from 1."""
        return first_of_piece(self.cables).tolist()

    def shared_pieces(self) -> list[int | None]:
        """Return for each row the first one of the same cable, from 1; None where the row is a cable by itself."""
        first = first_of_piece(self.cables)
        several = np.bincount(first)[first] > 1
        return [number if shared else None for number, shared in zip(first.tolist(), several.tolist(), strict=True)]

    def printed(self, side: int) -> list[str]:
        return printed_ports(self.plan, side)

    def number_texts(self) -> list[str]:
        """Return the number of each row, with the branch of a splitter cable."""
        branches = branch_of_rows(self.plan).tolist()
        return [grouped(number) + (f" branch{SPACE}{branch}" if branch else "") for number, branch in enumerate(branches, 1)]

    def kept(self) -> np.ndarray:
        """Return whether each connection is of the kept plan, as text (W,)."""
        kept = self.plan.kept
        is_kept = np.zeros(self.cables.cable_count, bool)
        if kept is not None:
            is_kept[kept.row[kept.kept_rows]] = True
        return np.where(is_kept, KEPT, NEW)

    def tasks(self) -> list[int | None]:
        """Return the task that installs each cable; None without a work order."""
        work = self.plan.work
        return [None] * self.cables.cable_count if work is None else (work.task + 1).tolist()


def _unbroken(end: str) -> str:
    """Return an end that breaks only between location and device, where both are short."""
    return ", ".join(text.replace(" ", SPACE) if len(text) < 20 else text for text in end.split(", "))


def route_text(trays: Sequence[str]) -> str:
    """Return the trays of a route as text; lines break between trays where names are short."""
    return f"{SPACE}→ ".join(name.replace(" ", SPACE) if len(name) < 20 else name for name in trays)


def _part(assembly: Assembly) -> str:
    ends = " / ".join(part for part in (assembly.end_part, assembly.end_part_b) if part)
    return f"{assembly.length_part} + {ends}" if ends else assembly.length_part


def _data(plan: Plan) -> Cables | None:
    return Cables(plan, plan.cables) if plan.cables is not None else None


# -- columns ----------------------------------------------------------------------------------


_FILE_AND_GRAPH: tuple[Place, ...] = ("file", "graph")


def _location(side: int) -> tuple[Column, ...]:
    letter, word = "ab"[side], ("first", "second")[side]
    return (
        Column(
            f"{letter}_cabinet", f"{word} end: cabinet", "name of the cabinet",
            lambda t: t.cabinet_names[t.cables.cabinet[:, side]],
            shown=FILE_AND_PAGE, short=f"{word} cabinet", link="cabinet", array="cabinet", side=side,
        ),
        Column(
            f"{letter}_unit", f"{word} end: rack unit", "lowest rack unit of the device",
            lambda t: t.cables.unit[:, side], "whole",
        ),
        Column(
            f"{letter}_device", f"{word} end: device", "name of the device",
            lambda t: t.device_names[t.cables.device[:, side]],
            shown=FILE_AND_PAGE, short=f"{word} end", link="device", array="device", side=side,
        ),
        Column(
            f"{letter}_role", f"{word} end: role", "role of the device: leaf, spine, node …", lambda t: t.roles(side),
            shown=_FILE_AND_GRAPH, named=True,
        ),
        Column(
            f"{letter}_kind", f"{word} end: kind of device", "router, or node", lambda t: t.device_kinds(side), named=True,
        ),
        Column(
            f"{letter}_port", f"{word} end: port", "port of the device, from 1", lambda t: t.cables.port[:, side], "whole",
            shown=_FILE_AND_GRAPH, array="port", side=side,
        ),
        Column(
            f"{letter}_port_name", f"{word} end: port name", "port as printed on the device: its group, and its number there",
            lambda t: port_names(t.plan, side), shown=_FILE_AND_GRAPH, named=True,
        ),
        Column(
            f"{letter}_printed", f"{word} end: printed port",
            "port as printed on the device: of cages with several ports the cage and the port in it, such as 6/2",
            lambda t: t.printed(side), shown=FILE_AND_PAGE, short=f"{word} port",
        ),
    )  # fmt: skip


def _end(side: int) -> Column:
    """Return the column with the whole of one end in one cell, on paper."""
    name, word = (("from", "first"), ("to", "second"))[side]
    meaning = f"{word} end: cabinet, unit, device, and port as printed on it"
    return Column(name, name, meaning, lambda t: [_unbroken(end) for end in end_names(t.plan, side)], shown=("paper",), firm=True)


_BUILT = tuple(
    Column(f"built_{letter}_{name}", f"as built, {word} end: {name}", "filled in by the crew where it is not as planned",
           content="name", width=14)
    for letter, word in (("a", "first"), ("b", "second")) for name in ("cabinet", "device", "port", "label")
)  # fmt: skip

COLUMNS = (
    Column("cable", "cable", "number of the row, from 1", lambda t: t.numbers, "whole", shown=("file", "page"),
           link="cable"),
    Column("number", "cable", "number of the row, and of the branch of a splitter cable, from 1", Cables.number_texts,
           shown=("paper",), align="right", firm=True),
    Column("network", "network", "network of the cable", lambda t: t.networks,
           shown=("file", "paper", "page", "card", "graph"),
           named=True),
    Column("branch", "branch", "branch of a splitter cable, from 1; empty for other cables", Cables.branches, "whole"),
    Column("piece", "one cable with", "first row of the same twin-port or splitter cable; empty where the row is a cable",
           Cables.shared_pieces, "whole"),
    Column("kind", "kind", "class of the link, or endpoint", lambda t: t.kind,
           shown=("file", "page", "card", "graph"), width=18),
    kept_or_new(Cables.kept, "kept: a connection of the kept plan, with its ports; new: to be installed"),
    Column("label_a", "label, first end", "text of the label", lambda t: t.cables.label_a,
           shown=("file", "paper", "page", "graph"), width=24),
    Column("label_b", "label, second end", "text of the label", lambda t: t.cables.label_b,
           shown=("file", "paper", "page", "graph"), width=24),
    _end(0),
    _end(1),
    *_location(0),
    *_location(1),
    Column("part", "part", "catalog row of the part with the length", lambda t: t.cables.of_assembly("length_part"),
           shown=("file", "page", "card", "graph"), width=26),
    Column("parts", "part", "parts with the length and at the ends", Cables.parts, shown=("paper",)),
    Column("end_part", "plug or module, first end", "catalog row; empty where it is part of the cable",
           lambda t: t.cables.of_assembly("end_part"), shown=("file", "card"), width=26, collapsed=True),
    Column("end_part_b", "plug or module, second end", "catalog row; empty where it is part of the cable",
           lambda t: np.array([made.ends[1].part for made in t.cables.assemblies], object)[t.cables.assembly],
           shown=("file", "card"), width=26, collapsed=True),
    Column("connector_a", "connector, first end", "connector in the cage", lambda t: t.cables.of_assembly("connector_a"),
           shown=("file", "card", "graph"), width=16, collapsed=True),
    Column("connector_b", "connector, second end", "connector in the cage", lambda t: t.cables.of_assembly("connector_b"),
           shown=("file", "card", "graph"), width=16, collapsed=True),
    Column("medium", "medium", "copper, active copper or optical", lambda t: t.cables.of_assembly("medium"),
           shown=("file", "page", "card", "graph"), collapsed=True),
    Column("stock_mm", "length to buy", "stock length; over panels the jumpers and their bundle", lambda t: t.cables.stock_mm,
           "whole", "mm", shown=("file", "page", "graph"), short="stock"),
    Column("lengths", "stock", "stock length; over panels those of jumper, trunk and jumper", Cables.bought_lengths, unit="m",
           kind="stock", shown=("paper",), align="right"),
    Column("run_mm", "run length", "run length of the route", lambda t: t.cables.run_mm, "whole", "mm",
           shown=("file", "paper", "page", "graph"), short="run", collapsed=True),
    Column("rise_a_mm", "rise, first end", "length inside the first cabinet", lambda t: t.cables.rise_mm[:, 0], "whole", "mm",
           collapsed=True, run_part="in the cabinet, first end", array="rise_mm", side=0),
    Column("drop_a_mm", "drop, first end", "length from the first cabinet to its tray", lambda t: t.cables.drop_mm[:, 0],
           "whole", "mm", collapsed=True, run_part="to the tray, first end", array="drop_mm", side=0),
    Column("tray_mm", "tray", "length along trays", lambda t: t.cables.tray_mm, "whole", "mm", collapsed=True,
           run_part="along trays"),
    Column("drop_b_mm", "drop, second end", "length from the second cabinet to its tray", lambda t: t.cables.drop_mm[:, 1],
           "whole", "mm", collapsed=True, run_part="to the tray, second end", array="drop_mm", side=1),
    Column("rise_b_mm", "rise, second end", "length inside the second cabinet", lambda t: t.cables.rise_mm[:, 1], "whole", "mm",
           collapsed=True, run_part="in the cabinet, second end", array="rise_mm", side=1),
    Column("slack_ends_mm", "slack at the ends", "slack for dressing and plugging", lambda t: t.cables.slack_mm[:, 0],
           "whole", "mm", collapsed=True, run_part="slack at both ends"),
    Column("slack_loops_mm", "slack in loops", "slack in service loops", lambda t: t.cables.slack_mm[:, 1],
           "whole", "mm", collapsed=True, run_part="service loops"),
    Column("slack_share_mm", "slack as a share", "slack as a percentage of rise, drop and tray",
           lambda t: t.cables.slack_mm[:, 2], "whole", "mm", collapsed=True, run_part="slack, percentage of the route"),
    Column("slack_below_mm", "slack given up", "how much less slack than nominal, to avoid a longer cable",
           lambda t: t.cables.slack_below_mm, "whole", "mm", collapsed=True),
    Column("override_mm", "override", "correction by an override of the study", lambda t: t.cables.override_mm, "whole", "mm",
           collapsed=True, run_part="override of the study"),
    Column("margin_mm", "margin to the run", "stock length minus run length", lambda t: t.cables.stock_mm - t.cables.run_mm,
           "whole", "mm", collapsed=True),
    Column("a_side", "first end: side", "side by which the cable leaves the cabinet",
           lambda t: np.array(SIDES)[t.cables.egress[:, 0]], collapsed=True),
    Column("b_side", "second end: side", "side by which the cable leaves the cabinet",
           lambda t: np.array(SIDES)[t.cables.egress[:, 1]], collapsed=True),
    Column("a_jumper_mm", "first end: jumper", "stock length of the jumper to the panel; 0 without",
           lambda t: t.cables.leg_stock_mm[:, 0], "whole", "mm", collapsed=True),
    Column("b_jumper_mm", "second end: jumper", "stock length of the jumper to the panel; 0 without",
           lambda t: t.cables.leg_stock_mm[:, 1], "whole", "mm", collapsed=True),
    Column("a_panel", "first end: panel", "panel and port of the jumper; empty without panels", lambda t: t.panel_ports(0),
           collapsed=True, width=18),
    Column("b_panel", "second end: panel", "panel and port of the jumper; empty without panels", lambda t: t.panel_ports(1),
           collapsed=True, width=18),
    Column("trunk", "trunk", "trunk or multi-core fiber between the panels; empty without", Cables.trunks, collapsed=True,
           width=22),
    Column("trunk_mm", "trunk length", "stock length of that trunk; 0 without", Cables.trunk_mm, "whole", "mm", collapsed=True),
    Column("trays", "trays", "trays on the route, from the first end", lambda t: t.trays(" > ".join), shown=_FILE_AND_GRAPH,
           width=36),
    Column("route", "trays on the route", "trays on the route, from the first end", lambda t: t.trays(route_text),
           shown=("paper",)),
    Column("bundle", "bundle", "number of the loom, trunk or fiber, from 1; empty inside a cabinet", Cables.bundles, "whole",
           shown=("file", "paper", "page", "card", "graph"), link="bundle", array="bundle"),
    Column("stage", "stage", "install stage", lambda t: np.array(t.cables.stage_names)[t.cables.stage],
           shown=("file", "page", "card", "graph"), width=16),
    Column("stage_number", "stage", "number of the install stage in the order of work, from 1",
           lambda t: stage_numbers(t.plan)[t.cables.stage], "whole",
           shown=("paper",)),
    Column("task", "task", "number of the task of the work order, from 1", Cables.tasks, "whole", shown=("paper",)),
    Column("delay_ps", "delay", "delay over the stock length, with error correction", lambda t: t.delay_ps, "whole", "ps",
           shown=("page", "card")),
    installed(shown=("file", "paper"), short="done", align="center"),
    Column("actual_mm", "actual length", "filled in by the crew: a whole number", content="whole", unit="mm"),
    Column("installer", "installer", "filled in by the crew: any text", content="note", width=18),
    Column("installed_on", "installed on", "filled in by the crew: a date", content="date", unit="date"),
    *_BUILT,
    REMARK,
)  # fmt: skip

CABLES = Table("cables", "One row per link, then one per endpoint.", _data, COLUMNS, keys=1)
