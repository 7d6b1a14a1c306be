"""The verification as a workbook: a summary, the moves to tick off, and everything that was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from planner.domain.model import Plan
from planner.fabric.verify.outputs.content.findings import ordered
from planner.fabric.verify.outputs.content.places import Places, places
from planner.fabric.verify.outputs.terminal import facts
from planner.fabric.verify.result import KINDS, Joined, Plugged, Verification
from planner.formats.workbook.crew import Cell, CrewSheet, write_crew_book

FILE = "verification.xlsx"


def write(verification: Verification, plan: Plan, path: Path) -> None:
    """Write the workbook; it opens on the summary.

    Raises
    ------
    InputError
        When a sheet is longer than a spreadsheet can be.
    """
    where = places(verification)
    sheets = [make(verification, where) for make in (_moves, _cables, _findings, _links, _parts, _identity)]
    title = f"Verification of {plan.title or plan.name}"
    write_crew_book(path, title, _summary(verification, plan), sheets, remedy="select a part of the plan")


def _summary(verification: Verification, plan: Plan) -> list[list[tuple[str, str]]]:
    """Return the result, counts, the findings by kind, and the notes."""
    left = f"{len(verification.findings):,} findings" if verification.findings else f"{len(verification.unknown):,} links unknown"
    state = "as planned" if verification.clean else left
    kinds = Counter(finding.kind for finding in verification.findings)
    return [
        [("plan", str(plan.provenance.get("plan", ""))[:16]), ("result", state), *facts(verification)],
        [
            (f"{count:,} {kind}", KINDS.get(kind, ""))
            for kind, count in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
        ],
        [("note", note) for note in verification.notes],
    ]


# -- sheets -----------------------------------------------------------------------------------------


def _moves(verification: Verification, where: Places) -> CrewSheet:
    columns = (
        "order", "crew", "cabinet", "unit", "device", "from port", "to device", "to port", "label on the plug", "pull and hold",
        "if another label is found", "cable", "end", "chain or cycle", "certainty",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            move.order, move.crew or None, where.cabinet(move.device), where.unit_text(move.device), move.device,
            where.printed(move.device, move.from_port), move.to_device, where.printed(move.to_device, move.to_port), move.label,
            "hold" if move.hold else "", move.else_, move.cable or None, move.end.upper(), move.component or None, move.certainty,
        )
        for move in ordered(verification.moves)
    ]  # fmt: skip
    return CrewSheet("moves", columns, ("done", "label found", "by", "remark"), rows)


def _cables(verification: Verification, where: Places) -> CrewSheet:
    """Return the cables to remove, and those to put in or to revive."""
    columns = ("what", "cable", "from", "to", "label A", "label B", "part", "m", "chain or cycle")
    rows: list[tuple[Cell, ...]] = []
    for removal in verification.removals:
        rows.append(_work("remove", removal.cable, removal.ports, where, removal.component, planned=False))
    for addition in verification.additions:
        what = "add" if addition.what == "missing" else f"revive: {addition.what}"
        rows.append(_work(what, addition.cable, addition.ports, where, addition.component, planned=True))
    return CrewSheet("cables", columns, ("done", "by", "remark"), rows)


def _work(what: str, cable: int, ports: Joined, where: Places, component: int, *, planned: bool) -> tuple[Cell, ...]:
    row = where.by_number.get(cable)
    labels = (row.a.label, row.b.label) if row else ("", "")
    bought = (row.part, row.stock_mm / 1000) if row and planned else ("", None)
    return (what, cable or None, *(where.full(Plugged(*end)) for end in ports), *labels, *bought, component or None)


def _findings(verification: Verification, where: Places) -> CrewSheet:
    rows: list[tuple[Cell, ...]] = [
        (
            number, each.kind, each.text, ", ".join(where.port(port) for port in each.ports),
            ", ".join(map(str, each.cables)), ", ".join(map(str, each.moves)), KINDS.get(each.kind, ""),
        )
        for number, each in enumerate(verification.findings, 1)
    ]  # fmt: skip
    return CrewSheet("findings", ("number", "kind", "finding", "ports", "cables", "moves", "meaning"), ("remark",), rows)


def _links(verification: Verification, where: Places) -> CrewSheet:
    """Return all links that are not as planned; those that are right are only counted."""
    groups = (("wrong", verification.wrong), ("dark", verification.dark), ("unknown", verification.unknown))
    rows = [row for state, links in groups for link in sorted(links) for row in _link(state, link, where)]
    return CrewSheet("links", ("state", "cable", "from", "to", "planned at the first", "planned at the second"), (), rows)


def _link(state: str, link: Joined, where: Places) -> Iterator[tuple[Cell, ...]]:
    ends = [Plugged(*end) for end in link]
    rows = [where.ends.get(where.planned(end)) for end in ends]
    one = rows[0][0].number if rows[0] and rows[1] and rows[0][0] is rows[1][0] else None
    plans = ["" if row is None else f"cable {row[0].number} to {_far(row, where)}" for row in rows]
    yield (state, one, *(where.full(end) for end in ends), *(plans if one is None else ("", "")))


def _far(row: tuple[Any, int], where: Places) -> str:
    end = row[0].ends[1 - row[1]]
    return where.full(Plugged(end.device, end.port))


def _parts(verification: Verification, where: Places) -> CrewSheet:
    columns = (
        "cable", "verdict", "planned part", "planned m", "read at A", "read at B", "serial at A", "serial at B", "m at A",
        "m at B", "end A", "end B",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for part in sorted(verification.parts, key=lambda part: (part.verdict == "ok", part.cable)):
        row = where.by_number.get(part.cable)
        ends: Sequence[str] = ["", ""] if row is None else [str(end) for end in row.ends]
        rows.append(
            (part.cable, part.verdict, part.planned, part.planned_mm / 1000, *part.read, *part.serials, *part.length_m, *ends)
        )
    return CrewSheet("parts", columns, ("remark",), rows)


def _identity(verification: Verification, where: Places) -> CrewSheet:
    identity = verification.identity
    names = {key: name for key, name, _ in identity.renamed}
    columns = (
        "device",
        "cabinet",
        "unit",
        "key as found",
        "name as found, if another",
        "certainty",
        "evidence",
        "links that agree",
        "links",
    )
    rows: list[tuple[Cell, ...]] = [
        (
            one.device, where.cabinet(one.device), where.unit_text(one.device), one.key, names.get(one.key, ""),
            round(one.certainty, 4), one.evidence, one.agreeing, one.links,
        )
        for one in sorted(identity.of.values(), key=lambda one: (one.certainty >= 0.5, one.device))
    ]  # fmt: skip
    rows += [("", "", "", key, "", None, "not in the plan", None, None) for key in sorted(identity.unknown)]
    return CrewSheet("identity", columns, ("remark",), rows)
