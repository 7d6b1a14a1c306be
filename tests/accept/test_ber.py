"""Bit error ratios and the time that shows them."""

from __future__ import annotations

import math

import pytest

from planner.fabric import accept
from planner.fabric.verify.found import Errors
from planner.fabric.verify.parts import Limits, rows_of
from planner.fabric.verify.result import Plugged
from planner.view.schedule import Connection, End

A, B = End("R1", 1, "1", "A01", 1), End("R2", 1, "1", "A01", 2)
CABLE = Connection(1, 1, "", "", A, B, "100g-qsfp28-dac-30awg", ("", ""), "copper", 1500, 1000, "", "", "")


@pytest.mark.parametrize(("ratio", "rate_gbps", "hours"), [(1e-15, 100, 8.3), (1e-15, 400, 2.1), (1e-15, 800, 1.04)])
def test_hours_that_show_a_ratio(ratio, rate_gbps, hours):
    """Figures of the literature: 3e15 bits without an error show 1e-15 at 95 %."""
    assert accept.minutes_needed(ratio, rate_gbps, 0.95) / 60 == pytest.approx(hours, rel=0.01)


def test_time_and_bound_are_inverse():
    minutes = accept.minutes_needed(3e-14, 200, 0.99)
    assert accept.bound_of(minutes, 200, 0.99) == pytest.approx(3e-14)
    # The chance of no error in all bits of that time, at just that ratio, is what the certainty leaves.
    assert math.exp(-3e-14 * minutes * 60 * 200e9) == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("errors", "limit", "verdict", "bound"),
    [
        (Errors(symbol_ber=0.0, minutes=600.0), 1e-15, "shown", 2.9957 / 3.6e15),
        (Errors(symbol_ber=1e-254, minutes=60.0), 1e-15, "too short", 2.9957 / 3.6e14),
        (Errors(symbol_ber=5e-16, minutes=6000.0), 1e-15, "shown", 5e-16),
        (Errors(symbol_ber=5e-15, minutes=6000.0), 1e-15, "above", 5e-15),
        (Errors(symbol_ber=0.0), 1e-15, "time unknown", None),
        (Errors(effective_ber=0.0, minutes=1.0), None, "shown", 2.9957 / 6e12),
        (Errors(raw_ber=1e-6, minutes=1.0), None, None, None),
    ],
)
def test_verdict_of_a_port(errors, limit, verdict, bound):
    limits = Limits.usual(symbol_ber=limit, effective_ber=limit)
    found = accept.ber_results([CABLE], {Plugged("R2", 1): errors}, rows_of(), limits)
    assert [each.verdict for each in found] == ([verdict] if verdict else [])
    if verdict:
        assert (found[0].port, found[0].rate_gbps) == (("R2", 1), 100)
        assert found[0].bound == (None if bound is None else pytest.approx(bound, rel=1e-3))


def test_without_a_rate_no_time_is_known():
    row = CABLE._replace(part="no-such-part")
    (result,) = accept.ber_results([row], {Plugged("R1", 1): Errors(symbol_ber=0.0, minutes=600.0)}, rows_of(), Limits.usual())
    assert (result.verdict, result.needed, result.bound) == ("time unknown", None, None)
