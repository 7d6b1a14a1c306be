"""Revision and sign-off: history of the drawings, signatures, and the list of changes since an older plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from reportlab.lib.colors import Color

from planner.domain.model import Plan
from planner.domain.model.project import Project
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import DARK, MUTED, RULE, Pen
from planner.paper.fonts import BOLD
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet, fingerprint
from planner.paper.table import Column, filled, table
from planner.view.figures import grouped
from planner.view.schedule import CHANGES, MOVED, RELABELED, Change, DeviceChange, Difference, changes

_FACTS = ("client", "project", "site", "drawing", "revision", "date")
_ROLES = ("drawn", "checked", "approved")
_TO_SIGN = (("role", 0.22), ("name", 0.28), ("signature", 0.32), ("date", 0.18))
_BOX = 30.0


def revision_sheets(plan: Plan, project: Project | None, found: Difference | None) -> list[Sheet]:
    """Return the sheets of a project: facts, history, signatures, and changes where an older plan is given."""
    if project is None and found is None:
        return []
    title = "Revision and sign-off" if project is not None else "Changes"
    blocks: list[Block] = [heading(title, Mark("revision", title))]
    if project is not None:
        facts = [(name, text) for name in _FACTS if (text := project.text(name))]
        blocks += [*table((Column("project"), Column("")), [*facts, ("plan", fingerprint(plan))], TEXT_WIDTH, 8), space(10)]
        blocks += [*history(project), *_signatures(project)]
    if found is not None:
        blocks += [space(8), *change_blocks(found, "Changes since the older plan")]
    return sheets(title, blocks)


def history(project: Project) -> list[Block]:
    """Return the table of all revisions, below a heading; nothing where there are none."""
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
    roles = [*((role, project.text(role)) for role in _ROLES), *(text.partition(": ")[::2] for text in project.signers)]
    return [heading("Sign-off", size=11), *sign_off(text, roles)]


def sign_off(text: str, roles: Sequence[tuple[str, str]]) -> list[Block]:
    """Return a text, and below it a box to sign for each role and name."""
    titles = Block(14, lambda pen, x, top: _cells(pen, x, top - 10, [name for name, _ in _TO_SIGN], 7, MUTED), keep=True)
    lines = [Block(_BOX, _line(role, name), keep=True) for role, name in roles]
    return [paragraph(text, keep=True), titles, *lines, space(4)]


def _line(role: str, name: str) -> Callable[[Pen, float, float], None]:
    def draw(pen: Pen, x: float, top: float) -> None:
        left = x
        for _, share in _TO_SIGN:
            pen.box(left, top - _BOX, TEXT_WIDTH * share, _BOX, None, RULE, weight=0.6)
            left += TEXT_WIDTH * share
        _cells(pen, x, top - _BOX / 2 - 3, [role, name], 8, DARK)

    return draw


def _cells(pen: Pen, x: float, y: float, texts: Sequence[str], size: float, color: Color) -> None:
    for text, (_, share) in zip(texts, _TO_SIGN, strict=False):
        pen.text(x + 5, y, text, size, font=BOLD, color=color, width=TEXT_WIDTH * share - 10)
        x += TEXT_WIDTH * share


def change_blocks(found: Difference, words: str) -> list[Block]:
    """Return the changed devices, and the changed cables by kind, below a heading."""
    title = heading(words, Mark("changes", words, 1), 11)
    devices = found.changed_devices
    cables, relabeled = changes(found), found.count(RELABELED)[1]
    if not devices and not cables and not relabeled:
        return [title, paragraph("No device was moved, and no cable was added, removed, re-plugged, re-routed or replaced.")]
    counts = Counter(change.kind for change in cables)
    listed = ", ".join(f"{grouped(counts[kind])} {kind}" for kind in CHANGES if counts[kind])
    others = [(kind, count) for kind, count in Counter(each.kind for each in devices).items() if kind != MOVED]
    text = (
        f"{grouped(found.count(MOVED)[0])} devices moved{''.join(f', {grouped(count)} {kind}' for kind, count in others)}; "
        f"{grouped(len(cables))} cables changed{': ' * bool(listed)}{listed}. "
        "Cables are the same if they join the same two ports of the same devices. A cable with several changes is listed once; "
        "one that only follows its devices is not listed. Numbers are those of the rows in the two schedules."
    )
    if relabeled:
        text += f" {grouped(relabeled)} cables only get other labels."
    blocks = [title, paragraph(text, keep=True)]
    if devices:
        blocks += [*_device_table(devices), space(8)]
    if cables:
        columns = (Column("change"), Column("old", "right"), Column("new", "right"), Column("difference"))
        blocks += table(columns, list(map(_row, cables)), TEXT_WIDTH, 6.5)
    return blocks


def _device_table(devices: Sequence[DeviceChange]) -> list[Block]:
    """Return the table of changed devices; where all are moved, it has no column for the kind."""
    rows = [
        (each.kind, each.new or each.old, each.old_place, each.new_place, each.old if each.kind == RELABELED else "")
        for each in devices
    ]
    if all(each.kind == MOVED for each in devices):
        moved = (Column("moved device"), Column("from"), Column("to"))
        return table(moved, [row[1:4] for row in rows], TEXT_WIDTH * 0.6, 6.5)
    columns = (Column("change"), Column("device"), Column("from"), Column("to"), Column("name before"))
    return table(*filled(columns, rows), TEXT_WIDTH * 0.8, 6.5)


def _row(change: Change) -> tuple[str, ...]:
    old, new = change.old, change.new
    what = change.what if old is None or new is None else f"{new.a} to {new.b}: {change.what}"
    return change.kind, grouped(old.number) if old else "", grouped(new.number) if new else "", what
