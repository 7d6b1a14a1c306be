"""The acceptance report for print: result, open points, cabling record, optical loss, bit errors, signatures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from reportlab.lib.pagesizes import A4, landscape

from planner.domain.model import Plan
from planner.fabric.accept._record import Acceptance, CableRecord, CrewNote
from planner.fabric.accept.outputs import tables
from planner.fabric.accept.outputs.xlsx import result
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.document import Document
from planner.paper.revision import sign_off
from planner.paper.sheet import TEXT_WIDTH, Area, Mark, Sheet
from planner.paper.table import Column, Table, filled, table
from planner.view.figures import SPACE, grouped, trimmed
from planner.view.project import project_of

FILE = "acceptance.pdf"

_WIDE = landscape(A4)
_WIDTH = Area.of(_WIDE).width
_SIZE = 6.5
_FIRM = ("from", "to", "verdict", "tester", "date")
"""Columns whose words stay in one line."""

_ROLES = ("installer", "tester", "network operator", "client")
_SIGN = (
    "Each person signs for this document as a whole: the cabling record, the fabric as scanned, and the measurements. The "
    "fingerprint at the foot of every sheet is that of the plan; the scans are named with a hash of their content."
)
_LOSS = (
    "Measured between test cords: all mated pairs and the fiber, the plugs that belong into the modules included. Planned is the "
    "loss that the plan reckons with; the limit is the smallest of the test limit by connections and length, the budget of the "
    "modules, and the limit of the tester. A negative loss means that the reference was set wrongly."
)
_BER = (
    "Without an error in n bits, the ratio is below {factor:.1f}/n with {certainty:.4g} % certainty. A port has shown its limit "
    "after the minutes needed; the ratio shown is what its run shows so far."
)


def write(acceptance: Acceptance, plan: Plan, path: Path) -> None:
    """Write the report."""
    made = [*_summary(acceptance), *_open(acceptance), *_record(acceptance), *_loss(acceptance), *_ber(acceptance), *_end(plan)]
    Document(made, part="acceptance", subject="Acceptance report").save(plan, path, letter=False)


def _summary(acceptance: Acceptance) -> list[Sheet]:
    found = acceptance.verification
    facts = [
        ("plan", acceptance.title),
        ("fingerprint of the plan", acceptance.fingerprint),
        ("result", result(acceptance)),
        ("planned connections", grouped(len(found.planned))),
        ("right / wrong / dark / unknown", " / ".join(map(grouped, _counts(acceptance)))),
        ("extra cables", grouped(len(found.removals))),
        ("plug moves open", grouped(len(found.moves))),
    ]
    blocks = [heading(f"Acceptance of {acceptance.title}", Mark("acceptance", "Acceptance")), *_facts(facts), space(12)]
    blocks += [heading("Scans", size=11), *_of(tables.scans(acceptance), TEXT_WIDTH, 8), space(12)]
    rows = [(name, value) for name, value in acceptance.statistics]
    blocks += [
        heading("Statistics", Mark("statistics", "Statistics", 1), 11),
        *table((Column("figure"), Column("")), rows, TEXT_WIDTH, 8),
    ]
    return sheets("Acceptance", blocks)


def _counts(acceptance: Acceptance) -> list[int]:
    states = [record.state for record in acceptance.cables]
    return [states.count(name) for name in ("right", "wrong", "dark", "unknown")]


def _facts(rows: Sequence[tuple[str, str]]) -> list[Block]:
    own = Table.of((Column("", firm=True), Column("")), rows, TEXT_WIDTH * 0.75, 9)
    return [own.row(row, strong=row[0] == "result") for row in rows]


def _of(sheet: tables.Sheet, width: float, size: float = _SIZE) -> list[Block]:
    """Return a table with the columns that are not empty."""
    if not sheet.rows:
        return [paragraph("None.")]
    numeric = [all(isinstance(row[place], int | float | None) for row in sheet.rows) for place in range(len(sheet.columns))]
    columns = [
        Column(title, "right" if right else "left", title in _FIRM) for title, right in zip(sheet.columns, numeric, strict=True)
    ]
    shown, rows = filled(columns, [list(map(_cell, row, columns)) for row in sheet.rows])
    return table(shown, rows, width, size)


def _cell(value: tables.Cell, column: Column) -> str:
    if not isinstance(value, str):
        return "" if value is None else trimmed(value)
    return value.replace(" ", SPACE) if column.firm else value


def _open(acceptance: Acceptance) -> list[Sheet]:
    count = len(acceptance.open)
    title = f"Open points: {grouped(count)}"
    blocks = [heading(title, Mark("open", "Open points"))]
    if not count:
        blocks.append(paragraph("0 open: every planned link is up in its ports, and nothing else was found."))
        return sheets("Open points", blocks)
    blocks += _of(tables.open_points(acceptance), TEXT_WIDTH, 7)
    if acceptance.verification.moves:
        blocks += [
            space(12),
            heading("Plug moves", Mark("moves", "Plug moves", 1), 11),
            *_of(tables.moves(acceptance), TEXT_WIDTH, 7),
        ]
    return sheets("Open points", blocks)


# -- cabling record ---------------------------------------------------------------------------------

_COLUMNS = (
    Column("cable", "right"), Column("from", firm=True), Column("to", firm=True), Column("labels", firm=True), Column("planned"),
    Column("m", "right"), Column("read"), Column("serial"), Column("link"), Column("confirmed"), Column("deviations, remarks"),
)  # fmt: skip


def _record(acceptance: Acceptance) -> list[Sheet]:
    """Return the cabling record: a table for each stage and cabinet, with each cable at its first end."""
    blocks = [heading("Cabling record", Mark("record", "Cabling record"))]
    text = (
        "Each connection is listed once, in the cabinet of its first end. Read is what the plugs state; confirmed are the ends "
        "that the crew ticked off, by whom and when."
    )
    blocks.append(paragraph(text))
    # Stages in the order of the schedule.
    stages = {stage: place for place, stage in enumerate(dict.fromkeys(record.row.stage for record in acceptance.cables))}
    ordered = sorted(acceptance.cables, key=lambda x: (stages[x.row.stage], x.row.a.cabinet, x.row.number))
    rows = {record.row.number: _row(record) for record in ordered}
    widths = Table.of(_COLUMNS, rows.values(), _WIDTH, _SIZE)
    for (stage, cabinet), group in groupby(ordered, key=lambda record: (record.row.stage, record.row.a.cabinet)):
        blocks += _group(stage, cabinet, list(group), rows, widths)
    return sheets("Cabling record", blocks, _WIDE)


def _group(stage: str, cabinet: str, group: list[CableRecord], rows: dict[int, tuple[str, ...]], own: Table) -> list[Block]:
    right = sum(1 for record in group if record.state == "right")
    title = f"Cabinet {cabinet}{f', {stage}' if stage else ''}: {grouped(right)} of {grouped(len(group))} right"
    again = heading(f"{title} (continued)", size=9)
    lines = own.blocks([rows[record.row.number] for record in group], (again,))
    return [heading(title, Mark(f"record-{stage}-{cabinet}", title, 1), 9), *lines, space(8)]


def _row(record: CableRecord) -> tuple[str, ...]:
    row, crew = record.row, record.crew or CrewNote()
    read, serials = ((), ()) if record.part is None else (record.part.read, record.part.serials)
    confirmed = " ".join(filter(None, (tables.confirmed(crew), crew.by, crew.date)))
    remarks = "; ".join(filter(None, (*record.deviations, tables.remarks(record))))
    return (
        grouped(row.number), *(f"{end.device} {end.printed}" for end in row.ends), _labels(row.a.label, row.b.label),
        tables.part(record), trimmed(row.stock_mm / 1000), _both(read), _both(serials), record.state, confirmed, remarks,
    )  # fmt: skip


def _labels(a: str, b: str) -> str:
    """Return the label of the first end; that of the second where it is not the first with its halves exchanged."""
    return a if not b or "/".join(reversed(a.split("/"))) == b else f"{a} · {b}"


def _both(texts: Sequence[str]) -> str:
    return " / ".join(dict.fromkeys(filter(None, texts)))


# -- measurements -----------------------------------------------------------------------------------


def _loss(acceptance: Acceptance) -> list[Sheet]:
    if acceptance.loss is None:
        return []
    title = "Optical loss"
    blocks = [heading(title, Mark("loss", title)), paragraph(_LOSS, width=_WIDTH), *_of(tables.loss(acceptance), _WIDTH)]
    if acceptance.unmeasured:
        text = f"Without a measurement: cables {tables.listed(acceptance.unmeasured)}."
        blocks += [space(6), paragraph(text, width=_WIDTH)]
    return sheets(title, blocks, _WIDE)


def _ber(acceptance: Acceptance) -> list[Sheet]:
    if not acceptance.ber:
        return []
    title = "Bit errors"
    text = _BER.format(factor=-math.log1p(-acceptance.certainty), certainty=100 * acceptance.certainty)
    return sheets(title, [heading(title, Mark("ber", title)), paragraph(text), *_of(tables.ber(acceptance), TEXT_WIDTH)])


def _end(plan: Plan) -> list[Sheet]:
    project = project_of(plan)
    extra = () if project is None else tuple(text.partition(": ")[::2] for text in project.signers)
    known = {role for role, _ in extra}
    roles = [*((role, "") for role in _ROLES if role not in known), *extra]
    return sheets("Signatures", list(_signed(roles)))


def _signed(roles: Sequence[tuple[str, str]]) -> Iterator[Block]:
    yield heading("Signatures", Mark("signatures", "Signatures"))
    yield from sign_off(_SIGN, roles)
