"""Saturation under routings that are not modeled, as a measured ratio to minimal and Valiant routing."""

from __future__ import annotations

from typing import NamedTuple


class Ratio(NamedTuple):
    """Measured saturation relative to a modeled one."""

    mean: float
    low: float
    high: float


ROUTINGS = ("ugal", "polarized")

_UNLIKE = ("jellyfish", "polarstar", "dragonfly")
_TREES = ("fattree", "megafly", "leafspine", "threelevel")


def ratio_of(routing: str, kind: str, family: str, *, whole_path: bool = False) -> Ratio | None:
    """Return the measured ratio; None where nothing was measured.

    Parameters
    ----------
    routing
        ``"ugal"`` or ``"polarized"``.
    kind
        ``"uniform"``: relative to minimal routing. ``"permutation"`` or ``"adversarial"``: relative to the higher of minimal and
        Valiant routing.
    family
        Family of the network.
    whole_path
        Whether UGAL compares the queues of whole paths (UGAL-G).

    Notes
    -----
    Means and ranges of 32, 29, 29, 8 and 6 networks, in the order below.
    """
    if routing == "polarized":
        return Ratio(0.96, 0.87, 1.04) if kind == "uniform" else None
    if whole_path:
        return Ratio(1.0, 0.94, 1.03) if kind == "uniform" else None
    if kind == "uniform":
        return Ratio(0.91, 0.82, 0.99) if family in _UNLIKE else Ratio(0.99, 0.95, 1.03)
    if kind == "permutation":
        return Ratio(1.0, 0.97, 1.03) if family in _TREES else Ratio(1.19, 0.97, 1.38)
    if kind == "adversarial":
        return Ratio(0.5, 0.4, 0.6) if family == "megafly" else Ratio(1.0, 0.75, 1.2)
    return None
