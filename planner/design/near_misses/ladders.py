"""Ladders: the best offer for every run length, for rows of many kinds at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from planner.domain.parts import Assembly
from planner.domain.pricelist import Preference, length_bought, objective_value

NEVER = 1 << 40
"""Measure and price without a part that fits: more than any cable, and sums stay exact. Also more than any run length."""


class Ladders:
    """Offers by run length: those of each kind of row are a ladder, whose rungs are the lengths in stock.

    Parameters
    ----------
    kind
        Kind of each row, int64 (W,).
    ladders
        Limits, ascending, and measure and price up to each, int64 (N,) and (2, N), of each kind.
    """

    def __init__(self, kind: np.ndarray, ladders: list[tuple[np.ndarray, np.ndarray]]):
        # One after the other, with the number of the kind above the length: a single search finds the rungs of all rows.
        self._kind = kind
        self._rung = np.concatenate([number * NEVER + limit for number, (limit, _) in enumerate(ladders)])
        self._offer = np.concatenate([offer for _, offer in ladders], axis=1)

    def at(self, rows: np.ndarray, run_mm: np.ndarray) -> np.ndarray:
        """Return measure and price of some rows at run lengths, int64 (2, n, P); NEVER beyond every reach."""
        return self._offer[:, np.searchsorted(self._rung, self._kind[rows, None] * NEVER + run_mm)]


def ladder(
    assemblies: Iterable[Assembly], prefer: Preference, first: tuple[int, int] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the limits and the best measures and prices of some assemblies, int64 (N,) and (2, N).

    Parameters
    ----------
    first
        Whether the transceiver at either end is charged, 0 or 1; None for cables that several rows share.
    """
    assemblies = list(assemblies)
    stock = {mm for assembly in assemblies for mm in assembly.stock_mm if mm <= assembly.reach_mm}
    limit = np.array([*sorted(stock), NEVER - 1], np.int64)
    best = np.full((2, len(limit)), NEVER)
    for assembly in assemblies:
        one, other = assembly.ends
        stock_mm, price = length_bought(assembly, limit, prefer)
        if first is None:
            power = one.power_mw + assembly.tails * other.power_mw
        else:
            price = price + first[0] * one.price_cents + first[1] * other.price_cents
            power = first[0] * one.power_mw + first[1] * other.power_mw
        value = np.broadcast_to(objective_value(assembly, prefer, stock_mm, price, power), price.shape)
        if first is None and prefer == "delay":
            value = value * assembly.carries
        best = better(best, np.where(stock_mm > 0, np.stack([value, price]), NEVER))
    return limit, best


def better(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the elementwise minimum of pairs of measure and price: by measure, then price; int64 (2, …)."""
    less = (other[0] < one[0]) | ((other[0] == one[0]) & (other[1] < one[1]))
    return np.where(less, other, one)
