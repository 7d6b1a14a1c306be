"""The length of an assembly to buy for a run, from stock or made to order, and its price."""

from __future__ import annotations

import numpy as np

from planner.parts import Assembly, CustomLength
from planner.pricelist import Preference


def longest_mm(assembly: Assembly, custom: CustomLength | None = None) -> int:
    """Return the longest run that the assembly covers; 0 when none of its lengths is within reach."""
    stock = max((stock for stock in assembly.stock_mm if stock <= assembly.reach_mm), default=0)
    if stock and _made(assembly, custom):
        return max(stock, assembly.reach_mm // custom.increment_mm * custom.increment_mm)
    return stock


def length_bought(
    assembly: Assembly, run_mm: np.ndarray, prefer: Preference = "price", custom: CustomLength | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the length to buy for each run, and its price without transceivers, both int64 in the shape of the runs.

    The length is 0 where the assembly does not reach. With `custom`, a length is made to order where that
    is better than the stock length: cheaper, or shorter where delay is the objective.

    Examples
    --------
    >>> copper = Assembly(id="dac", medium="copper", kind="DAC", rate_gbps=100, connector_a="Q", connector_b="Q", reach_mm=3000,
    ...     stock_mm=(1000, 3000), price_cents=(4000, 6000), power_mw=100, diameter_um=5000, bend_mm=30, mass_g_per_m=40,
    ...     delay_ps_per_m=4500, delay_end_ps=0, length_part="dac")
    >>> length_bought(copper, np.array([500, 1001, 3001]))
    (array([1000, 3000,    0]), array([4000, 6000, 6000]))
    """
    run_mm = np.asarray(run_mm, np.int64)
    offers = [offer for offer in zip(assembly.stock_mm, assembly.length_cents, strict=True) if offer[0] <= assembly.reach_mm]
    if not offers:
        return np.zeros_like(run_mm), np.zeros_like(run_mm)
    ladder_mm, ladder_cents = np.array(offers, np.int64).T
    row = np.minimum(np.searchsorted(ladder_mm, run_mm), len(ladder_mm) - 1)
    stock, price = np.where(run_mm <= ladder_mm[-1], ladder_mm[row], 0), ladder_cents[row]
    if not _made(assembly, custom):
        return stock, price
    made = -(-np.maximum(run_mm, 1) // custom.increment_mm) * custom.increment_mm
    made_price = _made_cents(ladder_mm, ladder_cents, made, custom.markup_percent)
    better = made < stock if prefer == "delay" else made_price < price
    better = (made <= longest_mm(assembly, custom)) & ((stock == 0) | (made <= stock) & better)
    return np.where(better, made, stock), np.where(better, made_price, price)


def _made(assembly: Assembly, custom: CustomLength | None) -> bool:
    return custom is not None and ("fiber" if assembly.end_part else assembly.kind) in custom.kinds


def _made_cents(ladder_mm: np.ndarray, ladder_cents: np.ndarray, made_mm: np.ndarray, markup_percent: float) -> np.ndarray:
    """Return the price of a length made to order, int64: interpolated between the neighboring stock lengths, with the mark-up.

    Below the first stock length its price counts; beyond the last the line through the last two is continued.
    """
    line = np.interp(made_mm, ladder_mm, ladder_cents.astype(np.float64))
    if len(ladder_mm) > 1:
        slope = (ladder_cents[-1] - ladder_cents[-2]) / (ladder_mm[-1] - ladder_mm[-2])
        line += np.maximum(made_mm - ladder_mm[-1], 0) * slope
    # Whole cents must not be rounded up because of binary fractions.
    return np.ceil(line * (1 + markup_percent / 100) - 1e-6).astype(np.int64)
