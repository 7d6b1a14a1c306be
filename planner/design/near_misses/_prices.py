"""Prices of cables of given run lengths, by the rules of the plan."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.design.near_misses.ladders import NEVER, Ladders, better, ladder
from planner.domain.model import CablePlan, Inventory
from planner.domain.parts import Assembly
from planner.domain.pricelist import Preference, price_list


class Lots:
    """Lots of a cable plan.

    Attributes
    ----------
    of
        Lot of each row, int64 (W,).
    together
        Number of rows in the cage at both ends of each row, int64 (W, 2).
    first
        Whether a row is the first in its cage, bool (W, 2): transceivers are charged to it.
    share
        Rows that fill a cage of a router, and a cage at the other end or boxes of one cabinet, have one number; -1 for
        the others. int64 (W,).
    """

    def __init__(self, inventory: Inventory, cables: CablePlan):
        low, units, cages = int(cables.unit.min(initial=0)), int(cables.unit.max(initial=0)), int(cables.cage.max(initial=0))
        unit = cables.unit.ravel().astype(np.int64) - low
        ends = (cables.cabinet.ravel() * (units - low + 1) + unit) * (cages + 1) + cables.cage.ravel()
        _, first, socket, count = np.unique(ends, return_index=True, return_inverse=True, return_counts=True)
        self.together = count[socket.ravel()].reshape(-1, 2)
        is_first = np.zeros(2 * cables.cable_count, bool)
        is_first[first] = True
        self.first = is_first.reshape(-1, 2)
        socket = socket.reshape(-1, 2)
        graph = coo_array((np.ones(len(socket), np.int8), tuple(socket.T)), shape=(len(count), len(count)))
        self.of = connected_components(graph, directed=False)[1][socket[:, 0]].astype(np.int64)
        self.share = _shares(inventory, cables, socket, self.together)
        self._order = np.lexsort((self.share, self.of))
        self._size = np.bincount(self.of)
        self._first = np.cumsum(self._size) - self._size

    def rows(self, lots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return all rows of some lots, by lot and by share, and the start of each lot, int64."""
        sizes = self._size[lots]
        start = np.cumsum(sizes) - sizes
        place = np.arange(int(sizes.sum())) + np.repeat(self._first[lots] - start, sizes)
        return self._order[place], start

    def single(self, lots: np.ndarray) -> np.ndarray:
        """Return whether lots have one row, bool."""
        return self._size[lots] == 1


class Prices:
    """Prices of the lots of a cable plan.

    A row with a cage of its own at both ends uses the best part of all. Rows of one lot that fill their cages use the
    best type of transceiver for all of them, or shared cables. In a lot where only some rows can share, every
    piece keeps its assembly. The price of rows carried by trunks does not depend on these runs.

    Attributes
    ----------
    lots
        The rows that are bought together.
    """

    def __init__(self, inventory: Inventory, cables: CablePlan, shared_trays: bool, prefer: Preference):
        self._cables, self._prefer, self._shared_trays = cables, prefer, shared_trays
        self._joints, self._joint = inventory.joints, inventory.joint.astype(np.int64)
        self.lots = Lots(inventory, cables)
        lot, share = self.lots.of, self.lots.share
        size = np.bincount(lot)[lot]
        sharing = np.bincount(lot, share >= 0)[lot]
        over_panels = np.bincount(lot, cables.carried)[lot]
        # A module of several ports is charged in full even if only one port is used.
        modular = np.array([max(joint.ports_per_cage) > 1 for joint in self._joints])
        self._alone = (over_panels == 0) & (size == 1) & ~modular[self._joint]
        self._open = (over_panels == 0) & ~self._alone & ((sharing == 0) | (sharing == size))
        self._fixed = ~self._alone & ~self._open & (over_panels < size)
        # Of trays for both, either medium may be chosen.
        self._medium_class = np.zeros_like(self._joint) if shared_trays else cables.medium_class.astype(np.int64)
        open_choice = 2 * self._joint + self._medium_class
        # Price list of each single row: of all parts, or of the assembly that it shares.
        self._list_of = np.where(self._alone, open_choice, 2 * len(self._joints) + cables.assembly)
        self._lists = {number: price_list(self._offered(number), prefer) for number in np.unique(self._list_of).tolist()}

    @property
    def single(self) -> bool:
        """Whether every row is bought alone, from the list of all its parts."""
        return bool(self._alone.all())

    def tables(self) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Return the price list of each row, int64 (W,), and start, limits and prices of the lists one after the other, int64."""
        numbers = list(self._lists)
        start = np.append(0, np.cumsum([len(self._lists[number].limit_mm) for number in numbers]))
        limit, cents = (np.concatenate([getattr(self._lists[n], name) for n in numbers]) for name in ("limit_mm", "price_cents"))
        return np.searchsorted(numbers, self._list_of), (start, limit, cents)

    def _offered(self, number: int) -> list[Assembly]:
        if number >= 2 * len(self._joints):
            return [self._cables.assemblies[number - 2 * len(self._joints)]]
        return [a for a in self._joints[number // 2].single if self._may_use(a, number % 2)]

    def of(self, rows: np.ndarray, start: np.ndarray, run_mm: np.ndarray) -> np.ndarray:
        """Return the prices of lots at given run lengths in cents, int64 (L, P).

        Parameters
        ----------
        rows, start
            All rows of some lots, and the start of each, as from `Lots.rows`.
        run_mm
            Run length of each row, int64 (n, P).
        """
        price = np.zeros((len(start), run_mm.shape[1]), np.int64)
        size = np.diff(np.append(start, len(rows)))
        lead = rows[start]
        alone = self._alone[lead]
        if alone.any():
            price[alone] = self._listed(rows[start[alone]], run_mm[start[alone]])
        for chosen, priced in ((self._open, self._opened), (self._fixed, self._kept)):
            mine = chosen[lead]
            if mine.any():
                some = np.repeat(mine, size)
                price[mine] = priced(rows[some], np.cumsum(size[mine]) - size[mine], run_mm[some])
        return price

    def misses(self, within_mm: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return excess over the shorter part, saving (0: none), and length of that part, for each cable, int64 (W,).

        Rows that share a cage keep their assembly; rows of one piece count once, on the first.
        """
        run = self._cables.minimum_run_mm
        over, saving, stock = (np.zeros(len(run), np.int64) for _ in range(3))
        longest = np.zeros(int(self._cables.piece.max(initial=-1)) + 1, np.int64)
        np.maximum.at(longest, self._cables.piece, run)
        run = longest[self._cables.piece]
        first = np.zeros(len(run), bool)
        first[self._cables.first_of_piece] = True
        for number, offers in self._lists.items():
            mine = np.flatnonzero((self._list_of == number) & ~self._cables.carried & first)
            row = np.minimum(np.searchsorted(offers.limit_mm, run[mine]), len(offers.limit_mm) - 1)
            before = np.maximum(row - 1, 0)
            over[mine] = run[mine] - offers.limit_mm[before]
            gain = offers.price_cents[row] - offers.price_cents[before]
            saving[mine] = np.where((row > 0) & (over[mine] > 0) & (over[mine] <= within_mm), np.maximum(gain, 0), 0)
            stock[mine] = offers.stock_mm[before]
        return over, saving, stock

    def _listed(self, rows: np.ndarray, run_mm: np.ndarray) -> np.ndarray:
        price = np.zeros(run_mm.shape, np.int64)
        for number, offers in self._lists.items():
            mine = self._list_of[rows] == number
            price[mine] = offers.price_of(run_mm[mine])
        return price

    def _kept(self, rows: np.ndarray, start: np.ndarray, run_mm: np.ndarray) -> np.ndarray:
        """Return prices with every piece in its assembly, at its longest run; rows carried by trunks are not priced."""
        piece = np.where(self._cables.carried[rows], -1, self._cables.piece[rows])
        price = np.zeros((len(start), run_mm.shape[1]), np.int64)
        for lot, (first, last) in enumerate(zip(start, np.append(start[1:], len(rows)), strict=True)):
            for number in np.unique(piece[first:last][piece[first:last] >= 0]):
                mine = first + np.flatnonzero(piece[first:last] == number)
                price[lot] += self._listed(rows[mine[:1]], run_mm[mine].max(axis=0, keepdims=True))[0]
        return price

    def _opened(self, rows: np.ndarray, start: np.ndarray, run_mm: np.ndarray) -> np.ndarray:
        """Return prices with the best type of transceiver for all rows of each lot, or with shared cables."""
        best = np.full((2, len(start), run_mm.shape[1]), NEVER)
        for ladders in self._of_families:
            each = ladders.at(rows, run_mm)
            best = better(best, np.minimum(np.add.reduceat(each, start, axis=1), NEVER))
        share = self.lots.share[rows]
        if (share >= 0).any():
            best = better(best, self._together(rows, start, run_mm, share))
        return best[1]

    def _together(self, rows: np.ndarray, start: np.ndarray, run_mm: np.ndarray, share: np.ndarray) -> np.ndarray:
        group = np.flatnonzero(np.append(True, share[1:] != share[:-1]))
        group = np.union1d(group, start)
        each = self._of_shared.at(rows[group], np.maximum.reduceat(run_mm, group, axis=0))
        each[:, share[group] < 0] = NEVER
        return np.minimum(np.add.reduceat(each, np.searchsorted(group, start), axis=1), NEVER)

    @cached_property
    def _of_families(self) -> list[Ladders]:
        """Offers of each type of transceiver: a module is charged to the first row in its cage, and holds all rows of it."""
        rows = np.column_stack([self._joint, self._medium_class, self.lots.first, self.lots.together])
        kinds, kind = np.unique(rows, axis=0, return_inverse=True)
        found = []
        for family in sorted({assembly.end_part for joint in self._joints for assembly in joint.single}):
            ladders = []
            for joint, medium_class, *first, links, links_b in kinds.tolist():
                offered = [a for a in self._joints[joint].single if a.end_part == family and self._may_use(a, medium_class)]
                fitting = [a for a in offered if links <= a.ends[0].links and links_b <= a.ends[1].links]
                ladders.append(ladder(fitting, self._prefer, (first[0], first[1])))
            found.append(Ladders(kind.ravel(), ladders))
        return found

    @cached_property
    def _of_shared(self) -> Ladders:
        """Offers of cables that several rows share."""
        kinds, kind = np.unique(np.column_stack([self._joint, self._medium_class]), axis=0, return_inverse=True)
        offered = ([a for a in self._joints[joint].shared if self._may_use(a, medium)] for joint, medium in kinds.tolist())
        return Ladders(kind.ravel(), [ladder(assemblies, self._prefer) for assemblies in offered])

    def _may_use(self, assembly: Assembly, medium_class: int) -> bool:
        return self._shared_trays or (assembly.medium == "optical") == bool(medium_class)


def _shares(inventory: Inventory, cables: CablePlan, socket: np.ndarray, together: np.ndarray) -> np.ndarray:
    """Number the rows that could share a cable, int64 (W,); -1 for the others."""
    share = np.full(len(socket), -1)
    per_cage = np.array([joint.ports_per_cage[0] for joint in inventory.joints])[inventory.joint]
    full = np.flatnonzero((per_cage > 1) & (together[:, 0] == per_cage))
    order = full[np.argsort(socket[full, 0], kind="stable")]
    for number, rows in enumerate(np.split(order, np.flatnonzero(np.diff(socket[order, 0])) + 1)):
        far = socket[rows, 1]
        one_cage = (far == far[:1]).all() and (together[rows, 1] == len(rows)).all()
        one_cabinet = (together[rows, 1] == 1).all() and len(set(cables.cabinet[rows, 1].tolist())) == 1
        # At the first end of a link there may be links and endpoints; those of one cage are of one kind then.
        if one_cage or (one_cabinet and not inventory.is_link[rows].any()):
            share[rows] = number
    return share
