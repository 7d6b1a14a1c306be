"""The bundles: looms, trunks and fibers."""

from __future__ import annotations

import numpy as np

from planner.model import CablePlan, Plan
from planner.report._names import cabinet_names
from planner.report.tables.table import FILE_AND_PAGE, REMARK, Column, Table, installed

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
        """Return the cabinet or panel at one end of each."""
        places = [*cabinet_names(self.plan), PANEL]
        return [places[end] for end in self.cables.bundle_cabinet[:, side].tolist()]

    def links(self) -> np.ndarray:
        """Return the number of links in each, int64 (B,)."""
        bundle = self.cables.bundle
        return np.bincount(bundle[bundle >= 0], minlength=len(self.cables.bundle_kind))


COLUMNS = (
    Column("bundle", "bundle", "number of the bundle, from 1", lambda t: t.numbers, "whole", shown=FILE_AND_PAGE, link="bundle"),
    Column("kind", "kind", "kind of bundle", lambda t: np.array(t.cables.bundle_kinds)[t.cables.bundle_kind],
           shown=("file", "page", "card"), width=18),
    Column("part", "part", "trunk or fiber that is bought; empty for looms", Bundles.parts, shown=("file", "page", "card"),
           width=26),
    Column("a_cabinet", "first end: cabinet", "cabinet, or panel in the trays", lambda t: t.ends(0), shown=FILE_AND_PAGE,
           short="from", link="cabinet", array="cabinet", side=0),
    Column("b_cabinet", "second end: cabinet", "cabinet, or panel in the trays", lambda t: t.ends(1), shown=FILE_AND_PAGE,
           short="to", link="cabinet", array="cabinet", side=1),
    Column("links", "links", "number of links in the bundle", Bundles.links, "whole", shown=("file", "page", "card"),
           short="cables"),
    Column("capacity", "capacity", "maximum number of links", lambda t: t.cables.bundle_capacity, "whole"),
    Column("diameter_um", "diameter", "outer diameter", lambda t: t.cables.bundle_diameter_um, "whole", "µm",
           shown=("file", "page", "card")),
    Column("bend_mm", "bend radius", "minimum bend radius of the center line", lambda t: t.cables.bundle_bend_mm, "whole", "mm"),
    Column("run_mm", "run length", "run length; of looms that of the longest cable", lambda t: t.cables.bundle_run_mm,
           "whole", "mm", shown=("file", "page", "card"), short="run"),
    Column("stock_mm", "length to buy", "stock length; of looms that of the longest cable", lambda t: t.cables.bundle_stock_mm,
           "whole", "mm", shown=("file", "card"), short="stock"),
    installed(),
    REMARK,
)  # fmt: skip

BUNDLES = Table(
    "bundles", "One row per loom, trunk or fiber.",
    lambda plan: Bundles(plan, plan.cables) if plan.cables is not None else None, COLUMNS, keys=1,
)  # fmt: skip
