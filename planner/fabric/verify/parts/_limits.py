"""Limits of light and error ratios."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from planner.domain import catalog


@dataclass(frozen=True)
class Limits:
    """Limits of light and error ratios; None where there is none.

    Attributes
    ----------
    symbol_ber, effective_ber, raw_ber
        Maximum ratios.
    lane_spread_db
        Maximum difference of the power received by the lanes of one plug.
    confidence
        Certainty with which a run without errors shows a bound of the ratio.
    rx_min_dbm
        Minimum power of each received lane, instead of that of the kind of module.
    of_module
        Minimum power of each received lane, by kind of module and rate of one link in Gb/s.
    """

    symbol_ber: float | None
    effective_ber: float | None
    raw_ber: float | None
    lane_spread_db: float
    confidence: float
    rx_min_dbm: float | None
    of_module: dict[tuple[str, int], float]

    @classmethod
    def usual(
        cls,
        *,
        symbol_ber: float | None = None,
        effective_ber: float | None = None,
        raw_ber: float | None = None,
        rx_min_dbm: float | None = None,
    ) -> Limits:
        """Return the limits of the catalog, with those given in their place."""
        row: Any = catalog.rows("link_limit")[0]
        lights: Iterable[Any] = catalog.rows("light_limit")
        return cls(
            symbol_ber or row.symbol_ber,
            effective_ber or row.effective_ber,
            raw_ber or row.raw_ber,
            row.lane_spread_db,
            row.confidence_ber,
            rx_min_dbm,
            {(light.kind, light.rate_gbps): light.rx_min_dbm for light in lights},
        )
