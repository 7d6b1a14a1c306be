"""The change order: number, revision, date, reason, what changes, cost, crew hours, affected cabinets, and boxes to sign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from planner.core.names import natural
from planner.domain.model import Plan
from planner.domain.model.project import Project
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.revision import history, sign_off
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet, fingerprint
from planner.paper.table import Column, filled, table
from planner.studies.diff.outputs._facts import counts
from planner.studies.diff.replacement import replacements
from planner.studies.diff.result import Comparison
from planner.view.figures import grouped, money
from planner.view.project import project_of

TITLE = "Change order"

_ROLES = ("drawn", "checked", "approved")
_SHOWN = 12
"""Maximum number of changed devices that are listed by name; all are in the list of changes."""


def order_sheets(found: Comparison) -> list[Sheet]:
    """Return the change order; none where the new plan states no project."""
    project = project_of(found.new.titled)
    return [] if project is None else sheets(TITLE, _blocks(found, project))


def number(project: Project) -> str:
    """Return the number of the change order: that of the drawing, and the revision."""
    return "-".join(filter(None, (project.drawing, project.revision)))


def reason(project: Project) -> str:
    """Return why the plan changes: the text of the history for this revision."""
    return next((each.text for each in project.revisions if each.revision == project.revision), "")


def _blocks(found: Comparison, project: Project) -> Iterator[Block]:
    yield heading(TITLE, Mark("order", TITLE))
    stated = [(name, project.text(name)) for name in ("client", "project", "site", "drawing", "revision", "date")]
    facts = [("number", number(project)), *stated, ("reason", reason(project)), *_plans(found), *_effort(found)]
    yield from table((Column("change order", firm=True), Column("")), [each for each in facts if each[1]], TEXT_WIDTH, 8)
    yield space(8)
    yield heading("What changes", size=11)
    columns = (Column("", firm=True), Column("devices", "right"), Column("cables", "right"))
    yield from table(columns, [row for row in counts(found) if row[1:] != ("0", "0")], TEXT_WIDTH * 0.45, 8)
    if listed := _devices(found):
        yield space(6)
        yield from table((Column("change", firm=True), Column("devices")), listed, TEXT_WIDTH, 8)
    yield space(8)
    yield heading("Affected cabinets, with their entries of the work order", size=11)
    cabinets = Counter(action.cabinet for action in found.actions)
    names = sorted(cabinets, key=natural)
    if names:
        # Three cabinets next to each other.
        own = [[text for name in names[place : place + 3] for text in (name, grouped(cabinets[name]))]
               for place in range(0, len(names), 3)]  # fmt: skip
        side_by_side = (Column("cabinet", firm=True), Column("work order", "right")) * 3
        shown, cells = filled(side_by_side, [[*row, *[""] * (6 - len(row))] for row in own])
        yield from table(shown, cells, TEXT_WIDTH * len(shown) / 6, 7.5)
    else:
        yield paragraph("None.")
    yield space(8)
    yield from history(project)
    yield heading("Sign-off", size=11)
    roles = [*((role, project.text(role)) for role in _ROLES), *(text.partition(": ")[::2] for text in project.signers)]
    yield from sign_off("The order is released when all have signed. Work follows the work order of this document.", roles)


def _plans(found: Comparison) -> Iterator[tuple[str, str]]:
    for name, given in (("plan before", found.old), ("plan after", found.new)):
        yield name, _plan(given.titled, str(given.path))


def _plan(plan: Plan, path: str) -> str:
    return f"{plan.title or plan.name} ({path}), {fingerprint(plan)}" if plan.provenance.get("plan") else path


def _effort(found: Comparison) -> Iterator[tuple[str, str]]:
    bill = found.bill
    yield "cost", "unknown" if bill is None else f"{money(bill.cents)} {bill.currency}"
    hours = None if bill is None or bill.labor_s is None else bill.labor_s / 3600
    yield "crew hours", "unknown: the labor rates have no times" if hours is None else f"{hours:,.1f} person-hours"


def _devices(found: Comparison) -> list[tuple[str, str]]:
    """Return the changed devices by kind; those that another part replaces come first."""
    replaced = {each.name: f"{each.name}: {each.old_part} → {each.new_part}" for each in replacements(found)}
    names: dict[str, list[str]] = {"replaced": list(replaced.values())}
    for each in found.found.changed_devices:
        if (name := each.new or each.old) not in replaced:
            names.setdefault(each.kind, []).append(name)
    return [(kind, _some(own)) for kind, own in names.items() if own]


def _some(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {grouped(more)} more" if more > 0 else "")
