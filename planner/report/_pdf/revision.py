"""Revision and sign-off: history of the drawings, signatures, and the list of changes since an older plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from planner.model import Plan
from planner.model.project import Project
from planner.report._changes import KINDS, Change, Changes
from planner.report._figures import grouped
from planner.report._pdf.blocks import Block, heading, paragraph, sheets, space
from planner.report._pdf.canvas import DARK, MUTED, RULE, Pen
from planner.report._pdf.fonts import BOLD
from planner.report._pdf.sheet import TEXT_WIDTH, Mark, Sheet, fingerprint
from planner.report._pdf.table import Column, filled, table

_FACTS = ("client", "project", "site", "drawing", "revision", "date")
_ROLES = ("drawn", "checked", "approved")
_TO_SIGN = (("role", 0.22), ("name", 0.28), ("signature", 0.32), ("date", 0.18))
_BOX = 30.0


def revision_sheets(plan: Plan, project: Project | None, found: Changes | None) -> list[Sheet]:
    """Return the sheets of a project: facts, history, signatures, and changes where an older plan is given."""
    if project is None and found is None:
        return []
    title = "Revision and sign-off" if project is not None else "Changes"
    blocks: list[Block] = [heading(title, Mark("revision", title))]
    if project is not None:
        facts = [(name, text) for name in _FACTS if (text := project.text(name))]
        blocks += [*table((Column("project"), Column("")), [*facts, ("plan", fingerprint(plan))], TEXT_WIDTH, 8), space(10)]
        blocks += [*_history(project), *_signatures(project)]
    if found is not None:
        blocks += [space(8), *_changes(found)]
    return sheets(title, blocks)


def _history(project: Project) -> list[Block]:
    if not project.revisions:
        return []
    columns = (Column("revision"), Column("date"), Column("change"), Column("approved"))
    rows = [(each.revision, "" if each.date is None else str(each.date), each.text, each.approved) for each in project.revisions]
    return [heading("History", size=11), *table(*filled(columns, rows), TEXT_WIDTH, 8), space(10)]


def _signatures(project: Project) -> list[Block]:
    """Return a box to sign for each role."""
    text = (
        "Each person signs for all sheets of this document. The fingerprint of the plan at the foot of every sheet is that of "
        "the plan's records: a sheet with another one belongs to another plan."
    )
    roles = [*((role, project.text(role)) for role in _ROLES), *(tuple(text.partition(": ")[::2]) for text in project.signers)]
    titles = Block(14, lambda pen, x, top: _cells(pen, x, top - 10, [name for name, _ in _TO_SIGN], 7, MUTED), keep=True)
    lines = [Block(_BOX, _line(role, name), keep=True) for role, name in roles]
    return [heading("Sign-off", size=11), paragraph(text, keep=True), titles, *lines, space(4)]


def _line(role: str, name: str):
    def draw(pen: Pen, x: float, top: float) -> None:
        left = x
        for _, share in _TO_SIGN:
            pen.box(left, top - _BOX, TEXT_WIDTH * share, _BOX, None, RULE, weight=0.6)
            left += TEXT_WIDTH * share
        _cells(pen, x, top - _BOX / 2 - 3, [role, name], 8, DARK)

    return draw


def _cells(pen: Pen, x: float, y: float, texts: Sequence[str], size: float, color) -> None:
    for text, (_, share) in zip(texts, _TO_SIGN, strict=False):
        pen.text(x + 5, y, text, size, font=BOLD, color=color, width=TEXT_WIDTH * share - 10)
        x += TEXT_WIDTH * share


def _changes(found: Changes) -> list[Block]:
    """Return the moved devices, and the changed cables by kind."""
    title = heading("Changes since the older plan", Mark("changes", "Changes since the older plan", 1), 11)
    if not found.cables and not found.moves:
        return [title, paragraph("No device was moved, and no cable was added, removed, re-plugged, re-routed or replaced.")]
    counts = Counter(change.kind for change in found.cables)
    listed = ", ".join(f"{grouped(counts[kind])} {kind}" for kind in KINDS if counts[kind])
    text = (
        f"{grouped(len(found.moves))} devices moved; {grouped(len(found.cables))} cables changed{': ' * bool(listed)}{listed}. "
        "Cables are the same if they join the same two ports of the same devices. A cable with several changes is listed once; "
        "one that only follows its devices is not listed. Numbers are those of the rows in the two schedules."
    )
    blocks = [title, paragraph(text, keep=True)]
    if found.moves:
        columns = (Column("moved device"), Column("from"), Column("to"))
        blocks += [*table(columns, found.moves, TEXT_WIDTH * 0.6, 6.5), space(8)]
    if found.cables:
        columns = (Column("change"), Column("old", "right"), Column("new", "right"), Column("difference"))
        blocks += table(columns, list(map(_row, found.cables)), TEXT_WIDTH, 6.5)
    return blocks


def _row(change: Change) -> tuple[str, ...]:
    old, new = change.old, change.new
    what = change.what if old is None or new is None else f"{new.a} to {new.b}: {change.what}"
    return change.kind, grouped(old.number) if old else "", grouped(new.number) if new else "", what
