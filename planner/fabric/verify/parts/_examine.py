"""Plugs of the fabric as found against the cable schedule."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from planner.domain.parts import Row
from planner.fabric.verify.found import Errors, Fabric, Place, Plug
from planner.fabric.verify.parts import _serials
from planner.fabric.verify.parts._compare import LENGTH, PART, Verdict, compared, worst
from planner.fabric.verify.parts._light import bit_errors, light
from planner.fabric.verify.parts._limits import Limits
from planner.fabric.verify.parts._numbers import PartNumbers
from planner.fabric.verify.parts._plan import Ports, rows_of
from planner.fabric.verify.result import Evidence, Finding, Identity, PartReading, Plugged
from planner.view.schedule import Connection


@dataclass(frozen=True)
class Examined:
    """What plugs show about the cables of a plan.

    Attributes
    ----------
    readings
        Planned cables whose plugs were read, with what they are.
    findings
        Wrong parts and lengths, low light, high error ratios.
    evidence
        Which plugs belong to one cable, and their lengths.
    errors
        Bit error ratios by port of the plan.
    notes
        Serial numbers that identify no cable, in words.
    """

    readings: list[PartReading]
    findings: list[Finding]
    evidence: Evidence
    errors: dict[Plugged, Errors] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def examined(
    fabric: Fabric,
    identity: Identity,
    schedule: Sequence[Connection],
    rows: Mapping[str, Row] | None = None,
    *,
    limits: Limits | None = None,
    port_of: Callable[[Place], Plugged | None] | None = None,
) -> Examined:
    """Compare the memories of plugs, their light and their bit errors with the plan.

    Parameters
    ----------
    rows
        Catalog rows of the plan by id, see `rows_of`; without them those of the shipped catalog.
    limits
        Limits of light and error ratios; without them those of the catalog.
    port_of
        Port of the plan at a place of the fabric; without it ports are those of the devices, and the only port of a node is that
        of its adapter.

    Notes
    -----
    A plug is compared with the planned part of its port only where it belongs there: both plugs of one cable are in the two
    ports of a planned connection, the link between them is up, or no other plug of the cable was found. Plugs of cables in wrong
    ports are compared after they have been moved. A part number that no catalog row or pattern names is an unknown part, which
    is no finding.
    """
    rows = rows_of() if rows is None else rows
    limits = limits or Limits.usual()
    ports = Ports(schedule)
    if port_of is None:
        port_of = partial(ports.planned, fabric, identity)
    plugs = {port: plug for place, plug in fabric.plugs.items() if (port := port_of(place)) is not None}
    errors = {port: error for place, error in fabric.errors.items() if (port := port_of(place)) is not None}
    linked = _linked(fabric, port_of)
    fellows, notes = _serials.joined(_serials.cables_of(plugs, ports), schedule, ports)
    numbers = PartNumbers(rows)
    reach_mm = {port: length for port, plug in sorted(plugs.items()) if (length := _reach_mm(plug, numbers))}
    evidence = Evidence(fellows, frozenset(plugs), {}, reach_mm)
    readings = _readings(schedule, plugs, linked, fellows, rows, numbers)
    findings = _of_parts(readings, schedule)
    findings += light(schedule, plugs, frozenset(linked), limits, rows)
    findings += bit_errors(schedule, errors, limits)
    return Examined(readings, findings, evidence, errors, notes)


def _linked(fabric: Fabric, port_of: Callable[[Place], Plugged | None]) -> dict[Plugged, Plugged | None]:
    """Return the port at the other end of each lit port of the plan, None where the plan does not know that device."""
    found: dict[Plugged, Plugged | None] = {}
    for link in fabric.links:
        a, b = port_of(link.a), port_of(link.b)
        if a is not None:
            found[a] = b
        if b is not None:
            found[b] = a
    return found


def _reach_mm(plug: Plug, numbers: PartNumbers) -> int:
    """Return the length of a plug's cable, from its part number or its memory; 0 if neither states it."""
    meaning = numbers.meaning(plug.part_number)
    if meaning is not None and meaning.length_mm:
        return meaning.length_mm
    length_m = plug.length_m or 0
    return round(length_m * 1000) if math.isfinite(length_m) else 0


def _readings(
    schedule: Sequence[Connection],
    plugs: Mapping[Plugged, Plug],
    linked: Mapping[Plugged, Plugged | None],
    fellows: Mapping[Plugged, Plugged],
    rows: Mapping[str, Row],
    numbers: PartNumbers,
) -> list[PartReading]:
    found = []
    for row in schedule:
        a, b = (Plugged(end.device, end.port) for end in row.ends)
        modules = any(row.end_parts)
        verdicts, shown = [], []
        for number, (port, other) in enumerate(((a, b), (b, a))):
            plug = plugs.get(port)
            # A module stays in its cage, whatever the fiber joins; a finished cable is in place only with both ends.
            away = not modules and (fellows.get(port, other) != other or linked.get(port, other) != other)
            shown.append(None if plug is None or away else plug)
            if plug is None or away:
                continue
            if modules and row.end_parts[number]:
                verdicts.append(compared(plug, row.end_parts[number], 0, "", rows, numbers))
            elif not modules:
                verdicts.append(compared(plug, row.part, row.stock_mm, row.medium, rows, numbers))
        if verdicts:
            found.append(_reading(row, shown, worst(verdicts)))
    return found


def _reading(row: Connection, shown: Sequence[Plug | None], verdict: Verdict) -> PartReading:
    read = tuple(plug.part_number.strip() if plug else "" for plug in shown)
    serials = tuple(_serials.serial_of(plug) if plug else "" for plug in shown)
    lengths = tuple(plug.length_m if plug else None for plug in shown)
    planned = " and ".join(dict.fromkeys(row.end_parts)) if any(row.end_parts) else row.part
    return PartReading(
        row.number,
        planned,
        row.stock_mm,
        (read[0], read[1]),
        (serials[0], serials[1]),
        (lengths[0], lengths[1]),
        verdict.word,
        verdict.remark,
    )


def _of_parts(readings: Sequence[PartReading], schedule: Sequence[Connection]) -> list[Finding]:
    """Return one finding for each cable that is another part or length than planned."""
    by_number = {row.number: row for row in schedule}
    pieces: dict[int, list[PartReading]] = {}
    for reading in readings:
        if reading.verdict in (PART, LENGTH):
            pieces.setdefault(by_number[reading.cable].piece, []).append(reading)
    found = []
    for same in pieces.values():
        reading = max(same, key=lambda x: x.verdict == PART)
        rows = [by_number[x.cable] for x in same]
        ports = tuple(Plugged(end.device, end.port) for row in rows for end in row.ends)
        found.append(Finding(reading.verdict, _sentence(reading), ports, tuple(row.number for row in rows)))
    return found


def _sentence(reading: PartReading) -> str:
    read = " and ".join(dict.fromkeys(text for text in reading.read if text)) or "another part"
    lengths = [length for length in reading.length_m if length is not None]
    length = f" of {max(lengths):g} m" if lengths and reading.planned_mm else ""
    planned = f"{reading.planned}, {reading.planned_mm / 1000:g} m" if reading.planned_mm else reading.planned
    remark = f" ({reading.remark})" if reading.remark else ""
    return f"cable {reading.cable} is {read}{length}{remark}, planned is {planned}"
