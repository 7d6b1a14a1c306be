"""The cheapest trunks for a number of links."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from planner.design.cabling.bundling.bundles.bundles import Set
from planner.design.cabling.bundling.bundles.cables import numbered, rank_within
from planner.domain.parts import BundlingParts, TrunkPart


def cover(plugs: int, sizes: list[int], cents: list[int]) -> list[int]:
    """Return the trunks to buy for at least this number of plugs, largest first.

    Minimizes cost, then the number of trunks, then spare plugs, by dynamic programming.

    Parameters
    ----------
    plugs
        MPO plugs needed at each end.
    sizes, cents
        Plugs at each end and price of every trunk on offer.

    Returns
    -------
    list of int
        Indices into `sizes`.

    Examples
    --------
    >>> cover(7, [1, 2, 4, 6], [10, 19, 36, 50])
    [3, 0]
    """
    best: list[tuple[int, int, int]] = [(0, 0, 0)]
    taken = [-1]
    for need in range(1, plugs + 1):
        options = []
        for trunk, (size, price) in enumerate(zip(sizes, cents, strict=True)):
            cost, count, spare = best[max(need - size, 0)]
            options.append((cost + price, count + 1, spare + max(size - need, 0), trunk))
        price, count, spare, trunk = min(options)
        best.append((price, count, spare))
        taken.append(trunk)
    chosen = []
    while plugs > 0:
        chosen.append(taken[plugs])
        plugs = max(plugs - sizes[taken[plugs]], 0)
    return sorted(chosen, key=lambda trunk: (-sizes[trunk], trunk))


@dataclass(frozen=True, eq=False)
class Offers:
    """The trunks of a catalog by glass."""

    parts: tuple[TrunkPart, ...]

    @classmethod
    def of(cls, parts: BundlingParts) -> Offers:
        return cls(tuple(sorted(parts.trunks, key=lambda trunk: (trunk.glass, trunk.connectors))))

    def longest_mm(self, glass: str) -> int:
        """Return the longest trunk of a glass; -1 without one."""
        return max((trunk.stock_mm[-1] for trunk in self.parts if trunk.glass == glass), default=-1)

    def steps_mm(self, glass: str) -> list[int]:
        """Return all stock lengths of a glass, shortest first."""
        return sorted({stock for trunk in self.parts if trunk.glass == glass for stock in trunk.stock_mm})

    def at(self, glass: str, run_mm: int) -> list[tuple[int, int, int]]:
        """Return number, stock length and price of each trunk of a glass that is long enough."""
        found = []
        for number, trunk in enumerate(self.parts):
            step = sum(stock < run_mm for stock in trunk.stock_mm)
            if trunk.glass == glass and step < len(trunk.stock_mm):
                found.append((number, trunk.stock_mm[step], trunk.price_cents[step]))
        return found


def trunked(
    offers: Offers,
    kind: str,
    rows: np.ndarray,
    group: np.ndarray,
    run_of_row_mm: np.ndarray,
    glass: list[str],
    links_per_plug: np.ndarray,
    run_mm: np.ndarray,
    node: np.ndarray,
    cabinet: np.ndarray,
    area_um2: Callable[[np.ndarray], np.ndarray],
) -> tuple[Set, np.ndarray]:
    """Buy trunks for groups of links and assign the links to them, shortest first.

    Parameters
    ----------
    rows, group, run_of_row_mm
        Links, the group of each, and the length by which they are ordered, int64 (n,).
    glass, links_per_plug, run_mm, node, cabinet
        Of each group, (G,) or (G, 2).

    Returns
    -------
    Set
        The trunks.
    ndarray of int64, (B,)
        MPO plugs of each at either end.
    """
    plugs = -(-np.bincount(group, minlength=len(glass)) // links_per_plug)
    kinds, glasses = np.unique(np.array(glass, dtype=str), return_inverse=True)
    step = np.zeros(len(glass), np.int64)
    for number, name in enumerate(kinds.tolist()):
        own = glasses.ravel() == number
        step[own] = np.searchsorted(offers.steps_mm(name), run_mm[own])
    wanted, recipe = numbered(np.column_stack([glasses.ravel(), step, plugs]))
    recipes = [_bought(offers, str(kinds[g]), s, p) for g, s, p in wanted.tolist()]
    sizes = np.array([len(bought) for bought in recipes], np.int64)
    count, first = sizes[recipe], (np.cumsum(sizes) - sizes)[recipe]
    start = np.append(0, np.cumsum(count))
    flat = np.array([trunk for bought in recipes for trunk in bought], np.int64).reshape(-1, 3)
    of = np.repeat(np.arange(len(glass)), count)
    number, stock, cents = flat[first[of] + np.arange(len(of)) - start[of]].T
    figure = {
        name: np.array([getattr(part, name) for part in offers.parts], np.int64)[number]
        for name in ("connectors", "diameter_um", "bend_mm")
    }
    capacity = figure["connectors"] * links_per_plug[of]
    # Links fill the trunks of their group in turn.
    before = np.append(0, np.cumsum(capacity))
    rank = rank_within(group, np.lexsort((rows, run_of_row_mm, group)))
    bundle = np.searchsorted(before, before[start[group]] + rank, side="right") - 1
    bought = Set(
        kind=kind,
        rows=rows,
        bundle=bundle,
        cabinet=cabinet[of],
        node=node[of],
        part=number,
        parts=tuple(part.id for part in offers.parts),
        capacity=capacity,
        area_um2=area_um2(figure["diameter_um"]),
        diameter_um=figure["diameter_um"],
        bend_mm=figure["bend_mm"],
        run_mm=run_mm[of],
        stock_mm=stock,
        price_cents=cents,
    )
    return bought, figure["connectors"]


def _bought(offers: Offers, glass: str, step: int, plugs: int) -> list[tuple[int, int, int]]:
    on_offer = offers.at(glass, offers.steps_mm(glass)[step])
    sizes = [offers.parts[number].connectors for number, _, _ in on_offer]
    return [on_offer[place] for place in cover(plugs, sizes, [cents for _, _, cents in on_offer])]
