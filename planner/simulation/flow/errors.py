"""Errors of the flow-level model against the packet engine, by class of routing and traffic."""

from __future__ import annotations

from typing import NamedTuple


class Error(NamedTuple):
    """What is known about a prediction."""

    low: float
    """Lowest saturation throughput measured, as a ratio to the predicted one."""
    high: float
    """Highest ratio."""
    advice: str = ""
    """Empty if the estimate may be used alone; otherwise why packets must be simulated."""


_TREES = ("fattree", "leafspine", "threelevel")


def error_of(routing: str, traffic: str, family: str, *, is_fixed: bool) -> Error:
    """Return the measured range of saturation for a prediction; see the tables in ``docs/method/flow-model.md``.

    Parameters
    ----------
    routing, traffic, family
        Names of the routing, the traffic pattern and the family of the network.
    is_fixed
        Whether every source sends to one target.
    """
    if routing == "valiant":
        return Error(0.89, 1.04) if family == "dragonfly" else Error(0.94, 1.06)
    if routing == "minimal" and traffic == "uniform":
        return Error(0.91, 1.04) if family == "dragonfly" else Error(0.94, 1.06)
    if routing == "minimal" and traffic == "hot_spot":
        return Error(0.9, 1.1)
    if routing == "single_path" and traffic == "uniform":
        return Error(0.8, 1.25, "the spread of errors of single-path routing is wide")
    if not is_fixed:
        return Error(0.85, 1.15, f"{traffic} traffic under {routing} routing has been compared on few networks")
    if routing == "minimal" and family in _TREES:
        return Error(0.9, 1.7, "flows of fixed pairs may alternate without waiting, up to the load that fills a link")
    if routing == "minimal" and traffic == "permutation":
        return Error(0.86, 1.14)
    if routing == "minimal" and traffic == "adversarial":
        return Error(0.9, 1.15, "delays of adversarial traffic may be a fifth too low")
    return Error(0.75, 1.25, f"flows of fixed pairs under {routing} routing depend on few links")
