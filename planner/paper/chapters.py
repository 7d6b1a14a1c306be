"""The chapters of the report in order, what kind of sheet each has, and who needs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from planner.domain.model import Plan
from planner.paper.bill import bill_sheets
from planner.paper.blocks import flowing
from planner.paper.bundles import bundle_list_sheets, bundle_sheets
from planner.paper.cabinet import Chosen, cabinet_chapters
from planner.paper.charts import cable_charts
from planner.paper.contents import index_sheets
from planner.paper.delivery import delivery_sheets
from planner.paper.existing import existing_sheets
from planner.paper.failures import failure_sheets
from planner.paper.findings import assumption_sheets, violation_sheets
from planner.paper.floor import floor_sheets
from planner.paper.guide import guide_sheets
from planner.paper.jobs import job_sheets
from planner.paper.labeling.labels import Codes
from planner.paper.latency import latency_sheets
from planner.paper.near_misses import near_miss_sheets
from planner.paper.panels import panel_sheets
from planner.paper.placement import placement_sheets
from planner.paper.sheet import Sheet
from planner.paper.simulation import simulation_sheets
from planner.paper.site import site_sheets
from planner.paper.trays import tray_sheets
from planner.paper.work import work_sheets
from planner.view.cabinets import Cabinet
from planner.view.legs import chosen_work
from planner.view.names import networks_with
from planner.view.selection import WHOLE

Reader = Literal["crew", "buyer", "site manager", "architect"]

READERS: tuple[Reader, ...] = ("crew", "buyer", "site manager", "architect")
"""For whom a part of the report is printed: installers, purchase, the owner of the room, the network's planner."""


@dataclass(frozen=True)
class Scope:
    """What is printed: the plan, its cabinets, the paper of drawings, the cabinets with sheets of their own, and QR codes."""

    plan: Plan
    cabinets: Sequence[Cabinet]
    paper: str
    codes: Codes
    chosen: Chosen | None = None


@dataclass(frozen=True)
class Chapter:
    """One chapter: its sheets, their kind in the sheet index, its readers, and whether the whole report has it."""

    kind: str
    make: Callable[[Scope], list[Sheet]]
    readers: frozenset[Reader]
    in_whole: bool = True


def _chapter(kind: str, make: Callable[[Scope], list[Sheet]], *readers: Reader, in_whole: bool = True) -> Chapter:
    return Chapter(kind, make, frozenset(readers), in_whole)


def _tasks(scope: Scope) -> list[Sheet]:
    plan = scope.plan
    if plan.work is None or not plan.work.task_count:
        return []
    return job_sheets(plan, chosen_work(plan, WHOLE), "Tasks", scope.codes)


def _of_each_network(record: str, make: Callable[[Plan], list[Sheet]]) -> Callable[[Scope], list[Sheet]]:
    return lambda scope: [sheet for one in networks_with(scope.plan, record) for sheet in make(one)]


_APART = ("drawing", "schedule")
"""Kinds of sheets that are handed out one by one: their chapters begin on sheets of their own."""

CHAPTERS = (
    _chapter("text", lambda s: guide_sheets(s.plan), "crew", "architect"),
    _chapter("drawing", lambda s: floor_sheets(s.plan, s.cabinets, s.paper), "crew", "site manager", "architect"),
    _chapter("table", lambda s: existing_sheets(s.plan), "site manager", "architect"),
    _chapter("figures", lambda s: placement_sheets(s.plan), "architect"),
    _chapter("table", lambda s: site_sheets(s.plan, s.cabinets), "site manager", "architect"),
    _chapter("table", lambda s: delivery_sheets(s.plan, s.cabinets), "site manager", "buyer"),
    _chapter("table", lambda s: bill_sheets(s.plan, s.cabinets), "buyer"),
    _chapter("table", lambda s: near_miss_sheets(s.plan), "architect"),
    _chapter("figures", lambda s: cable_charts(s.plan), "buyer", "architect"),
    _chapter("table", lambda s: bundle_sheets(s.plan), "buyer", "architect"),
    _chapter("figures", _of_each_network("latency", latency_sheets), "architect"),
    _chapter("figures", _of_each_network("failures", failure_sheets), "architect"),
    _chapter("figures", lambda s: simulation_sheets(s.plan), "architect"),
    _chapter("table", lambda s: violation_sheets(s.plan), "site manager", "architect"),
    _chapter("table", lambda s: assumption_sheets(s.plan), "buyer", "site manager", "architect"),
    _chapter("table", lambda s: work_sheets(s.plan), "crew"),
    _chapter("schedule", _tasks, "crew", in_whole=False),
    _chapter("table", lambda s: tray_sheets(s.plan), "crew", "site manager", "architect"),
    _chapter("table", lambda s: bundle_list_sheets(s.plan), "crew"),
    _chapter("schedule", lambda s: panel_sheets(s.plan), "crew", "architect"),
    _chapter("schedule", lambda s: cabinet_chapters(s.plan, s.chosen, s.cabinets) if s.chosen else [], "crew"),
    _chapter("index", lambda s: index_sheets(s.plan, s.cabinets), "crew"),
)
"""Every chapter in order."""


def chapters(scope: Scope, reader: Reader | None = None) -> list[Sheet]:
    """Return the sheets of all chapters, or of those for one reader; chapters of text, tables and figures share sheets."""
    wanted = [each for each in CHAPTERS if (each.in_whole if reader is None else reader in each.readers)]
    made = [replace(sheet, kind=each.kind) for each in wanted for sheet in each.make(scope)]
    found: list[Sheet] = []
    for apart, group in groupby(made, key=lambda sheet: sheet.kind in _APART):
        run = list(group)
        found += run if apart else flowing(run)
    return found
