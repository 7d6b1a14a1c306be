"""Purchase of every cable: assembly, length, and shared cables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.core.errors import Infeasible
from planner.design.cabling.cages import Cages
from planner.domain.model import Joint
from planner.domain.parts import Assembly, CustomLength
from planner.domain.pricelist import Preference, length_bought, longest_mm, objective_value


@dataclass(frozen=True)
class Purchase:
    """The purchase; W rows.

    Attributes
    ----------
    assemblies
        Assemblies in use, in the order of the joints.
    assembly
        Index into `assemblies`, int64 (W,).
    choice
        The same as an index into all assemblies of the joints, for `only` of another purchase, int64 (W,).
    component
        Rows with the same number need the same type of module because their cages are connected, int64 (W,).
    medium_class
        Index into `planner.domain.model.MEDIUM_CLASSES`, int64 (W,).
    stock_mm
        Stock length, int64 (W,).
    price_cents
        Cost charged to each row, int64 (W,): a shared cable and the module of a shared cage are charged to their
        first row, so that the sum is the total price.
    piece
        Rows with the same number share one cable, int64 (W,); 0 … N-1 in order of the first row.
    power_mw
        Power of plugs and modules at both ends, on the first row of each, int64 (W, 2).
    modules
        Transceivers bought with the row at both ends, int64 (W, 2).
    measure
        Value of the objective, in cents, mW or fs, int64 (W,).
    """

    assemblies: tuple[Assembly, ...]
    assembly: np.ndarray
    choice: np.ndarray
    component: np.ndarray
    medium_class: np.ndarray
    stock_mm: np.ndarray
    price_cents: np.ndarray
    piece: np.ndarray
    power_mw: np.ndarray
    modules: np.ndarray
    measure: np.ndarray


def medium_class_of(assembly: Assembly) -> int:
    """Return the medium class of an assembly, index into `planner.domain.model.MEDIUM_CLASSES`."""
    return int(assembly.medium == "optical")


def purchase(
    joints: tuple[Joint, ...],
    joint: np.ndarray,
    cages: Cages,
    run_mm: np.ndarray,
    *,
    only: np.ndarray | None = None,
    barred: np.ndarray | None = None,
    prefer: Preference = "price",
    custom_length: CustomLength | None = None,
) -> Purchase:
    """Choose the best assembly and length for every row.

    Parameters
    ----------
    joints, joint
        Pairs of port kinds with their assemblies; index of each row's, int (W,).
    cages
        Ports and cages of every row, and which rows may share a cable.
    run_mm
        Run length over copper trays and over fiber trays, (W, 2); a copper cable must cover the first, an optical one
        the second. (W,) where both are equal.
    only
        Fixed assembly of each row, as `Purchase.choice`, so that only lengths are chosen; -1, the default, for the best one.
    barred
        Assemblies excluded for each row, bool (assemblies of the joints, W); by default none.
    prefer
        Objective: price, power of both ends, or delay; ties are broken by price, then by length.
    custom_length
        Price rule of lengths made to order; by default only stock lengths are bought.

    Raises
    ------
    Infeasible
        When a run is longer than the reach of every part, or no type of transceiver serves a set of connected cages.
    """
    run_mm = np.asarray(run_mm, np.int64)
    run_mm = np.column_stack([run_mm, run_mm]) if run_mm.ndim == 1 else run_mm
    only = np.full(len(run_mm), -1) if only is None else only
    barred = np.zeros((sum(len(each.assemblies) for each in joints), 1), bool) if barred is None else barred
    return _Search(joints, np.asarray(joint), cages, run_mm, only, barred, prefer, custom_length).result()


def with_nominal_slack(
    bought: Purchase, run_mm: np.ndarray, prefer: Preference = "price", custom_length: CustomLength | None = None
) -> Purchase:
    """Return the purchase with lengths that cover runs with nominal slack, int (W,), where these are as good.

    Slack is given up only where that saves: money, or delay where that is the objective.
    """
    if prefer == "delay" or not len(run_mm):
        return bought
    longest = np.zeros(int(bought.piece.max()) + 1, np.int64)
    np.maximum.at(longest, bought.piece, run_mm)
    stock = bought.stock_mm.copy()
    for number, assembly in enumerate(bought.assemblies):
        rows = np.flatnonzero(bought.assembly == number)
        longer, price = length_bought(assembly, longest[bought.piece[rows]], prefer, custom_length)
        _, paid = length_bought(assembly, stock[rows], prefer, custom_length)
        stock[rows] = np.where((longer > stock[rows]) & (price == paid), longer, stock[rows])
    return replace(bought, stock_mm=stock)


@dataclass
class _Best:
    """The best choice so far of every row or group: measure, price, length and assembly, int64; `assembly` -1 for none."""

    measure: np.ndarray
    price_cents: np.ndarray
    stock_mm: np.ndarray
    assembly: np.ndarray

    @classmethod
    def none(cls, count: int) -> _Best:
        return cls(np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64), np.full(count, -1))

    def take(self, other: _Best) -> None:
        """Replace entries by better ones: by measure, then price, then length; ties keep the old entry."""
        keys = ((other.measure, self.measure), (other.price_cents, self.price_cents), (other.stock_mm, self.stock_mm))
        better = np.zeros(len(self.measure), bool)
        equal = np.ones(len(self.measure), bool)
        for a, b in keys:
            better |= equal & (a < b)
            equal &= a == b
        better = (other.assembly >= 0) & (better | (self.assembly < 0))
        for name in self.__dataclass_fields__:
            getattr(self, name)[better] = getattr(other, name)[better]


@dataclass
class _Search:
    joints: tuple[Joint, ...]
    joint: np.ndarray
    cages: Cages
    run_mm: np.ndarray
    only: np.ndarray
    barred: np.ndarray
    prefer: Preference
    custom: CustomLength | None

    def __post_init__(self) -> None:
        self.rows = [_rows(self.joint, number) for number in range(len(self.joints))]
        self.choices = tuple(assembly for joint in self.joints for assembly in joint.assemblies)
        self.first, self.together = self.cages.first, self.cages.together
        is_shared = [place >= len(joint.single) for joint in self.joints for place in range(len(joint.assemblies))]
        self._must_share = (self.only >= 0) & np.array([*is_shared, False])[self.only]

    def result(self) -> Purchase:
        if not len(self.run_mm):
            none, pairs = np.zeros(0, np.int64), np.zeros((0, 2), np.int64)
            return Purchase((), none, none, none, none, none, none, none, pairs, pairs, none)
        component = self._components()
        best, measure = self._singles(component)
        shared = self._shared(component, best, measure)
        self._complain(best)
        leader = np.arange(len(self.run_mm))
        if shared.any():
            rows = np.flatnonzero(shared)
            _, place, back = np.unique(self.cages.share[rows], return_index=True, return_inverse=True)
            leader[rows] = rows[place][back.ravel()]
        return self._written(best, leader, component)

    def _components(self) -> np.ndarray:
        """Number the rows that need the same type of module because their cages are connected, int64 (W,)."""
        if self.together.max() == 1:
            return np.arange(len(self.run_mm))
        number = np.unique(self.cages.socket, return_inverse=True)[1].reshape(-1, 2)
        size = number.max() + 1
        graph = coo_array((np.ones(len(number), np.int8), (number[:, 0], number[:, 1])), shape=(size, size))
        return connected_components(graph, directed=False)[1].astype(np.int64)[number[:, 0]]

    def _singles(self, component: np.ndarray) -> tuple[_Best, np.ndarray]:
        """Choose a cable of its own for each row, with one type of module per component.

        Returns
        -------
        best
            By row; assembly -1 in components that no type serves.
        total
            Measure and price of each component, int64 (C, 2).
        """
        count = int(component.max()) + 1
        rows_of = np.bincount(component, minlength=count)
        whole = _Best.none(count)
        best = _Best.none(len(self.run_mm))
        families = sorted({assembly.end_part for joint in self.joints for assembly in joint.single})
        # The choice of a component is a place in the list of families.
        for place, family in enumerate(families):
            rows = self._family(family)
            offered = np.bincount(component, rows.assembly >= 0, count).astype(np.int64) == rows_of
            sums = _Best.none(count)
            np.add.at(sums.measure, component, rows.measure)
            np.add.at(sums.price_cents, component, rows.price_cents)
            np.add.at(sums.stock_mm, component, rows.stock_mm)
            before = whole.assembly.copy()
            whole.take(replace(sums, assembly=np.where(offered, place, -1)))
            taken = (whole.assembly != before)[component]
            for name in best.__dataclass_fields__:
                getattr(best, name)[taken] = getattr(rows, name)[taken]
        return best, np.column_stack([whole.measure, whole.price_cents])

    def _family(self, family: str) -> _Best:
        """Choose for each row among the assemblies whose first module is `family`."""
        best = _Best.none(len(self.run_mm))
        for number, assembly, kind in self._offers(shared=False):
            rows = self.rows[kind]
            if assembly.end_part != family:
                continue
            part = _Best(*(getattr(best, name)[rows] for name in best.__dataclass_fields__))
            stock, cents = length_bought(assembly, self.run_mm[rows, medium_class_of(assembly)], self.prefer, self.custom)
            ends = assembly.ends
            # A row that must share a cable gets no cable of its own in the end: any single cable will do here.
            free = self._may(number, rows) | self._must_share[rows]
            fits = (stock > 0) & free & (self.together[rows, 0] <= ends[0].links) & (self.together[rows, 1] <= ends[1].links)
            first = self.first[rows]
            price = cents + first[:, 0] * ends[0].price_cents + first[:, 1] * ends[1].price_cents
            power = first[:, 0] * ends[0].power_mw + first[:, 1] * ends[1].power_mw
            part.take(
                _Best(objective_value(assembly, self.prefer, stock, price, power), price, stock, np.where(fits, number, -1))
            )
            for name in best.__dataclass_fields__:
                getattr(best, name)[rows] = getattr(part, name)
        return best

    def _shared(self, component: np.ndarray, best: _Best, single: np.ndarray) -> np.ndarray:
        """Replace the choice of rows that can share a cable where that is no worse; return these rows, bool (W,)."""
        share = self.cages.share
        rows = np.flatnonzero(share >= 0)
        shared = np.zeros(len(share), bool)
        if not len(rows):
            return shared
        _, place, group = np.unique(share[rows], return_index=True, return_inverse=True)
        group, lead = group.ravel(), rows[place]
        run = np.zeros((len(lead), 2), np.int64)
        np.maximum.at(run, group, self.run_mm[rows])
        chosen = _Best.none(len(lead))
        for number, assembly, kind in self._offers(shared=True):
            stock, cents = length_bought(assembly, run[:, medium_class_of(assembly)], self.prefer, self.custom)
            of_kind = (self.joint[lead] == kind) & self._may(number, lead)
            head, tail = assembly.ends
            power = np.full(len(lead), head.power_mw + assembly.tails * tail.power_mw)
            value = objective_value(assembly, self.prefer, stock, cents, power) * (
                assembly.carries if self.prefer == "delay" else 1
            )
            chosen.take(_Best(value, cents, stock, np.where(of_kind & (stock > 0), number, -1)))
        alone, cost = best.assembly[lead], single[component[lead]]
        less = (chosen.measure < cost[:, 0]) | ((chosen.measure == cost[:, 0]) & (chosen.price_cents <= cost[:, 1]))
        better = (chosen.assembly >= 0) & ((alone < 0) | less | self._must_share[lead])
        for name in best.__dataclass_fields__:
            getattr(best, name)[rows] = np.where(better[group], getattr(chosen, name)[group], getattr(best, name)[rows])
        shared[rows] = better[group]
        # Rows that share a cable are not charged.
        best.price_cents[rows[better[group]]] = 0
        best.price_cents[lead[better]] = chosen.price_cents[better]
        return shared

    def _may(self, number: int, rows: np.ndarray | slice) -> np.ndarray:
        """Return which rows may use an assembly, bool."""
        barred = np.broadcast_to(self.barred[number], len(self.only))[rows]
        return ~barred & ((self.only[rows] < 0) | (self.only[rows] == number))

    def _offers(self, *, shared: bool) -> Iterator[tuple[int, Assembly, int]]:
        """Yield each assembly for one row, or for several: its number, itself, and its joint."""
        number = 0
        for kind, joint in enumerate(self.joints):
            for place, assembly in enumerate(joint.assemblies):
                if (place >= len(joint.single)) == shared and (self.joint == kind).any():
                    yield number + place, assembly, kind
            number += len(joint.assemblies)

    def _complain(self, best: _Best) -> None:
        for joint, rows in zip(self.joints, self.rows, strict=True):
            what = joint.name
            missing = best.assembly[rows] < 0
            if not missing.any():
                continue
            run = self.run_mm[rows][missing]
            reaches = [(longest_mm(assembly, self.custom), assembly) for assembly in joint.single]
            beyond = np.all([run[:, medium_class_of(assembly)] > reach for reach, assembly in reaches], axis=0)
            if beyond.any():
                reach, farthest = max(reaches, key=lambda item: item[0])
                needed = run[beyond, medium_class_of(farthest)].max()
                raise Infeasible(
                    f"{int(beyond.sum())} {what} are longer than any part reaches: {needed / 1000:.2f} m needed, "
                    f"{farthest.id} reaches {reach / 1000:.2f} m; add a part with more reach or shorten the routes"
                )
            raise Infeasible(
                f"{int(missing.sum())} {what} share cages, and no single type of transceiver serves all connected ones: up to "
                f"{run.min(axis=1).max() / 1000:.2f} m; add a transceiver with more reach or use fewer ports of each cage"
            )

    def _written(self, best: _Best, leader: np.ndarray, component: np.ndarray) -> Purchase:
        used: list[Assembly] = []
        renumber = np.zeros(len(self.choices), np.int64)
        for choice in np.unique(best.assembly):
            if self.choices[choice] not in used:
                used.append(self.choices[choice])
            renumber[choice] = used.index(self.choices[choice])
        assembly = renumber[best.assembly]
        leads = leader == np.arange(len(leader))
        ends = np.array([[(end.power_mw, end.part != "") for end in made_of.ends] for made_of in used], np.int64)[assembly]
        splits = np.array([made_of.tails > 1 for made_of in used])[assembly]
        # Modules count on the first row of their cage, plugs of a finished cable on its first row, a splitter's tails on each.
        module = ends[:, :, 1] > 0
        charged = np.where(module, self.first, np.column_stack([leads, leads | splits]))
        power = ends[:, :, 0] * charged
        if self.prefer == "delay":
            rates = np.array([[made_of.delay_ps_per_m, 2000 * made_of.delay_end_ps] for made_of in used], np.int64)[assembly]
            measure = best.stock_mm * rates[:, 0] + rates[:, 1]
        else:
            measure = best.price_cents if self.prefer == "price" else power.sum(axis=1)
        return Purchase(
            tuple(used),
            assembly,
            best.assembly,
            component,
            np.array([medium_class_of(made_of) for made_of in used])[assembly],
            best.stock_mm,
            best.price_cents,
            np.unique(leader, return_inverse=True)[1].ravel(),
            power,
            (module & charged).astype(np.int64),
            measure,
        )


def _rows(joint: np.ndarray, number: int) -> slice | np.ndarray:
    """Return the rows of a joint, as a slice where they follow each other: views are faster than copies."""
    rows = np.flatnonzero(joint == number)
    contiguous = len(rows) and rows[-1] - rows[0] + 1 == len(rows)
    return slice(int(rows[0]), int(rows[-1]) + 1) if contiguous else rows
