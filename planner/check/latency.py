"""Rules of the delay without load: hops and delays of all pairs by Dijkstra, and means over them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.sparse.csgraph import dijkstra

from planner.check.basis.graph import network
from planner.check.basis.places import error, unequal, unlike
from planner.check.basis.rule import Source, rule
from planner.domain.model import DELAY_PARTS, MEDIA, Plan, Violation
from planner.domain.parts import Assembly, DelayModel

PAIRS = 2_000_000
"""Pairs of routers that are computed; in larger networks those of evenly spaced sources."""

_VISITS, _MIN_SOURCES = 2_500_000_000, 64
"""Default sources: all routers up to this number of port visits, beyond it the number within the limit, and the minimum."""

_CLOSE = 0.05
"""Difference, as a share, that a mean over a sample of sources may have where not all are computed."""


@rule(490, each="latency")
def delays_of_cables(plan: Plan) -> Iterator[Violation]:
    """The delay of each class and medium of cables is that of its cables, part by part."""
    latency, cables, inventory = plan.latency, plan.cables, plan.inventory
    if latency is None:
        return
    rule, parts = "delays_of_cables", _parts_ps(plan)
    names = inventory.kind_names
    yield from unlike(rule, "classes", latency.cable_class_names, names, "are not those of the network")
    slowest = max(inventory.of_routers("delay_ps").tolist(), default=0)
    yield from unlike(rule, "router delay", latency.router_delay_ps, slowest, "is not that of the part")
    kind = inventory.kind[plan.inventory.connections()].tolist()
    medium = [MEDIA.index(cables.assemblies[number].medium) for number in cables.assembly[plan.inventory.connections()].tolist()]
    lines: dict[tuple[int, int], list[int]] = {}
    for row, line in enumerate(zip(kind, medium, strict=True)):
        lines.setdefault(line, []).append(row)
    wanted = sorted(lines)
    have = list(zip(latency.cable_class.tolist(), latency.cable_medium.tolist(), strict=True))
    yield from unlike(rule, "classes and media", have, wanted, "are not those of the cables")
    if have == wanted:
        rows = [lines[line] for line in wanted]

        def named(line: int) -> str:
            return f"{names[wanted[line][0]]}, {MEDIA[wanted[line][1]]}"

        yield from unequal(rule, latency.cable_count, [len(own) for own in rows], named, "cables of the line")
        mean = np.array([parts[own].mean(axis=0) for own in rows]).reshape(-1, len(DELAY_PARTS))
        yield from unequal(rule, latency.cable_parts_ps, mean, named, "mean delay of its cables", "ps", relative=1e-9)
        worst = [int(parts[own].sum(axis=1).max()) for own in rows]
        yield from unequal(rule, latency.cable_worst_ps, worst, named, "largest delay of its cables", "ps")


@rule(500, each="latency")
def slowest_path_is_valid(plan: Plan) -> Iterator[Violation]:
    """The path with the largest delay leads over links that join its routers, and its parts add up to that delay."""
    latency, topology = plan.latency, plan.topology
    if latency is None:
        return
    rule, path, links = "slowest_path_is_valid", latency.worst_path, latency.worst_links
    steps = np.sort(np.column_stack([path[:-1], path[1:]]), axis=1)
    yield from unequal(rule, np.sort(topology.links[links], axis=1), steps, lambda n: f"step {n + 1}", "its link leads elsewhere")
    parts = _parts_ps(plan)[links]
    router_ps = plan.inventory.of_routers("delay_ps")[path]
    parts[:, 0] = router_ps[1:]
    yield from unequal(rule, latency.worst_parts_ps, parts, lambda n: f"step {n + 1}", "is not the delay of its link", "ps")
    total = int(parts.sum()) + (int(router_ps[0]) if len(links) else 0)
    yield from unlike(rule, "the slowest path", latency.worst_ps, total, "has another delay, in ps")


@rule(510, each="latency")
def delays_of_all_pairs(plan: Plan) -> Iterator[Violation]:
    """Hops, delays, classes and endpoint delays are those that Dijkstra finds between all pairs of routers.

    The fastest of the paths with the minimum number of hops counts. In networks of more than 1,400 routers the pairs of some
    sources are computed, and means may differ by 5 %.
    """
    latency, topology = plan.latency, plan.topology
    if latency is None:
        return
    routers, rule = topology.router_count, "delays_of_all_pairs"
    if latency.routers != routers or not 0 < latency.sources <= routers:
        yield error(rule, "routers and sources", latency.sources, routers, "", "are not those of the network")
        return
    if "latency" in plan.study:
        settings = plan.study["latency"].get("sources") or max(_MIN_SOURCES, _VISITS // max(2 * topology.link_count, 1))
        yield from unlike(rule, "latency.sources", latency.sources, min(routers, settings), "does not match the study")
    count = min(routers, max(2, PAIRS // routers))
    sources = np.unique(np.linspace(0, routers - 1, count).astype(np.int64))
    yield from _Pairs(plan, sources).differences(rule, exact=len(sources) == routers and not latency.sampled)
    for field in ("mean_hops_error", "mean_error_ps", "endpoint_mean_error_ps", "class_error_ps"):
        errors = np.atleast_1d(getattr(latency, field))
        if (errors < 0).any() or (not latency.sampled and errors.any()):
            yield error(rule, f"latency.{field}", errors.max(), 0, "", "is the error of a sample, and all sources count")


@rule(20, source=True, each="latency")
def fec_as_configured(plan: Plan, source: Source) -> Iterator[Violation]:
    """Each assembly has the code that the study names or its rate and medium need, at the middle of the delays of its row."""
    latency = plan.latency
    if latency is None:
        return
    rule, settings = "fec_as_configured", plan.study["latency"]["fec"]
    yield from unlike(rule, "latency.fec", latency.fec, settings, "does not match the study")
    codes = {row.id: row for row in source.rows("delay_model") if row.code}
    rows = tuple(_code(made_of, settings, codes) for made_of in plan.cables.assemblies)
    yield from unlike(rule, "codes", latency.fec_rows, rows, "are not those that the parts need")
    delays = [_code_ps(codes[name], codes) if name else 0 for name in rows]
    yield from unequal(rule, latency.fec_ps, delays, lambda n: plan.cables.assemblies[n].id, "delay of its code", "ps")


def _code(made_of: Assembly, settings: str, codes: dict[str, DelayModel]) -> str:
    if settings != "auto":
        return "" if settings == "none" else settings
    fitting = (row.id for row in codes.values() if made_of.rate_gbps in row.rates_gbps and made_of.medium in row.media)
    return next(fitting, "")


def _code_ps(row: DelayModel, codes: dict[str, DelayModel]) -> int:
    if row.added_ns:
        return math.ceil(500 * (min(row.added_ns) + max(row.added_ns)))
    assert row.relative_to_kp4 is not None  # rows of codes state one or the other
    return math.ceil(row.relative_to_kp4 * _code_ps(codes["fec-kp4"], codes))


def _parts_ps(plan: Plan) -> np.ndarray:
    """Return the delay of each cable of the first network by part, from what its assembly states; int64 (L + H, 6)."""
    latency, rows = plan.latency, plan.inventory.connections()
    assembly, stock_mm = plan.cables.assembly[rows], plan.cables.stock_mm[rows].astype(np.int64)
    parts = np.zeros((len(assembly), len(DELAY_PARTS)), np.int64)
    for number, made_of in enumerate(plan.cables.assemblies):
        own = assembly == number
        along = -(-stock_mm[own] * made_of.delay_ps_per_m // 1000)
        parts[own, DELAY_PARTS.index(made_of.medium)] = along
        parts[own, DELAY_PARTS.index("connectors")] = 2 * made_of.delay_end_ps
        parts[own, DELAY_PARTS.index("FEC")] = latency.fec_ps[number]
    return parts


def unlikely(sample: np.ndarray, stated: np.ndarray, sources: int) -> Iterator[tuple[int, int, float]]:
    """Yield the columns whose stated sum over all sources does not follow from a sample, with that sum and the expected one.

    The sum may be wrong by half of the expected one, and by four times the standard error: a few sources may have most of what
    is rare.

    Parameters
    ----------
    sample
        Counts of each source of the sample, int64 (n, H).
    stated
        Their sums over all sources, int64 (at least H,).
    sources
        Number of all sources.
    """
    share = sources / len(sample)
    expected, spread = sample.sum(axis=0) * share, 4 * share * math.sqrt(len(sample)) * sample.std(axis=0)
    for column, (have, want) in enumerate(zip(stated[: sample.shape[1]].tolist(), expected.tolist(), strict=True)):
        if abs(have - want) > 0.5 * want + spread[column]:
            yield column, have, want


class _Pairs:
    """Hops and delay from some sources to all routers, (n, R)."""

    def __init__(self, plan: Plan, sources: np.ndarray):
        self.plan, self.latency, self.topology, self.sources = plan, plan.latency, plan.topology, sources
        topology, links = plan.topology, plan.topology.link_count
        routers, router_ps = topology.router_count, plan.inventory.of_routers("delay_ps").astype(np.int64)
        cable_ps = _parts_ps(plan).sum(axis=1)
        plain = network(topology.links, np.ones(links), routers)
        hops = dijkstra(plain, directed=False, indices=sources, unweighted=True)
        # A hop weighs more than all delays of a path together, so that hops decide first.
        longest = int(hops[np.isfinite(hops)].max(initial=0)) + 1
        # A link counts half the delay of each of its routers: paths lack the other halves of their first and last router.
        link_ps = cable_ps[:links] + router_ps[topology.links].reshape(-1, 2).sum(axis=1) / 2
        step = float(longest * (int(link_ps.max(initial=0)) + 1))
        both = dijkstra(network(topology.links, link_ps + step, routers), directed=False, indices=sources)
        halves = (router_ps[sources][:, None] + router_ps) / 2
        self.joined = np.isfinite(hops) & (np.arange(routers) != sources[:, None])
        self.hops = np.where(np.isfinite(hops), hops, 0).astype(np.int64)
        self.delay = np.where(self.joined, both - step * self.hops + halves, 0)
        self.router_ps = router_ps
        end = cable_ps[links:]
        self.ends, self.end_ps, self.slowest = (np.zeros(routers, np.int64) for _ in range(3))
        np.add.at(self.ends, topology.endpoint_router, 1)
        np.add.at(self.end_ps, topology.endpoint_router, end)
        np.maximum.at(self.slowest, topology.endpoint_router, end)

    def differences(self, rule: str, exact: bool) -> Iterator[Violation]:
        latency, close = self.latency, 1e-9 if exact else _CLOSE
        names = ("same cabinet", *(f"same {name}" for name in self.topology.group_names), "others")
        yield from unlike(rule, "classes", latency.class_names, names, "are not those of the network")
        pairs = max(int(self.joined.sum()), 1)
        delay, worst = self._endpoints()
        figures = [
            ("mean hops", latency.mean_hops, self.hops[self.joined].sum() / pairs, "hops"),
            ("mean delay", latency.mean_ps, self.delay.sum() / pairs, "ps"),
            ("mean endpoint delay", latency.endpoint_mean_ps, delay, "ps"),
        ]
        largest = [
            ("largest delay", latency.worst_ps, self.delay.max(initial=0), "ps"),
            ("largest endpoint delay", latency.endpoint_worst_ps, worst, "ps"),
        ]
        if exact:
            figures += [
                ("unreached pairs", latency.unreached, self.joined.size - len(self.sources) - pairs * bool(self.joined.any()), "")
            ]
        for where, have, want, unit in [*figures, *(largest if exact else ())]:
            if not math.isclose(have, want, rel_tol=close, abs_tol=1e-9):
                yield error(rule, where, have, want, unit, "is not what Dijkstra finds")
        for where, have, found, unit in largest:
            if have < found:
                yield error(rule, where, have, found, unit, "a slower pair was found")
        yield from self._histogram(rule, exact)
        yield from self._classes(rule, exact)

    def _histogram(self, rule: str, exact: bool) -> Iterator[Violation]:
        """Yield numbers of hops of too many or too few pairs."""
        size = int(self.hops[self.joined].max(initial=0)) + 1
        each = np.array([np.bincount(hops[joined], minlength=size) for hops, joined in zip(self.hops, self.joined, strict=True)])
        each[:, 0] = 1
        have = self.latency.hop_histogram
        if exact:
            yield from unequal(rule, have, each.sum(axis=0), "{} hops".format, "pairs at this distance", "", 1e-9)
            return
        for hops, stated, expected in unlikely(each, have, self.latency.sources):
            yield error(rule, f"{hops} hops", stated, expected, "", "pairs at this distance")

    def _endpoints(self) -> tuple[float, float]:
        """Return the mean and largest delay between endpoints, from the sources to all."""
        own = self.ends[self.sources][:, None] * self.joined
        weight = own * self.ends
        pairs = int(weight.sum())
        total = float((weight * self.delay).sum())
        total += float((self.joined * self.ends * self.end_ps[self.sources][:, None]).sum()) + float((own * self.end_ps).sum())
        far = np.where(weight > 0, self.delay + self.slowest[self.sources][:, None] + self.slowest, 0)
        worst = float(far.max(initial=0))
        for router in self.sources.tolist():
            count = int(self.ends[router])
            if count > 1:
                pairs += count * (count - 1)
                own_ps = int(self.router_ps[router])
                total += count * (count - 1) * own_ps + 2 * (count - 1) * int(self.end_ps[router])
                worst = max(worst, own_ps + 2 * int(self.slowest[router]))
        return total / max(pairs, 1), worst

    def _classes(self, rule: str, exact: bool) -> Iterator[Violation]:
        """Yield the means by class: the first of cabinet and groups that both routers share."""
        latency, topology = self.latency, self.topology
        member = [self.plan.placement.cabinet[self.plan.inventory.routers()], *topology.group.T]
        kind = np.full(self.joined.shape, len(member))
        for number in reversed(range(len(member))):
            kind[member[number][self.sources][:, None] == member[number]] = number
        kind = kind[self.joined]
        count = np.bincount(kind, minlength=len(member) + 1)
        each = np.maximum(count, 1)
        hops = np.bincount(kind, self.hops[self.joined], len(member) + 1)
        delay = np.bincount(kind, self.delay[self.joined], len(member) + 1)
        worst = np.zeros(len(count), np.int64)
        np.maximum.at(worst, kind, self.delay[self.joined].astype(np.int64))
        parts = latency.class_parts_ps
        if parts.shape[0] != len(count):
            yield error(rule, "classes", parts.shape[0], len(count), "", "are not those of the network")
            return
        seen = (count > 0) | exact
        where = latency.class_names.__getitem__
        close = 1e-9 if exact else 0.5
        yield from unequal(rule, latency.class_hops * seen, hops / each, where, "mean hops of the class", "hops", close)
        yield from unequal(rule, parts.sum(axis=1) * seen, delay / each, where, "mean delay of the class", "ps", close)
        if exact:
            yield from unequal(rule, latency.class_pairs, count, where, "pairs of the class")
            yield from unequal(rule, latency.class_worst_ps, worst, where, "largest delay of the class", "ps")
            # Among paths of one delay, cables may take what routers save.
            low, high = ((hops + count) * bound / each for bound in (self.router_ps.min(), self.router_ps.max()))
            passed = np.clip(parts[:, 0], low, high)
            yield from unequal(rule, parts[:, 0], passed, where, "delay of routers in the class", "ps", close)
            yield from self._media(rule, parts)
        elif (latency.class_worst_ps < worst).any():
            yield error(rule, "classes", latency.class_worst_ps.max(), worst.max(), "ps", "a slower pair was found")

    def _media(self, rule: str, parts: np.ndarray) -> Iterator[Violation]:
        """Yield the components of no cable between routers that are not zero in some class."""
        none = np.logical_not(_parts_ps(self.plan)[: self.topology.link_count].any(axis=0))
        none[0] = False
        if parts[:, none].any():
            yield error(rule, "classes", parts[:, none].max(), 0, "ps", "a part that no link has")
