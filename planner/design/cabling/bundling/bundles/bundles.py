"""The result of bundling, and how bundles of several kinds are combined."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from planner.design.cabling.bundling.bundles.cables import CableSet

KINDS = ("loom", "row loom", "trunk", "multi-core fiber", "shuffle")
"""Kinds of bundle; `Bundles.kind` is an index into this tuple."""

REASONS = (
    "",
    "inside a cabinet",
    "both ends in one area",
    "no fiber between two transceivers",
    "shares its cable with other links",
    "no part for its glass or plugs",
    "no trunk or jumper of that length",
    "loss above the budget",
    "an endpoint's cable",
    "both ends in one group",
    "too few links for a trunk",
)
"""Reasons why a row is not part of a trunk, multi-core fiber or shuffle; `Bundles.reason` is an index into this tuple."""


@dataclass(frozen=True)
class Panels:
    """Passive boxes of one kind bought for one area; `cents` for all of them, None where the price of a fiber includes them."""

    part: str
    area: int
    count: int
    cents: int | None


@dataclass(frozen=True)
class Bought:
    """Jumpers, or cables from routers to boxes, of one part and length; `cents` for all of them."""

    part: str
    stock_mm: int
    count: int
    cents: int


@dataclass(frozen=True, eq=False)
class TrayLoad:
    """Things routed over trays, int64: tray nodes at both ends (N, 2), medium class, cross-section and route length (N,)."""

    node: np.ndarray
    medium_class: np.ndarray
    area_um2: np.ndarray
    tray_mm: np.ndarray

    @classmethod
    def none(cls) -> TrayLoad:
        nothing = np.zeros(0, np.int64)
        return cls(np.zeros((0, 2), np.int64), nothing, nothing, nothing)

    @classmethod
    def joined(cls, several: list[TrayLoad]) -> TrayLoad:
        return cls(*(np.concatenate([getattr(one, field.name) for one in several]) for field in fields(cls)))


@dataclass(frozen=True, eq=False)
class Set:
    """Bundles of one kind: an array for each figure, (B,) or (B, 2), and the bundle of some rows."""

    kind: str
    rows: np.ndarray
    bundle: np.ndarray
    cabinet: np.ndarray
    node: np.ndarray
    part: np.ndarray
    parts: tuple[str, ...]
    capacity: np.ndarray
    area_um2: np.ndarray
    diameter_um: np.ndarray
    bend_mm: np.ndarray
    run_mm: np.ndarray
    stock_mm: np.ndarray
    price_cents: np.ndarray

    @property
    def count(self) -> int:
        return len(self.capacity)


@dataclass(frozen=True, eq=False)
class Bundles:
    """The bundles of the cables between cabinets.

    Attributes
    ----------
    bundle
        Bundle of each row, -1 inside a cabinet, int64 (W,).
    kind, part
        Index into `KINDS`; into `parts` or -1, int64 (B,).
    cabinet, node
        Cabinets at both ends or -1 for a panel; tray nodes, int64 (B, 2).
    capacity, links
        Maximum and actual number of links, int64 (B,).
    area_um2, diameter_um, bend_mm
        Cross-section in trays, outer diameter, minimum bend radius of the center line, int64 (B,).
    run_mm, stock_mm, price_cents
        Run length, stock length, and price of the trunk or fiber, int64 (B,).
    leg_mm, leg_stock_mm
        Run and stock length of the jumpers at both ends of each row; 0 for none, int64 (W, 2).
    via_node
        Tray nodes of the panels at both ends of each row; its own nodes without panels, int64 (W, 2).
        A row runs from its first node to the first panel, to the second panel, and to its second node.
    cable_cents
        Price of each row without its bundle: transceivers and cable, or transceivers and jumpers, int64 (W,).
    reason
        Reason why the row is not carried, index into `REASONS`, int64 (W,).
    panels
        Passive boxes bought.
    polarity
        Polarity type of the trunks, A or B; "" without trunks.
    bought
        Jumpers and router cables bought for the rows that go over panels.
    carriers
        Trunks, fibers and jumpers on the trays.
    load
        Everything on the trays: the carriers, and the cables that none of them carries.
    pulled, pieces
        Number of pulls between cabinets; number of items bought for links between cabinets.
    priced
        False where an item has no price: `cents` is then None.
    """

    bundle: np.ndarray
    kind: np.ndarray
    part: np.ndarray
    parts: tuple[str, ...]
    cabinet: np.ndarray
    node: np.ndarray
    capacity: np.ndarray
    links: np.ndarray
    area_um2: np.ndarray
    diameter_um: np.ndarray
    bend_mm: np.ndarray
    run_mm: np.ndarray
    stock_mm: np.ndarray
    price_cents: np.ndarray
    leg_mm: np.ndarray
    leg_stock_mm: np.ndarray
    via_node: np.ndarray
    cable_cents: np.ndarray
    reason: np.ndarray
    panels: tuple[Panels, ...]
    polarity: str
    bought: tuple[Bought, ...]
    carriers: TrayLoad
    load: TrayLoad
    pulled: int
    pieces: int
    priced: bool = True

    @property
    def count(self) -> int:
        return len(self.kind)

    @property
    def cents(self) -> int | None:
        """Price of all cables, bundles and panels; None where an item has no price."""
        if not self.priced:
            return None
        return int(self.cable_cents.sum()) + int(self.price_cents.sum()) + sum(panels.cents or 0 for panels in self.panels)

    @property
    def carried(self) -> np.ndarray:
        """Rows that a trunk, a multi-core fiber or a shuffle carries, bool (W,)."""
        over = np.append(self.kind > KINDS.index("row loom"), False)
        return over[self.bundle]

    @property
    def types(self) -> int:
        """Number of bundle types: distinct kind, part, capacity and length, as lifecycle management counts them."""
        return len(np.unique(np.column_stack([self.kind, self.part, self.capacity, self.stock_mm]), axis=0))

    @property
    def direct(self) -> int:
        """Number of rows between cabinets that the kind cannot carry."""
        return int((self.reason > REASONS.index("inside a cabinet")).sum())


@dataclass(frozen=True, eq=False)
class Legs:
    """Jumpers of the rows that go over panels, (W, 2), and the cost of each row, (W,); see `Bundles`."""

    leg_mm: np.ndarray
    leg_stock_mm: np.ndarray
    via_node: np.ndarray
    cable_cents: np.ndarray

    @classmethod
    def none(cls, cables: CableSet) -> Legs:
        nothing = np.zeros((len(cables.assembly), 2), np.int64)
        return cls(nothing, nothing, cables.node, np.asarray(cables.price_cents, np.int64))

    @classmethod
    def of(
        cls,
        cables: CableSet,
        rows: np.ndarray,
        leg_mm: np.ndarray,
        stock_mm: np.ndarray,
        node: np.ndarray,
        cents: np.ndarray,
    ) -> Legs:
        """Return the legs of all rows from those of some rows."""
        none = cls.none(cables)
        columns = (none.leg_mm, leg_mm), (none.leg_stock_mm, stock_mm), (none.via_node, node), (none.cable_cents, cents)
        filled = []
        for everywhere, own in columns:
            column = everywhere.copy()
            column[rows] = own
            filled.append(column)
        return cls(*filled)


def combine(
    cables: CableSet,
    sets: list[Set],
    legs: Legs,
    reason: np.ndarray,
    carriers: list[TrayLoad],
    rest: TrayLoad,
    *,
    pulled: int,
    pieces: int,
    panels: tuple[Panels, ...] = (),
    polarity: str = "",
    bought: tuple[Bought, ...] = (),
    priced: bool = True,
) -> Bundles:
    """Combine the bundles of several kinds into one list."""
    bundle = np.full(len(cables.assembly), -1, np.int64)
    parts = tuple(dict.fromkeys(part for one in sets for part in one.parts))
    first, kinds, numbers = 0, [], []
    for one in sets:
        bundle[one.rows] = one.bundle + first
        first += one.count
        kinds.append(np.full(one.count, KINDS.index(one.kind)))
        place = np.array([*(parts.index(part) for part in one.parts), -1])
        numbers.append(place[one.part])
    columns = {
        name: np.concatenate([getattr(one, name) for one in sets]).astype(np.int64)
        for name in ("cabinet", "node", "capacity", "area_um2", "diameter_um", "bend_mm", "run_mm", "stock_mm", "price_cents")
    }
    return Bundles(
        bundle=bundle,
        kind=np.concatenate(kinds),
        part=np.concatenate(numbers),
        parts=parts,
        links=np.bincount(bundle[bundle >= 0], minlength=first),
        leg_mm=legs.leg_mm,
        leg_stock_mm=legs.leg_stock_mm,
        via_node=legs.via_node,
        cable_cents=legs.cable_cents,
        reason=reason,
        panels=panels,
        polarity=polarity,
        bought=bought,
        carriers=TrayLoad.joined([TrayLoad.none(), *carriers]),
        load=TrayLoad.joined([*carriers, rest]),
        pulled=pulled,
        pieces=pieces,
        priced=priced,
        **columns,
    )
