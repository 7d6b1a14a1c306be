"""Bit error ratios, and the time that shows them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from planner.domain.parts import BreakoutPart, CablePart, Row, TransceiverPart
from planner.fabric.accept._record import BerResult
from planner.fabric.verify.found import Errors
from planner.fabric.verify.parts import Limits
from planner.fabric.verify.result import Plugged
from planner.view.schedule import Connection


def minutes_needed(ratio: float, rate_gbps: float, confidence: float) -> float:
    """Return the time without errors that shows a bit error ratio, in minutes.

    Notes
    -----
    Without an error in n bits the ratio is below -ln(1 - c) / n with certainty c: about 3 / n at 95 %.

    Examples
    --------
    A ratio of 1e-15 takes 8.3 hours at 100 Gb/s, and 2.1 hours at 400 Gb/s:

    >>> [round(minutes_needed(1e-15, rate, 0.95) / 60, 1) for rate in (100, 400)]
    [8.3, 2.1]
    """
    return -math.log1p(-confidence) / (ratio * rate_gbps * 1e9) / 60


def bound_of(minutes: float, rate_gbps: float, confidence: float) -> float:
    """Return the ratio that a time without errors shows.

    >>> f"{bound_of(60, 400, 0.95):.1e}"
    '2.1e-15'
    """
    return -math.log1p(-confidence) / (minutes * 60 * rate_gbps * 1e9)


def rate_of(row: Connection, rows: Mapping[str, Row]) -> int:
    """Return the rate of a connection in Gb/s, 0 if its parts are not known."""
    rates = [
        part.rate_gbps
        for name in (row.part, *row.end_parts)
        if isinstance(part := rows.get(name), CablePart | BreakoutPart | TransceiverPart)
    ]
    return min(rates, default=0)


def ber_results(
    schedule: Sequence[Connection], errors: Mapping[Plugged, Errors], rows: Mapping[str, Row], limits: Limits
) -> list[BerResult]:
    """Return the bit error ratio of each port that reports one, in the order of the schedule.

    The symbol ratio decides, then the effective one; the raw ratio only where it has a limit.
    """
    found = []
    for row in schedule:
        rate = rate_of(row, rows)
        for end in row.ends:
            port = Plugged(end.device, end.port)
            if (given := errors.get(port)) is not None and (result := _result(row.number, port, given, rate, limits)) is not None:
                found.append(result)
    return found


def _result(cable: int, port: Plugged, given: Errors, rate: int, limits: Limits) -> BerResult | None:
    kinds = (
        ("symbol", given.symbol_ber, limits.symbol_ber),
        ("effective", given.effective_ber, limits.effective_ber),
        ("raw", given.raw_ber, limits.raw_ber),
    )
    for kind, ratio, limit in kinds:
        if ratio is None or limit is None or not math.isfinite(ratio):
            continue
        needed = minutes_needed(limit, rate, limits.confidence) if rate else None
        runs = bool(rate and given.minutes and given.minutes > 0)
        bound = max(ratio, bound_of(given.minutes or 0, rate, limits.confidence)) if runs else None
        verdict = "shown"
        if ratio > limit:
            verdict = "above"
        elif given.minutes is None or needed is None:
            verdict = "time unknown"
        elif given.minutes < needed:
            verdict = "too short"
        return BerResult(cable, port, kind, ratio, limit, rate, given.minutes, needed, bound, verdict, given.link_downs)
    return None
