"""Tables of an acceptance report, for paper and workbook."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from planner.fabric.accept._record import Acceptance, BerResult, CableRecord, CrewNote, LossResult
from planner.view.schedule import End

Cell = str | int | float | None


class Sheet(NamedTuple):
    """A table: its name, headings, and rows."""

    name: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]


RECORD = (
    "cable", "stage", "cabinet A", "device A", "port A", "label A", "cabinet B", "device B", "port B", "label B", "planned part",
    "planned m", "read A", "read B", "serial A", "serial B", "link", "ends confirmed", "by", "on", "tested", "deviations",
    "remark",
)  # fmt: skip
"""Headings of the cabling record."""


def cabling(acceptance: Acceptance) -> Sheet:
    """Return the cabling record."""
    return Sheet("cabling record", RECORD, [_cable(record) for record in acceptance.cables])


def _cable(record: CableRecord) -> tuple[Cell, ...]:
    row, crew = record.row, record.crew or CrewNote()
    read, serials = (record.part.read, record.part.serials) if record.part else (("", ""), ("", ""))
    return (
        row.number, row.stage, *_end(row.a), *_end(row.b), part(record), row.stock_mm / 1000, *read, *serials, record.state,
        confirmed(crew), crew.by, crew.date, "yes" if crew.tested else "", "; ".join(record.deviations), remarks(record),
    )  # fmt: skip


def _end(end: End) -> tuple[str, ...]:
    return end.cabinet, end.device, end.printed, end.label


def part(record: CableRecord) -> str:
    """Return the planned parts: what is bought by length, and modules."""
    return " + ".join(dict.fromkeys(filter(None, (record.row.part, *record.row.end_parts))))


def remarks(record: CableRecord) -> str:
    """Return the remarks of the crew, and what else the plugs state."""
    return "; ".join(filter(None, (record.part.remark if record.part else "", record.crew.remark if record.crew else "")))


def confirmed(crew: CrewNote) -> str:
    """Return the ends that the crew confirmed."""
    if crew.installed or all(crew.ends):
        return "A and B"
    return "A" if crew.ends[0] else "B" if crew.ends[1] else ""


def open_points(acceptance: Acceptance) -> Sheet:
    """Return what is open."""
    rows: list[tuple[Cell, ...]] = [
        (number, each.kind, each.text, listed(each.cables)) for number, each in enumerate(acceptance.open, 1)
    ]
    return Sheet("open points", ("number", "kind", "what", "cables"), rows)


def moves(acceptance: Acceptance) -> Sheet:
    """Return the plug moves that are open."""
    rows: list[tuple[Cell, ...]] = [
        (move.order, move.device, move.from_port, move.to_device, move.to_port, move.label, move.cable or None)
        for move in sorted(acceptance.verification.moves, key=lambda move: move.order)
    ]
    return Sheet("moves", ("order", "device", "from port", "to device", "to port", "label on the plug", "cable"), rows)


def loss(acceptance: Acceptance) -> Sheet:
    """Return the measured losses."""
    columns = (
        "cable", "named", "from", "to", "nm", "loss (dB)", "planned (dB)", "limit (dB)", "margin (dB)", "limit by", "connections",
        "length (m)", "verdict", "date", "tester", "operator", "remark",
    )  # fmt: skip
    return Sheet("optical loss", columns, [_loss(acceptance, result) for result in acceptance.loss or ()])


def _loss(acceptance: Acceptance, result: LossResult) -> tuple[Cell, ...]:
    test = result.test
    record = acceptance.by_number.get(test.cable)
    ends = ("", "") if record is None else tuple(f"{end.device} {end.printed}" for end in record.row.ends)
    wavelength = "" if test.wavelength_nm is None else f"{test.wavelength_nm:g}"
    margin = None if result.limit_db is None else round(result.limit_db - test.loss_db, 3)
    return (
        test.cable or None, "" if test.named == str(test.cable) else test.named, *ends, wavelength,
        test.loss_db, result.planned_db, result.limit_db, margin, result.limit_from, result.connections, test.length_m,
        result.verdict, test.date, test.tester, test.operator, result.remark,
    )  # fmt: skip


def ber(acceptance: Acceptance) -> Sheet:
    """Return the bit error ratios."""
    columns = (
        "cable", "device", "port", "ratio of", "ratio", "limit", "Gb/s", "minutes", "minutes needed", "ratio shown", "link downs",
        "verdict",
    )  # fmt: skip
    return Sheet("bit errors", columns, [_ber(result) for result in acceptance.ber])


def _ber(result: BerResult) -> tuple[Cell, ...]:
    return (
        result.cable, result.port.device, result.port.port, result.kind, ratio(result.ratio), ratio(result.limit),
        result.rate_gbps or None, _tenths(result.minutes), _tenths(result.needed), ratio(result.bound), result.link_downs,
        result.verdict,
    )  # fmt: skip


def _tenths(minutes: float | None) -> float | None:
    return None if minutes is None else round(minutes, 1)


def ratio(value: float | None) -> str:
    """Return a ratio in scientific notation."""
    return "" if value is None else "0" if value == 0 else f"{value:.1e}"


def scans(acceptance: Acceptance) -> Sheet:
    """Return the discovery files."""
    rows: list[tuple[Cell, ...]] = [
        (each.name, each.tool, each.time or "not stated", each.sha256[:16]) for each in acceptance.files
    ]
    return Sheet("scans", ("file", "format", "time as the file states it", "SHA-256, first 16 digits"), rows)


def figures(acceptance: Acceptance) -> Sheet:
    """Return the statistics."""
    return Sheet("statistics", ("figure", "value"), [*acceptance.statistics])


_LISTED = 12


def listed(numbers: Iterable[int]) -> str:
    """Return numbers in a list that ends after a few.

    >>> listed(range(1, 20))
    '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 7 more'
    """
    every = list(numbers)
    more = f" and {len(every) - _LISTED:,} more" if len(every) > _LISTED else ""
    return ", ".join(map(str, every[:_LISTED])) + more
