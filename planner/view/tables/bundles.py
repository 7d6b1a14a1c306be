"""The bundles: looms, trunks and fibers."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from planner.domain.model import CablePlan, Plan
from planner.view.figures import SPACE, runs
from planner.view.names import cabinet_names, tray_names
from planner.view.tables.cables import route_text
from planner.view.tables.table import EVERYWHERE, REMARK, Column, Table, installed

PANEL = "panel in the trays"


class Bundles:
    """The bundles of a plan with cables."""

    def __init__(self, plan: Plan, cables: CablePlan):
        self.plan, self.cables = plan, cables

    @property
    def numbers(self) -> range:
        return range(1, len(self.cables.bundle_kind) + 1)

    def parts(self) -> list[str]:
        """Return the trunk or fiber of each; empty for looms."""
        return [self.cables.bundle_parts[part] if part >= 0 else "" for part in self.cables.bundle_part.tolist()]

    def ends(self, side: int) -> list[str]:
        """Return the cabinet or panel frame at one end of each; inside the shuffle boxes of an area the place of these."""
        places = [*cabinet_names(self.plan), PANEL]
        largest = self.plan.bundlings.largest if self.plan.bundlings is not None else ()
        named = {big.number: big.ends[side] for big in largest}
        ends = self.cables.bundle_cabinet[:, side].tolist()
        if (panels := self.plan.panels) is not None:
            frames = panels.frame_names[panels.trunk_frame[:, side]].tolist()
            named |= dict(zip(panels.trunk_bundle.tolist(), frames, strict=True))
            ends = np.where(np.isin(np.arange(len(ends)), panels.trunk_bundle), -1, ends).tolist()
        return [places[end] if end >= 0 else named.get(number, PANEL) for number, end in enumerate(ends)]

    @cached_property
    def _rows(self) -> list[np.ndarray]:
        """The rows of each bundle, ascending, int64."""
        order = np.argsort(self.cables.bundle, kind="stable")
        starts = np.searchsorted(self.cables.bundle[order], np.arange(len(self.numbers) + 1))
        return np.split(order, starts)[1:-1]

    def numbers_of_cables(self) -> list[str]:
        """Return the number of cables of each, and their numbers."""
        return [f"{len(rows)}:{SPACE}{runs((rows + 1).tolist())}" for rows in self._rows]

    def trays(self) -> list[str]:
        """Return the trays along the route of the first cable of each, or of the trunk."""
        texts = [route_text(names) for names in tray_names(self.plan)]
        routes = [self.cables.route[rows[0]] if len(rows) else -1 for rows in self._rows]
        if (panels := self.plan.panels) is not None:
            for bundle, route in zip(panels.trunk_bundle.tolist(), panels.trunk_route.tolist(), strict=True):
                routes[bundle] = route
        return [texts[route] if route >= 0 else "" for route in routes]

    def links(self) -> np.ndarray:
        """Return the number of links in each, int64 (B,)."""
        bundle = self.cables.bundle
        return np.bincount(bundle[bundle >= 0], minlength=len(self.cables.bundle_kind))


COLUMNS = (
    Column("bundle", "bundle", "number of the bundle, from 1", lambda t: t.numbers, "whole", shown=EVERYWHERE, link="bundle"),
    Column("kind", "kind", "kind of bundle", lambda t: np.array(t.cables.bundle_kinds)[t.cables.bundle_kind],
           shown=(*EVERYWHERE, "card"), width=18),
    Column("part", "part", "trunk or fiber that is bought; empty for looms", Bundles.parts, shown=(*EVERYWHERE, "card"),
           width=26),
    Column("a_cabinet", "first end: cabinet", "cabinet, or panel frame", lambda t: t.ends(0), shown=EVERYWHERE,
           short="from", link="cabinet", array="cabinet", side=0),
    Column("b_cabinet", "second end: cabinet", "cabinet, or panel frame", lambda t: t.ends(1), shown=EVERYWHERE,
           short="to", link="cabinet", array="cabinet", side=1),
    Column("cables", "cables", "its cables, by number", Bundles.numbers_of_cables, shown=("paper",)),
    Column("links", "links", "number of links in the bundle", Bundles.links, "whole", shown=("file", "page", "card"),
           short="cables"),
    Column("capacity", "capacity", "maximum number of links", lambda t: t.cables.bundle_capacity, "whole"),
    Column("diameter_um", "diameter", "outer diameter", lambda t: t.cables.bundle_diameter_um, "whole", "µm",
           shown=(*EVERYWHERE, "card")),
    Column("bend_mm", "bend radius", "minimum bend radius of the center line", lambda t: t.cables.bundle_bend_mm, "whole", "mm"),
    Column("bend", "bend", "minimum bend radius of the center line", lambda t: t.cables.bundle_bend_mm, "whole", "mm", "size",
           shown=("paper",)),
    Column("run_mm", "run length", "run length; of looms that of the longest cable", lambda t: t.cables.bundle_run_mm,
           "whole", "mm", shown=(*EVERYWHERE, "card"), short="run"),
    Column("stock_mm", "length to buy", "stock length; of looms that of the longest cable", lambda t: t.cables.bundle_stock_mm,
           "whole", "mm", shown=("file", "paper", "card"), short="stock"),
    Column("trays", "trays on the route", "trays along the route of the trunk, or of the first cable", Bundles.trays,
           shown=("paper",)),
    installed(shown=("file", "paper"), short="done", align="center"),
    REMARK,
)  # fmt: skip

BUNDLES = Table(
    "bundles", "One row per loom, trunk or fiber.",
    lambda plan: Bundles(plan, plan.cables) if plan.cables is not None else None, COLUMNS, keys=1,
)  # fmt: skip
