"""Links of transceivers and fiber: which may go over panels, their loss, and their jumpers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from planner.design.cabling.bundling.bundles.bundles import REASONS, Bought
from planner.design.cabling.bundling.bundles.cables import CableSet, numbered

_KILOMETER_MM = 1_000_000


def fiber_links(cables: CableSet) -> np.ndarray:
    """Return the reason why each row cannot go over panels, index into `REASONS`, 0 where it can, int64 (W,)."""
    optical = (cables.of_assembly("glass") != "") if cables.assemblies else np.zeros(len(cables.assembly), bool)
    return np.select(
        [~cables.between, ~optical, ~cables.alone],
        [
            REASONS.index(text)
            for text in ("inside a cabinet", "no fiber between two transceivers", "shares its cable with other links")
        ],
        0,
    )


def refuse(reason: np.ndarray, rows: np.ndarray, wrong: np.ndarray, text: str) -> np.ndarray:
    """Set the reason of those `rows` that are `wrong`, and return the others."""
    reason[rows[wrong]] = REASONS.index(text)
    return rows[~wrong]


def over_budget(
    cables: CableSet, rows: np.ndarray, length_mm: np.ndarray, pairs: Callable[[str], tuple[int, int]], more_db: float = 0.0
) -> np.ndarray:
    """Return which rows would exceed the loss budget of their transceivers, bool (n,).

    Parameters
    ----------
    length_mm
        Fiber from transceiver to transceiver, (n,).
    pairs
        From the plug of a row to its mated pairs of MPO and of LC plugs; those in transceivers are not counted.
    more_db
        Additional loss of the channel.
    """
    wrong = np.zeros(len(rows), bool)
    for number in np.unique(cables.assembly[rows]):
        made_of = cables.assemblies[number]
        own = np.flatnonzero(cables.assembly[rows] == number)
        mpo, lc = pairs(made_of.plug)
        plugs = cables.parts.loss.channel_db(made_of.glass, 0, mpo, lc)
        per_km = cables.parts.loss.channel_db(made_of.glass, _KILOMETER_MM, mpo, lc) - plugs
        wrong[own] = plugs + per_km * length_mm[own] / _KILOMETER_MM + more_db > made_of.budget_db
    return wrong


def jumpers(cables: CableSet, rows: np.ndarray, leg_mm: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return stock lengths of the jumpers at both ends (0: none is long enough), int64 (n, 2), and the cost of each row, (n,).

    A jumper is the row's own fiber in another length; the transceivers stay.
    """
    stock = np.zeros((len(rows), 2), np.int64)
    cents = (np.asarray(cables.price_cents, np.int64) - cables.length_cents)[rows]
    for number in np.unique(cables.assembly[rows]):
        made_of = cables.assemblies[number]
        own = np.flatnonzero(cables.assembly[rows] == number)
        ladder = np.array(made_of.stock_mm, np.int64)
        fiber = np.array(made_of.length_cents, np.int64)
        # The entry after the last length is 0 for "none".
        step = np.searchsorted(ladder, leg_mm[own])
        stock[own] = np.append(ladder, 0)[step]
        cents[own] += np.append(fiber, 0)[step].sum(axis=1)
    return stock, cents


def jumpers_bought(cables: CableSet, rows: np.ndarray, stock_mm: np.ndarray) -> tuple[Bought, ...]:
    """Return the jumpers at both ends by part and length; `stock_mm` is their length, int (n, 2)."""
    kinds, number = numbered(np.column_stack([np.tile(cables.assembly[rows], 2), stock_mm.T.ravel()]))
    counts = np.bincount(number, minlength=len(kinds)).tolist()
    found: dict[tuple[str, int], list[int]] = {}
    for (assembly, length), count in zip(kinds.tolist(), counts, strict=True):
        made_of = cables.assemblies[assembly]
        each = dict(zip(made_of.stock_mm, made_of.length_cents, strict=True))[length]
        entry = found.setdefault((made_of.length_part, length), [0, 0])
        entry[0] += count
        entry[1] += count * each
    return tuple(Bought(*key, *entry) for key, entry in sorted(found.items()))
