"""Price lists: the cheapest assembly and stock length for a cable of a given run length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from planner.errors import Infeasible
from planner.parts import Assembly

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
    first = {
        "price": price,
        "power": assembly.power_mw,
        "delay": stock * assembly.delay_ps_per_m + 2000 * assembly.delay_end_ps,
    }
    return first[prefer], price, stock, number
