"""A built network against its plan: what is as planned, what was measured, and what is open."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.domain.parts import Row
from planner.fabric.accept._ber import ber_results
from planner.fabric.accept._loss import LossRules, is_fiber, loss_results
from planner.fabric.accept._record import Acceptance, BerResult, CableRecord, CrewNote, LossResult, LossTest, OpenPoint, ScanFile
from planner.fabric.baseline import Planned, fingerprint
from planner.fabric.verify.parts import Limits, rows_of
from planner.fabric.verify.result import PartReading, Verification, link_of, states
from planner.formats.workbook import Workbook, deviations
from planner.view.figures import grouped


def accepted(
    planned: Planned,
    verification: Verification,
    *,
    files: Sequence[ScanFile] = (),
    loss: Sequence[LossTest] | None = None,
    workbook: Workbook | None = None,
    limits: Limits | None = None,
    rows: Mapping[str, Row] | None = None,
) -> Acceptance:
    """Return what was built against what was planned, and the points that are open.

    Parameters
    ----------
    planned
        The plan: with its folder, planned losses and panels are known.
    verification
        The fabric as found.
    files
        Discovery files, for the record.
    loss
        Measured losses; None if none were measured.
    workbook
        Workbook of the plan that the crew filled in.
    limits
        Limits of bit error ratios; without them those of the catalog.
    rows
        Catalog rows by id; without them those of the plan, or of the shipped catalog.

    Notes
    -----
    Open are: every finding of the verification, planned links about which nothing is known, measurements that are negative,
    above their limit or of no planned cable, fibers without a measurement where measurements are given, and ports that ran too
    short to show their bit error ratio.

    Raises
    ------
    InputError
        When the workbook is that of another plan.
    """
    rows = rows_of(planned.plan) if rows is None else rows
    limits = limits or Limits.usual()
    schedule = verification.planned
    notes, otherwise = ({}, {}) if workbook is None else (_crew_notes(workbook), _built_otherwise(workbook))
    fingerprint = fingerprint_of(planned)
    if workbook is not None:
        _same_plan(workbook, planned, fingerprint)
        # A schedule in a file has no fingerprint of its own; its workbook does.
        fingerprint = str(workbook.about.get("plan") or fingerprint)
    parts = {reading.cable: reading for reading in verification.parts}
    state_of = states(verification)
    cables = [
        CableRecord(
            row,
            state_of[row.number],
            parts.get(row.number),
            notes.get(row.number),
            (*otherwise.get(row.number, ()), *_of_part(parts.get(row.number))),
        )
        for row in schedule
    ]
    results = None if loss is None else loss_results(loss, schedule, LossRules.of(rows, planned.plan))
    measured = {result.test.cable for result in results or ()}
    fibers = [row.number for row in schedule if is_fiber(row, rows)]
    unmeasured = [number for number in fibers if number not in measured]
    ber = ber_results(schedule, verification.errors, rows, limits)
    return Acceptance(
        planned.plan.name if planned.plan is not None else planned.path.stem,
        (planned.plan.title if planned.plan is not None else "") or planned.path.stem,
        fingerprint,
        verification,
        cables,
        list(files),
        results,
        unmeasured,
        ber,
        [*_findings(verification), *_of_loss(results, unmeasured), *_of_ber(ber)],
        _statistics(verification, cables, results, fibers, ber),
        limits.confidence,
    )


def fingerprint_of(planned: Planned) -> str:
    """Return the fingerprint of a plan; of a schedule in a file a hash of its rows."""
    if planned.plan is not None:
        return str(planned.plan.provenance.get("plan", ""))
    return fingerprint(planned.rows)


def plan_of(acceptance: Acceptance, planned: Planned) -> Plan:
    """Return the plan for headers of printed sheets; for a schedule in a file one without records."""
    if planned.plan is not None:
        return planned.plan
    known = {"name": acceptance.name, "title": acceptance.title}
    return Plan(acceptance.name, acceptance.title, known, provenance={"plan": acceptance.fingerprint})


def _same_plan(workbook: Workbook, planned: Planned, fingerprint: str) -> None:
    """Reject a workbook of another plan: by its fingerprint, or by the labels where only a schedule is known."""
    other = str(workbook.about.get("plan") or "")
    if planned.plan is not None and other != fingerprint:
        message = f"is that of the plan {other or 'without a fingerprint'}, not of {fingerprint}"
        raise InputError(Problem("workbook", message, "give the workbook of this plan"))
    labels = {row.number: (row.a.label, row.b.label) for row in planned.rows}
    for cable, a, b in workbook.tables["cables"].rows("cable", "label_a", "label_b"):
        if labels.get(cable, ("", "")) not in ((a, b), ("", "")):
            message = f"labels cable {cable} {a} and {b}; the plan has {' and '.join(labels[cable])}"
            raise InputError(Problem("workbook", message, "give the workbook of this plan"))


def _of_part(reading: PartReading | None) -> tuple[str, ...]:
    return () if reading is None or reading.verdict in ("ok", "unknown part") else (reading.verdict,)


def _findings(verification: Verification) -> list[OpenPoint]:
    # Error ratios are judged below, with the limits of the acceptance.
    found = [OpenPoint(each.kind, each.text, each.cables) for each in verification.findings if each.kind != "high BER"]
    if verification.unknown:
        unknown = set(verification.unknown)
        cables = tuple(row.number for row in verification.planned if link_of(row) in unknown)
        found.append(OpenPoint("unknown", f"nothing is known about {len(cables):,} planned links: scan again", cables))
    return found


_WORDS = {
    "negative": "the measured loss of {named} is negative: {loss:g} dB; {remark}",
    "above the limit": "the measured loss of {named} is {loss:g} dB, above its limit of {limit:g} dB by {limit_from}",
    "not in the plan": "line {line} measures {named}, which the plan does not have",
}


def _of_loss(results: Sequence[LossResult] | None, unmeasured: Sequence[int]) -> list[OpenPoint]:
    if results is None:
        return []
    found = []
    for result in results:
        if result.passed:
            continue
        test = result.test
        text = _WORDS[result.verdict].format(
            named=f"cable {test.cable}" if test.cable else repr(test.named),
            loss=test.loss_db,
            limit=result.limit_db if result.limit_db is not None else 0.0,
            limit_from=result.limit_from,
            remark=result.remark,
            line=test.line,
        )
        found.append(OpenPoint("optical loss", text, (test.cable,) if test.cable else ()))
    if unmeasured:
        text = f"{len(unmeasured):,} connections of modules and fiber have no measured loss"
        found.append(OpenPoint("optical loss", text, tuple(unmeasured)))
    return found


def _of_ber(results: Sequence[BerResult]) -> list[OpenPoint]:
    found = [
        OpenPoint(
            "high BER",
            f"{each.kind} BER of {each.port.device} port {each.port.port} is {each.ratio:.1e}, above {each.limit:.0e}",
            (each.cable,),
        )
        for each in results
        if each.verdict == "above"
    ]
    counts = Counter(each.verdict for each in results)
    for verdict, words in (
        (
            "too short",
            "{count:,} ports ran for too short a time to show their bit error ratio: {minutes:,.1f} minutes are needed",
        ),
        ("time unknown", "{count:,} ports do not report for how long they have counted bit errors"),
    ):
        if counts[verdict]:
            own = [each for each in results if each.verdict == verdict]
            minutes = max((each.needed or 0.0 for each in own), default=0.0)
            cables = tuple(dict.fromkeys(each.cable for each in own))
            found.append(OpenPoint("BER time", words.format(count=counts[verdict], minutes=minutes), cables))
    return found


def _crew_notes(book: Workbook) -> dict[int, CrewNote]:
    """Return the notes of the crew by number of the cable: ticks and initials of the work list, columns of the schedule."""
    found: dict[int, CrewNote] = {}
    for cable, installed, by, date, remark in book.tables["cables"].rows(
        "cable", "installed", "installer", "installed_on", "remark"
    ):
        if installed or by or date or remark:
            found[cable] = CrewNote(bool(installed), by=by or "", date=str(date or ""), remark=remark or "")
    work = book.tables.get("work")
    if work is not None:
        for row in work.rows("cable", "plugged_a", "plugged_b", "tested", "initials"):
            _add(found, *row)
    return found


def _add(found: dict[int, CrewNote], cable: Any, a: bool, b: bool, tested: bool, initials: str) -> None:
    if not cable or not (a or b or tested or initials):
        return
    note = found.get(cable, CrewNote())
    found[cable] = replace(note, ends=(bool(a), bool(b)), tested=bool(tested), by=note.by or initials or "")


def _built_otherwise(book: Workbook) -> dict[int, list[str]]:
    """Return what the crew built otherwise than planned, in words, by number of the cable."""
    found: dict[int, list[str]] = defaultdict(list)
    for each in deviations(book):
        if each.what == "length":
            text = f"length {int(each.built) / 1000:g} m instead of {int(each.planned) / 1000:g} m"
        else:
            text = f"{each.what} {each.end.upper()} {each.built} instead of {each.planned}"
        found[each.cable].append(text)
    return found


def _statistics(
    verification: Verification,
    cables: Sequence[CableRecord],
    loss: Sequence[LossResult] | None,
    fibers: Sequence[int],
    ber: Sequence[BerResult],
) -> list[tuple[str, str]]:
    """Return figures by name, in words."""
    count = max(len(cables), 1)

    def share(number: int) -> str:
        return f"{grouped(number)} ({number / count:.2%})"

    states = Counter(record.state for record in cables)
    found = [
        ("planned connections", grouped(len(cables))),
        ("links found", grouped(verification.found)),
        *((f"planned connections: {state}", share(states[state])) for state in ("right", "wrong", "dark", "unknown")),
        ("wrong links", grouped(len(verification.wrong))),
        ("extra cables", grouped(len(verification.removals))),
        ("plug moves", f"{grouped(len(verification.moves))}, {len(verification.moves) / count * 1000:.1f} per 1,000 connections"),
    ]
    kinds = Counter(finding.kind for finding in verification.findings)
    found += [(f"findings: {kind}", f"{n}, {n / count * 1000:.1f} per 1,000 connections") for kind, n in sorted(kinds.items())]
    verdicts = Counter(record.part.verdict for record in cables if record.part is not None)
    found += [(f"plugs read: {verdict}", share(number)) for verdict, number in sorted(verdicts.items())]
    confirmed = sum(1 for record in cables if record.crew is not None and (record.crew.installed or all(record.crew.ends)))
    found += [
        ("confirmed by the crew", share(confirmed)),
        ("with deviations", share(sum(1 for record in cables if record.deviations))),
    ]
    if loss is not None:
        measured = len({result.test.cable for result in loss} & set(fibers))
        found.append(("fibers measured", f"{grouped(measured)} of {grouped(len(fibers))}"))
        values = [result.test.loss_db for result in loss if result.test.cable and result.test.loss_db >= 0]
        if values:
            found.append(("measured loss", f"mean {sum(values) / len(values):.2f} dB, maximum {max(values):.2f} dB"))
        found += [
            (f"measurements: {verdict}", grouped(number))
            for verdict, number in sorted(Counter(result.verdict for result in loss).items())
        ]
    found += [
        (f"ports, bit error ratio: {verdict}", grouped(number))
        for verdict, number in sorted(Counter(result.verdict for result in ber).items())
    ]
    return found
