"""A built network against its plan: what is as planned, what was measured, and what is open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.domain.parts import Row
from planner.fabric.accept._ber import ber_results
from planner.fabric.accept._crew import built_otherwise, crew_notes
from planner.fabric.accept._loss import LossRules, is_fiber, loss_results
from planner.fabric.accept._record import Acceptance, BerResult, CableRecord, LossResult, LossTest, OpenPoint, ScanFile
from planner.fabric.accept._statistics import statistics
from planner.fabric.baseline import Planned, fingerprint
from planner.fabric.verify.parts import Limits, rows_of
from planner.fabric.verify.result import PartReading, Verification, link_of, states
from planner.formats.workbook import Workbook


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
    notes, otherwise = ({}, {}) if workbook is None else (crew_notes(workbook), built_otherwise(workbook))
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
        statistics(verification, cables, results, fibers, ber),
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
