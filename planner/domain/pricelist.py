"""Prices of cables by run length: the length of an assembly to buy, and the cheapest assembly for each length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from planner.core.errors import Infeasible
from planner.domain.parts import Assembly, CustomLength

Preference = Literal["price", "power", "delay"]


@dataclass(frozen=True)
class PriceList:
    """The best offer for every run length; row n covers runs above ``limit_mm[n - 1]`` up to ``limit_mm[n]``.

    Attributes
    ----------
    limit_mm, stock_mm, price_cents
        int64 (N,), `limit_mm` ascending.
    assembly
        Index into `assemblies`, int64 (N,).
    """

    assemblies: tuple[Assembly, ...]
    limit_mm: np.ndarray
    assembly: np.ndarray
    stock_mm: np.ndarray
    price_cents: np.ndarray

    def rows(self, run_mm: np.ndarray, what: str) -> np.ndarray:
        """Return the row for each run length, int64.

        Raises
        ------
        Infeasible
            When a run is longer than any part in the list covers; `what` names the cables in the message.
        """
        run_mm = np.asarray(run_mm)
        row = np.searchsorted(self.limit_mm, run_mm)
        if run_mm.size and run_mm.max() > self.limit_mm[-1]:
            many = int((run_mm > self.limit_mm[-1]).sum())
            reach = self.assemblies[self.assembly[-1]]
            raise Infeasible(
                f"{many} {what} are longer than any part reaches: {run_mm.max() / 1000:.2f} m needed, "
                f"{reach.id} reaches {self.limit_mm[-1] / 1000:.2f} m; add a part with more reach or shorten the routes"
            )
        return row

    def price_of(self, run_mm: np.ndarray) -> np.ndarray:
        """Return prices in cents, int64; runs beyond every reach are extrapolated at the mean price per meter of the last row.

        Placement uses this, so that a search may pass through layouts that no part covers.
        """
        run_mm = np.asarray(run_mm, np.int64)
        row = np.minimum(np.searchsorted(self.limit_mm, run_mm), len(self.limit_mm) - 1)
        beyond = np.maximum(run_mm - self.limit_mm[-1], 0)
        return self.price_cents[row] + beyond * int(self.price_cents[-1]) // int(self.limit_mm[-1])


def price_list(assemblies: Sequence[Assembly], prefer: Preference = "price") -> PriceList:
    """Return the best offers among `assemblies`.

    Parameters
    ----------
    prefer
        Objective: price, power of both ends, or delay; ties are broken by price, then by stock length.

    Examples
    --------
    >>> copper = Assembly(id="dac", medium="copper", kind="DAC", rate_gbps=100, connector_a="Q", connector_b="Q", reach_mm=3000,
    ...     stock_mm=(1000, 3000), price_cents=(4000, 6000), power_mw=100, diameter_um=5000, bend_mm=30, mass_g_per_m=40,
    ...     delay_ps_per_m=4500, delay_end_ps=0, length_part="dac")
    >>> price_list([copper]).price_of([500, 1000, 1001])
    array([4000, 4000, 6000])
    """
    offers = [
        (number, stock, price)
        for number, assembly in enumerate(assemblies)
        for stock, price in zip(assembly.stock_mm, assembly.price_cents, strict=True)
        if stock <= assembly.reach_mm
    ]
    offers.sort(key=lambda offer: _rank(assemblies[offer[0]], offer, prefer))
    limits = sorted({stock for _, stock, _ in offers})
    best = [next(offer for offer in offers if offer[1] >= limit) for limit in limits]
    number, stock, price = np.array(best, np.int64).reshape(-1, 3).T
    return PriceList(tuple(assemblies), np.array(limits, np.int64), number, stock, price)


def _rank(assembly: Assembly, offer: tuple[int, int, int], prefer: Preference) -> tuple:
    number, stock, price = offer
    return objective_value(assembly, prefer, stock, price, assembly.power_mw), price, stock, number


def objective_value(assembly: Assembly, prefer: Preference, stock_mm: Any, price_cents: Any, power_mw: Any) -> Any:
    """Return the value of the objective: the price in cents, the power in mW, or the delay of the stock length in fs."""
    if prefer == "price":
        return price_cents
    return power_mw if prefer == "power" else stock_mm * assembly.delay_ps_per_m + 2000 * assembly.delay_end_ps


# -- lengths to buy ---------------------------------------------------------------------------


def longest_mm(assembly: Assembly, custom: CustomLength | None = None) -> int:
    """Return the longest run that the assembly covers; 0 when none of its lengths is within reach."""
    stock = max((stock for stock in assembly.stock_mm if stock <= assembly.reach_mm), default=0)
    custom = _rule_for(assembly, custom)
    if stock and custom:
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
    custom = _rule_for(assembly, custom)
    if custom is None:
        return stock, price
    made = -(-np.maximum(run_mm, 1) // custom.increment_mm) * custom.increment_mm
    made_price = _made_cents(ladder_mm, ladder_cents, made, custom.markup_percent)
    better = made < stock if prefer == "delay" else made_price < price
    better = (made <= longest_mm(assembly, custom)) & ((stock == 0) | (made <= stock) & better)
    return np.where(better, made, stock), np.where(better, made_price, price)


def _rule_for(assembly: Assembly, custom: CustomLength | None) -> CustomLength | None:
    """Return the rule for lengths made to order if it holds for the assembly."""
    return custom if custom is not None and ("fiber" if assembly.end_part else assembly.kind) in custom.kinds else None


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
