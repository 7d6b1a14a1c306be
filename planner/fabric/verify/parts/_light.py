"""Light and bit errors at the ports of the plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from planner.domain.parts import Row
from planner.fabric.verify.found import Errors, Plug
from planner.fabric.verify.parts._compare import module_kind
from planner.fabric.verify.parts._limits import Limits
from planner.fabric.verify.result import Finding, Plugged
from planner.view.schedule import Connection

_NO_LIGHT_DBM = -39.0
"""Memories hold -40 dBm for a lane without light."""


def light(
    schedule: Sequence[Connection],
    plugs: Mapping[Plugged, Plug],
    lit: frozenset[Plugged],
    limits: Limits,
    rows: Mapping[str, Row],
) -> Iterator[Finding]:
    """Yield plugs with a link that receive little light, or unequal light in their lanes."""
    for row, end, port in _ends(schedule):
        plug = plugs.get(port)
        if plug is None or port not in lit or not plug.rx_dbm:
            continue
        kind = module_kind(row.end_parts[end], rows)
        minimum = limits.rx_min_dbm
        if minimum is None and kind is not None:
            minimum = limits.of_module.get(kind)
        if words := _low(plug.rx_dbm, minimum, limits.lane_spread_db):
            yield Finding("low light", f"{_place(port)} {words}", (port,), (row.number,))


def _low(rx_dbm: Sequence[float], minimum: float | None, spread_db: float) -> str:
    """Return what is wrong with the light of the lanes, empty if nothing is."""
    lowest, highest = min(rx_dbm), max(rx_dbm)
    lane = rx_dbm.index(lowest) + 1
    if lowest <= _NO_LIGHT_DBM:
        return f"receives no light in lane {lane}: clean the fiber, or replace it"
    if minimum is not None and lowest < minimum:
        return f"receives {lowest:.1f} dBm in lane {lane}, below {minimum:.1f} dBm: clean both plugs"
    if highest - lowest > spread_db:
        return f"receives powers that differ by {highest - lowest:.1f} dB, lane {lane} the minimum: clean the fiber"
    return ""


def bit_errors(schedule: Sequence[Connection], errors: Mapping[Plugged, Errors], limits: Limits) -> Iterator[Finding]:
    """Yield ports whose bit error ratio is above the limit."""
    for row, _, port in _ends(schedule):
        found = errors.get(port)
        if found is None:
            continue
        for name, ratio, limit in ratios(found, limits):
            if ratio is not None and limit is not None and ratio > limit:
                text = f"{name} BER of {_place(port)} is {ratio:.1e}, above {limit:.0e}"
                yield Finding("high BER", text, (port,), (row.number,))
                break


def ratios(found: Errors, limits: Limits) -> tuple[tuple[str, float | None, float | None], ...]:
    """Return the ratios of a port by name with their limits, the one after all correction first."""
    return (
        ("symbol", found.symbol_ber, limits.symbol_ber),
        ("effective", found.effective_ber, limits.effective_ber),
        ("raw", found.raw_ber, limits.raw_ber),
    )


def _ends(schedule: Sequence[Connection]) -> Iterator[tuple[Connection, int, Plugged]]:
    for row in schedule:
        for number, end in enumerate(row.ends):
            yield row, number, Plugged(end.device, end.port)


def _place(port: Plugged) -> str:
    return f"{port.device} port {port.port}"
