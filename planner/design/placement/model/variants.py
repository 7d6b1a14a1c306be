"""Variants of the rules that a study leaves open: packing, groups and endpoint cabinets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from planner.core import registry
from planner.core.errors import Infeasible, InputError
from planner.core.progress import Progress
from planner.design.placement.anneal import default_moves
from planner.design.placement.auto import by_size_and_shape
from planner.design.placement.model.cost import Objective
from planner.design.placement.model.endpoint_cost import cost_in_place
from planner.design.placement.model.problem import PlacementProblem
from planner.domain.model import FIXTURES, Alternative, Catalog, Placement, Topology
from planner.hall.floor import Lengths

SHARE = 0.5
"""Share of the effort for comparing variants; the best variant gets the rest."""


@dataclass(frozen=True)
class Rules:
    """Rules of packing and endpoint cabinets; ``"auto"`` is open."""

    groups: Any
    packing: str
    endpoints: Any

    @property
    def settled(self) -> Rules:
        """The rules with defaults for open ones, as used by all algorithms but ``auto``."""
        groups = "required" if self.groups == "auto" else self.groups
        return Rules(groups, self.packing, "together" if self.endpoints == "auto" else self.endpoints)

    def choices(self, topology: Topology, group_price: int) -> list[Rules]:
        """Return all variants to try, the most common first."""
        groups = ("required", "preferred", "ignored") if self.groups == "auto" else (self.groups,)
        if self.groups == "auto" and not topology.group.shape[1]:
            groups = ("ignored",)
        if self.groups == "auto" and group_price:
            groups = ("preferred",)
        endpoints = ("together", "apart") if self.endpoints == "auto" and topology.endpoint_count else (self.settled.endpoints,)
        return [
            Rules(rule, packing, where)
            for where in endpoints
            for rule in groups
            for packing in (_packings(rule) if self.packing == "auto" else (self.packing,))
        ]


def _packings(groups: str) -> tuple[str, ...]:
    # Whole groups may share cabinets in order or by their links; ids may follow the structure better than links.
    return {"required": ("auto", "partition"), "preferred": ("auto",), "ignored": ("auto", "order")}[groups]


@dataclass(frozen=True)
class Variant:
    """Rules, the resulting problem, and a function that places the endpoints of a placed network."""

    rules: Rules
    posed: PlacementProblem
    finish: Callable[..., Placement]


def variants(choices: list[Rules], pose: Callable[[Rules], Variant]) -> list[Variant]:
    """Return the feasible variants, without those that lead to the same problem as an earlier one.

    Raises
    ------
    Infeasible, InputError
        When no variant is feasible: the error of the first one.
    """
    found: dict[tuple, Variant] = {}
    failures = []
    for rules in choices:
        try:
            variant = pose(rules)
        except (Infeasible, InputError) as error:
            # A packing method may not support another rule of the study.
            failures.append(error)
            continue
        found.setdefault((rules.endpoints, *_signature(variant.posed)), variant)
    if not found:
        raise failures[0]
    return list(found.values())


def _signature(posed: PlacementProblem) -> Iterator[bytes]:
    """Yield what distinguishes problems: routers that share a cabinet, swap classes, and whether groups stay."""
    cabinet = posed.packing.cabinet_of
    sizes = np.bincount(cabinet)
    # If all routers may be swapped, only the sizes of cabinets matter.
    free = len(np.unique(posed.swap_class)) == 1 and not posed.groups_stay
    yield (np.sort(sizes) if free else _by_appearance(cabinet)).tobytes()
    yield _by_appearance(posed.swap_class).tobytes()
    yield bytes([posed.groups_stay])


def _by_appearance(label: np.ndarray) -> np.ndarray:
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse.ravel()]


def best_variant(
    found: list[Variant],
    total: Total,
    run: Callable[..., Placement],
    *,
    seed: int,
    progress: Progress,
    moves: int | None,
    seconds: float | None,
) -> tuple[Variant, Placement]:
    """Return the best variant and its placement, which lists all variants.

    Every variant is placed, including endpoints, with an equal share of half of the effort. Variants are ranked by the number
    of links that are too long, then by total (see `Total`), then by the number of cabinets. The best variant is placed again
    with the other half of the effort. Ctrl-C keeps the best result so far.

    Parameters
    ----------
    run
        Algorithm for the best variant.
    moves, seconds
        Total effort, as for `anneal`.
    """
    if len(found) == 1:
        return found[0], run(found[0].posed, seed=seed, progress=progress, moves=moves, seconds=seconds)
    tried: list[_Tried] = []
    try:
        for number, variant in enumerate(found):
            progress("variants", number, len(found), **({"best": min(tried, key=_rank).total} if tried else {}))
            moves_each = SHARE * (default_moves(variant.posed) if moves is None else moves) / len(found)
            effort: dict[str, float] = (
                {"moves": int(moves_each)} if seconds is None else {"seconds": SHARE * seconds / len(found)}
            )
            tried += _tried(variant, total, seed, effort)
        progress("variants", len(found), len(found))
    except KeyboardInterrupt:
        placed = found[0].posed.placement(found[0].posed.start, "interrupted before any search", 0)
        tried = tried or [_Tried(found[0], placed, placed, 0)]
        best = min(tried, key=_rank)
        return best.variant, replace(best.placed, complete=False)
    if not tried:
        raise Infeasible("the slots that the routers leave free cannot hold the endpoints under any of the open rules")
    best = min(tried, key=_rank)
    rest = {"seconds": seconds and (1 - SHARE) * seconds, "moves": moves if moves is None else int((1 - SHARE) * moves)}
    final = run(best.variant.posed, seed=seed, progress=progress, **rest)
    cost, layouts = best.variant.posed.search_cost, (final, best.placed)
    placed = min(
        layouts, key=lambda each: best.variant.posed.objective(each.slot[: best.variant.posed.topology.router_count], cost)
    )
    alternatives = tuple(each.alternative(each is best) for each in tried)
    return best.variant, replace(placed, alternatives=alternatives, complete=final.complete)


def _tried(variant: Variant, total: Total, seed: int, effort: dict[str, float]) -> list[_Tried]:
    """Place a variant and its endpoints; return [] if they do not fit.

    Raises
    ------
    KeyboardInterrupt
        Also if the search returned its best result after an interrupt.
    """
    search = registry.function("placement", by_size_and_shape(variant.posed.topology)[0])
    placed = search(variant.posed, seed=seed, **effort)
    try:
        whole = variant.finish(placed)
    except Infeasible:
        return []
    if not whole.complete and "seconds" not in effort:
        raise KeyboardInterrupt
    return [_Tried(variant, placed, whole, total(whole))]


class _Tried(NamedTuple):
    """A variant, its router placement, its complete placement, and the total."""

    variant: Variant
    placed: Placement
    whole: Placement
    total: int

    def alternative(self, chosen: bool) -> Alternative:
        rules, method = self.variant.rules, self.variant.posed.packing.method
        return Alternative(rules.groups, method.split(":")[0], rules.endpoints, self.whole.cabinet_count, self.total, chosen)


def _rank(tried: _Tried) -> tuple[int, int, int]:
    return tried.whole.too_long, tried.total, tried.whole.cabinet_count


@dataclass(frozen=True)
class Total:
    """Total cost of a placed network; see `planner.domain.model.Alternative`."""

    topology: Topology
    catalog: Catalog
    lengths: Lengths
    objective: Objective

    def __call__(self, placed: Placement) -> int:
        """Return the cost of all cables at final rack units, in cents including cabinets, PDUs and cable managers."""
        catalog = self.catalog
        cost = cost_in_place(self.topology, catalog, self.lengths, self.objective, placed)
        if placed.objective_unit != "cents":
            return cost
        cost += placed.cabinet_count * catalog.cabinet.price_cents
        if catalog.manager is not None:
            cost += int((placed.fixture_kind == FIXTURES.index("cable manager")).sum()) * catalog.manager.price_cents
        if catalog.pdu is not None:
            cost += placed.cabinet_count * placed.feeds * placed.pdus_per_feed * catalog.pdu.price_cents
        return cost


def with_totals(placed: Placement, total: Total) -> Placement:
    """Return the placement with the final total of the chosen variant."""
    final = total(placed) if placed.alternatives else 0
    return replace(placed, alternatives=tuple(replace(a, total=final) if a.chosen else a for a in placed.alternatives))
