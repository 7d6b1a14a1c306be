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
    """Empty if the saturation may be used alone; otherwise why packets must be simulated."""
    delays: str = ""
    """What is known to be wrong with delays."""


_TREES = ("fattree", "leafspine", "threelevel")

_SINGLE_PATHS = ("slimfly", "polarfly")
"""Families with one minimal path between nearly all routers."""

_FEW_CHOICES = (*_SINGLE_PATHS, "hyperx", "torus", "hypercube", "megafly", "quadrangle")
"""Families in which single links limit adversarial traffic; in others the division among ports does."""


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
        return _valiant(traffic, family)
    if routing == "minimal" and traffic == "uniform":
        return Error(0.91, 1.04) if family == "dragonfly" else Error(0.94, 1.06)
    if routing == "minimal" and traffic == "hot_spot":
        return Error(0.97, 1.1)
    if routing == "single_path" and traffic == "uniform":
        return Error(0.8, 1.25, "the spread of errors of single-path routing is wide")
    if not is_fixed:
        return Error(0.85, 1.15, f"{traffic} traffic under {routing} routing has been compared on few networks")
    if routing == "minimal" and family in _TREES:
        return Error(0.9, 1.7, "flows of fixed pairs may alternate without waiting, up to the load that fills a link")
    if routing == "minimal" and traffic == "permutation":
        if family == "torus":
            return Error(0.8, 1.04, "the model is up to a fifth too high for permutations on tori")
        return Error(0.97, 1.13) if family in _SINGLE_PATHS else Error(0.9, 1.1)
    if routing == "minimal" and traffic == "adversarial":
        delays = "delays of adversarial traffic may be a third off"
        if family in _FEW_CHOICES:
            return Error(0.95, 1.05, delays=delays)
        return Error(0.88, 1.17, "how packets divide among ports decides, and errors of that are up to a sixth", delays)
    return Error(0.75, 1.3, f"flows of fixed pairs under {routing} routing depend on few links")


def _valiant(traffic: str, family: str) -> Error:
    if traffic == "uniform":
        return Error(0.91, 1.04) if family == "dragonfly" else Error(0.94, 1.06)
    if family in ("dragonfly", "torus"):
        return Error(0.83, 1.08, "the model is up to a sixth too high for such traffic on dragonflies and tori")
    return Error(0.93, 1.18) if family == "hyperx" else Error(0.91, 1.07)
