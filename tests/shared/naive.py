"""Plain twins of the annealing kernels: states to try them on, and recounts that are slow and obvious."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.kernels.placement import anneal as kernel
from planner.kernels.placement import layout

MODES = ("arithmetic", "lattice", "full", "split")
"""Four methods for the same changes of cost; see `planner.kernels.placement.layout.State`."""


@dataclass(frozen=True)
class Instance:
    """A state of annealing, and the same in plain Python objects.

    Attributes
    ----------
    state
        With arrays for one of `MODES`.
    cost
        Cost between any two slots, from the definition.
    weight
        Weight of the edge between two items, lower one first.
    kin, apart_price
        Group of each item, and the price of a pair of one group in two slots.
    """

    state: layout.State
    cost: list[list[int]]
    weight: dict[tuple[int, int], int]
    kin: list[int]
    apart_price: int

    @property
    def objective(self) -> int:
        slot = self.state.slot.tolist()
        links = sum(w * self.cost[slot[a]][slot[b]] for (a, b), w in self.weight.items())
        pairs = [(a, b) for a in range(len(slot)) for b in range(a) if self.kin[a] == self.kin[b]]
        return links + self.apart_price * sum(slot[a] != slot[b] for a, b in pairs)

    def check(self) -> None:
        """All arrays agree about the places of the items, and the field is what it would be if computed again."""
        state = self.state
        here = {slot: sorted(np.flatnonzero(state.slot == slot).tolist()) for slot in range(len(state.filled))}
        for slot, items in here.items():
            assert sorted(state.content[slot, : state.filled[slot]].tolist()) == items
        for item, (slot, place) in enumerate(zip(state.slot.tolist(), state.place.tolist(), strict=True)):
            assert state.content[slot, place] == item
        for group in range(len(state.together)):
            for slot, items in here.items():
                assert state.together[group, slot] == sum(self.kin[item] == group for item in items)
        if state.field.size:
            self._check_field()

    def _check_field(self) -> None:
        state = self.state
        slot = state.slot.tolist()
        for item in range(len(slot)):
            edges = [(b if a == item else a, w) for (a, b), w in self.weight.items() if item in (a, b)]
            for q in range(len(self.cost)):
                if state.field_y.size:
                    # A split field counts links inside a slot at full price.
                    found = state.field[item, state.x[q]] + state.field_y[item, state.y[q]]
                    expected = sum(w * (self.cost[slot[n]][q] + int(state.inside_gain[0]) * (slot[n] == q)) for n, w in edges)
                else:
                    found, expected = state.field[item, q], sum(w * self.cost[slot[n]][q] for n, w in edges)
                assert found == expected


def instance(
    seed: int,
    mode: str = "arithmetic",
    *,
    items: int = 12,
    slots: int = 9,
    places: int = 3,
    heaviest: int = 1,
    apart_price: int = 0,
    near: bool = False,
    fixed: int = 0,
    separable: bool = True,
    kind: type = np.int32,
) -> Instance:
    """Return a random instance; of one seed and one set of options all modes show the same one.

    The cost is one that every mode can hold, unless it is not `separable`: then each mode has its own, and none of
    them is cheaper between slots than inside.
    """
    draw = np.random.default_rng(seed)
    columns, rows = 4, -(-slots // 3)
    spot = draw.permutation(columns * rows)[:slots]
    x, y = (index.astype(np.int32) for index in np.divmod(spot, rows))
    across, along = (np.concatenate([[0], draw.integers(0, 40, n - 1)]) for n in (columns, rows))
    base, gain = int(draw.integers(5, 30)), int(draw.integers(0, 20))
    table = (base + across[:, None] + along).astype(kind)
    inside = int(draw.integers(0, base)) if not separable else max(0, base - gain)
    if not separable:
        table = draw.integers(base, 90, table.shape).astype(kind)
    table[0, 0] = inside
    full = table[np.abs(x[:, None] - x), np.abs(y[:, None] - y)]
    if not separable and mode in ("arithmetic", "full"):
        full = draw.integers(base, 90, full.shape).astype(kind)
        full = np.maximum(full, full.T)
        np.fill_diagonal(full, draw.integers(0, base, slots))
    weight = {
        (a, b): int(draw.integers(1, heaviest + 1)) for a in range(items) for b in range(a + 1, items) if draw.random() < 0.35
    }
    kin = draw.integers(0, 3, items)
    slot = draw.permutation(np.repeat(np.arange(slots), places))[:items]
    chosen = draw.permutation(items)[:fixed]
    swap_class = draw.integers(0, 2, items)
    swap_class[chosen] = 2
    demand, allowed, free = _limits(draw, slot, slots, np.unique(slot[chosen]))
    none = np.empty((0, 0), kind)
    state = layout.State(
        **_edges(items, weight, kind),
        table=np.ascontiguousarray(full if mode in ("arithmetic", "full") else table),
        x=np.empty(0, np.int32) if mode in ("arithmetic", "full") else x,
        y=np.empty(0, np.int32) if mode in ("arithmetic", "full") else y,
        field=np.zeros((items, columns if mode == "split" else slots), kind) if mode in ("full", "split") else none,
        field_y=np.zeros((items, rows), kind) if mode == "split" else none,
        across=across[np.abs(np.subtract.outer(range(columns), range(columns)))].astype(kind) + kind(base)
        if mode == "split"
        else none,
        along=along[np.abs(np.subtract.outer(range(rows), range(rows)))].astype(kind) if mode == "split" else none,
        inside_gain=(base - inside if mode == "split" else 0) * np.array([1, max(weight.values(), default=1)]),
        **_contents(slot, slots, places),
        **_peers(swap_class),
        slots=free.astype(np.uint32),
        near=draw.integers(0, slots, (slots, 4)).astype(np.uint32) if near else np.empty((0, 0), np.uint32),
        demand=demand,
        allowed=allowed,
        kin=kin.astype(np.int32) if apart_price else np.empty(0, np.int32),
        together=_together(kin, slot, slots) if apart_price else np.zeros((0, 0), np.int32),
        apart_price=np.array([apart_price]),
        threshold=kernel.THRESHOLD,
    )
    if state.field.size:
        layout.fill_field(state)
    return Instance(state, full.astype(int).tolist(), weight, kin.tolist(), apart_price)


def random_state(seed: int) -> np.ndarray:
    return np.array([seed], np.uint64)


def _edges(items: int, weight: dict[tuple[int, int], int], kind: type) -> dict[str, np.ndarray]:
    rows = [sorted([(b, w) for (a, b), w in weight.items() if a == item] + [(a, w) for (a, b), w in weight.items() if b == item])
            for item in range(items)]  # fmt: skip
    return {
        "indptr": np.cumsum([0] + [len(row) for row in rows]).astype(np.uint32),
        "indices": np.array([n for row in rows for n, _ in row], np.uint32),
        "weight": np.array([w for row in rows for _, w in row], kind),
    }


def _contents(slot: np.ndarray, slots: int, places: int) -> dict[str, np.ndarray]:
    content, filled, place = np.zeros((slots, places), np.uint32), np.zeros(slots, np.int64), np.zeros(len(slot), np.uint32)
    for item, at in enumerate(slot.tolist()):
        place[item] = filled[at]
        content[at, filled[at]] = item
        filled[at] += 1
    return {"slot": slot.astype(np.uint32), "place": place, "content": content, "filled": filled}


def _peers(swap_class: np.ndarray) -> dict[str, np.ndarray]:
    """Items of class 2 never move."""
    lists = [np.flatnonzero(swap_class == number) for number in range(2)]
    return {
        "peers": np.concatenate(lists).astype(np.uint32),
        "peer_start": np.array([0, len(lists[0]), len(lists[0]) + len(lists[1])] + [len(lists[0]) + len(lists[1])]),
        "peer_class": swap_class.astype(np.int64),
    }


def _limits(draw: np.random.Generator, slot: np.ndarray, slots: int, fixed: np.ndarray):
    """Three classes of content, the fourth nothing, the fifth what must stay; class 0 may be anywhere."""
    allowed = np.zeros((5, slots), np.uint8)
    allowed[[0, 3]] = 1
    allowed[1] = draw.random(slots) < 0.8
    allowed[2] = allowed[1] & (draw.random(slots) < 0.8)
    allowed[:, fixed] = 0
    demand = np.array([max(d for d in range(3) if d == 0 or (d <= wish and allowed[d, p]))
                       for p, wish in enumerate(draw.integers(0, 3, slots).tolist())])  # fmt: skip
    demand[np.setdiff1d(np.arange(slots), slot)] = 3
    demand[fixed] = 4
    return demand.astype(np.int64), allowed, np.setdiff1d(np.arange(slots), fixed)


def _together(kin: np.ndarray, slot: np.ndarray, slots: int) -> np.ndarray:
    together = np.zeros((3, slots), np.int32)
    np.add.at(together, (kin, slot), 1)
    return together
