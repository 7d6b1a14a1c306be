"""Rows of the tables of a plan that belong to a selection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from planner.domain.model import Plan
from planner.view.legs import chosen_work
from planner.view.names import cabinet_names, device_names
from planner.view.selection import Selection
from planner.view.tables import ABOUT, WORK, Table, identification, tables_of


class Sheet(NamedTuple):
    """A table with its rows."""

    table: Table
    rows: list[tuple[Any, ...]]


def sheets(plan: Plan, selection: Selection) -> list[Sheet]:
    """Return the tables of a plan; of a selection those of cables, and of what their ends touch.

    Raises
    ------
    InputError
        When the plan lacks the part of the selection.
    """
    tables = tables_of(plan)
    if selection.is_whole:
        whole = {name: Sheet(table, table.rows(plan)) for name, table in tables.items() if name != ABOUT.name}
        return [whole.get(name) or _about(plan, whole.values()) for name in tables]
    touched = _touched(plan, selection)
    found = [_work(plan, selection)]
    for name, (column, values) in touched.items():
        if name in tables:
            place = [each.name for each in tables[name].planned].index(column)
            found.append(Sheet(tables[name], [row for row in tables[name].rows(plan) if row[place] in values]))
    return [*found, _about(plan, found, ("selection", str(selection)))]


def _about(plan: Plan, found: Iterable[Sheet], *further: tuple[str, str]) -> Sheet:
    """Return the table of the plan, with the number of rows of the tables found."""
    counts = ((f"rows: {sheet.table.name}", len(sheet.rows)) for sheet in found)
    return Sheet(tables_of(plan)[ABOUT.name], [*identification(plan), *further, *counts])


def _work(plan: Plan, selection: Selection) -> Sheet:
    """Return the work that the selection means: of a stage, a crew or a task only its own, not all that its cables need."""
    chosen, table = set(selection.cables(plan).tolist()), tables_of(plan)[WORK.name]
    tasks = {None} if plan.work is None else {each.task for each in chosen_work(plan, selection)}
    wanted = (each.task in tasks and not chosen.isdisjoint(each.rows) for each in WORK.data(plan).pulls)
    return Sheet(table, [row for row, kept in zip(table.rows(plan), wanted, strict=True) if kept])


def _touched(plan: Plan, selection: Selection) -> dict[str, tuple[str, set[Any]]]:
    """Return for each table the column and its values that the selection touches."""
    chosen, cables = selection.cables(plan), plan.cables
    assert cables is not None
    numbers = set((chosen + 1).tolist())
    cabinets, devices = cabinet_names(plan), device_names(plan)
    at = {cabinets[each] for each in set(cables.cabinet[chosen].ravel().tolist())}
    of = {devices[each] for each in set(cables.device[chosen].ravel().tolist())}
    bundles = {bundle + 1 for bundle in set(cables.bundle[chosen].tolist()) if bundle >= 0}
    return {
        "cables": ("cable", numbers),
        "cabinets": ("cabinet", at),
        "devices": ("device", of),
        "routers": ("router", of),
        "ports": ("cable", numbers),
        "bundles": ("bundle", bundles),
        "panels": ("cable", numbers),
        "trunks": ("bundle", bundles),
    }
