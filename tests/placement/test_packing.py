"""Packing: every limit kept, as few cabinets as possible, links inside, and advice that is true."""

import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from planner.core import registry
from planner.core.errors import Infeasible, InputError
from planner.design.placement.model.layout import Layout
from planner.design.placement.packing import PLAIN, Packing, exact, fit, groups, matching, order, partition
from planner.design.placement.packing.cabinets import exchange as kernel
from planner.design.placement.packing.cabinets.advice import advice
from planner.design.placement.packing.cabinets.attempt import Packed, attempt
from planner.design.placement.packing.cabinets.capacity import Capacity, contents
from planner.design.placement.packing.cabinets.items import items_of
from planner.design.placement.packing.cabinets.request import Request
from planner.design.placement.packing.cabinets.slots import Slots, assign
from planner.hall import floor
from planner.network import topology
from planner.network.topology import from_links as made

METHODS = registry.names("packing")
FAMILIES = registry.names("topology")


@cache
def example(family):
    return topology.build(family, **registry.load("topology", family).EXAMPLE)


@pytest.fixture(scope="module")
def hall():
    return floor.room("hall-a", routers=1)


def capacity_of(catalog, power_kw=1000, load_kg=10_000, routers=None, panel_ports=None):
    return Capacity(catalog, power_kw * 1_000_000, load_kg * 1000, routers, panel_ports)


def everyone(network):
    return np.arange(network.router_count)


def inside(network, cabinets):
    """Links inside cabinets, counted one by one."""
    home = {int(router): number for number, members in enumerate(cabinets) for router in members}
    return sum(home[a] == home[b] for a, b in network.links.tolist() if a in home and b in home)


def cabinets_of(packing):
    return [np.flatnonzero(packing.cabinet_of == number) for number in range(packing.cabinet_count)]


def by_hand(catalog, network, members):
    """Units, power, mass and link ports of a content, from the definitions."""
    endpoints = int(np.isin(network.endpoint_router, members).sum())
    boxes = -(-endpoints // catalog.endpoint.endpoints)
    n = len(members)
    return (
        n * catalog.router.units + boxes * catalog.endpoint.units,
        n * catalog.router.power_max_mw + boxes * catalog.endpoint.power_max_mw,
        n * catalog.router.mass_g + boxes * catalog.endpoint.mass_g,
        int(network.degree[members].sum()),
    )


def keeps_limits(catalog, network, members, power_mw, load_g, routers, panel_ports):
    units_, power, mass, ports = by_hand(catalog, network, members)
    cabinet = catalog.cabinet
    return (
        units_ <= cabinet.units
        and power <= power_mw
        and mass <= cabinet.load_g
        and mass + cabinet.mass_g <= load_g
        and (routers is None or len(members) <= routers)
        and (panel_ports is None or ports <= panel_ports)
    )


def check(packing, network, room, catalog, panel_ports=None):
    """Every promise of a packing, recounted."""
    assert sorted(np.concatenate(cabinets_of(packing)).tolist()) == list(range(network.router_count))
    assert len(set(packing.slot_of.tolist())) == packing.cabinet_count == packing.cabinet_of.max() + 1
    for number, members in enumerate(cabinets_of(packing)):
        slots = np.flatnonzero(packing.allowed[packing.demand[number]])
        assert packing.slot_of[number] in slots
        for slot in slots:
            limits = int(room.slot_power_mw[slot]), int(room.slot_load_g[slot]), room.cabinet_routers, panel_ports
            assert keeps_limits(catalog, network, members, *limits)
    assert packing.usable.tolist() == np.flatnonzero(packing.allowed.any(axis=0)).tolist()


def request_of(network, room, catalog, *, groups="ignored", panel_ports=None, apart=(), method="auto"):
    return Request(
        network, catalog, Slots.of(room, catalog, PLAIN), everyone(network), groups, method, panel_ports, apart, None, 0
    )


limits = st.fixed_dictionaries(
    {"power_kw": st.integers(3, 40), "routers": st.none() | st.integers(1, 9), "panel_ports": st.none() | st.integers(12, 120)}
)


@pytest.mark.slow
@settings(max_examples=50)
@given(st.sampled_from([m for m in METHODS if m != "exact"]), st.sampled_from(FAMILIES), limits)
def test_every_method_keeps_every_limit(edr, method, family, chosen):
    network = example(family)
    capacity = capacity_of(edr, **chosen)
    assume(capacity.fits(contents(network, everyone(network))).all())
    members = everyone(network)[:: 1 + len(family) % 2]
    found = registry.function("packing", method)(network, capacity, members, seed=3)
    assert sorted(np.concatenate(found).tolist()) == members.tolist()
    for cabinet in found:
        assert keeps_limits(edr, network, cabinet, capacity.power_mw, capacity.load_g, chosen["routers"], chosen["panel_ports"])
    again = registry.function("packing", method)(network, capacity, members, seed=3)
    assert [a.tolist() for a in found] == [a.tolist() for a in again]


@pytest.mark.slow
@settings(max_examples=10)
@given(st.sampled_from(FAMILIES), limits, st.sampled_from(["required", "preferred", "ignored"]))
def test_fit_keeps_its_promises(edr, hall, family, chosen, rule):
    network = example(family)
    power = np.where(np.arange(hall.slot_count) % 3, chosen["power_kw"], 5) * 1_000_000
    room = replace(hall, slot_power_mw=power, cabinet_routers=chosen["routers"])
    try:
        packing = fit(network, room, edr, groups=rule, method="auto", panel_ports=chosen["panel_ports"])
    except Infeasible:
        return
    check(packing, network, room, edr, chosen["panel_ports"])
    smallest = fit(network, room, edr, groups="ignored", panel_ports=chosen["panel_ports"], method="partition").cabinet_count
    if rule == "preferred" and not np.ptp(network.endpoints_of) and not np.ptp(network.degree):
        assert packing.cabinet_count == smallest
    if rule == "required" and network.group.shape[1]:
        strongest = capacity_of(edr, max(chosen["power_kw"], 5), 10_000, chosen["routers"], chosen["panel_ports"])
        if packing.cabinet_count and power.max() == power.min():
            for label in np.unique(network.group[:, 0]):
                members = np.flatnonzero(network.group[:, 0] == label)
                if strongest.fits(contents(network, members).sum(axis=0)):
                    assert len(np.unique(packing.cabinet_of[members])) == 1


@pytest.mark.slow
@settings(max_examples=40)
@given(st.sampled_from(FAMILIES).filter(lambda family: example(family).group.shape[1]), limits, st.sampled_from(["ids", "links"]))
def test_a_group_that_fits_is_never_split(edr, family, chosen, cut):
    network = example(family)
    capacity = capacity_of(edr, **chosen)
    assume(capacity.fits(contents(network, everyone(network))).all())
    found = groups.pack(network, capacity, everyone(network), cut=cut)
    home = np.empty(network.router_count, int)
    for number, members in enumerate(found):
        home[members] = number
    for label in np.unique(network.group[:, 0]):
        members = np.flatnonzero(network.group[:, 0] == label)
        if capacity.fits(contents(network, members).sum(axis=0)):
            assert len(np.unique(home[members])) == 1


def test_small_groups_share_a_cabinet(edr):
    """Groups of 4 routers and 8 endpoints take 8 of 42 units: five to a cabinet, by units."""
    found = groups.pack(topology.build("dragonfly", a=4, h=2), capacity_of(edr), np.arange(36))
    assert [members.tolist() for members in found] == [list(range(20)), list(range(20, 36))]


def test_a_group_too_large_is_cut_into_equal_parts(edr):
    """16 routers with 64 endpoints take 48 of 42 units: two cabinets of eight."""
    network = topology.build("dragonfly", a=16, h=1, groups=2, endpoints_per_router=4)
    found = groups.pack(network, capacity_of(edr), everyone(network))
    assert [len(members) for members in found] == [8, 8, 8, 8]
    assert all(len(set((members // 16).tolist())) == 1 for members in found)


def test_a_group_is_cut_along_few_links(edr):
    """Two cliques of 6 whose ids alternate, joined by one link: by ids almost every link is cut, by links only one."""
    cliques = [(a, b) for a, b in product(range(12), repeat=2) if a < b and a % 2 == b % 2] + [(0, 1)]
    network = made("test", {}, 12, np.array(cliques), endpoints=0, group=np.zeros((12, 1), int), group_names=("group",))
    capacity = capacity_of(edr, routers=6)
    assert inside(network, groups.pack(network, capacity, np.arange(12))) == 30
    assert inside(network, groups.pack(network, capacity, np.arange(12), cut="ids")) < 20


def test_coarser_groups_steer_which_share(edr):
    """Supernodes of 8 routers, two to a cabinet: as long as a cluster lasts, both are of one cluster."""
    network = topology.build("polarstar", q=3, supernode_degree=3, endpoints_per_router=0)
    found = groups.pack(network, capacity_of(edr, routers=16), everyone(network))
    mixed = [len(np.unique(network.group[members, 1])) > 1 for members in found]
    odd = sum(np.unique(network.group[:, 1], return_counts=True)[1] // 8 % 2)
    assert sum(mixed) <= odd // 2


@pytest.mark.slow
@settings(max_examples=30)
@given(st.integers(2, 24), st.integers(0, 10**6))
def test_the_matching_is_a_maximum(edr, routers, seed):
    draw = np.random.default_rng(seed)
    pairs = [(a, b) for a in range(routers) for b in range(a + 1, routers) for _ in range(draw.integers(0, 4) // 2)]
    assume(pairs)
    network = made("test", {}, routers, np.array(pairs), endpoints=0)
    graph = nx.Graph()
    for a, b in pairs:
        graph.add_edge(a, b, weight=graph.get_edge_data(a, b, {"weight": 0})["weight"] + 1)
    best = sum(graph.edges[pair]["weight"] for pair in nx.max_weight_matching(graph))
    for tied in (0, 100):
        found = matching.pack(network, capacity_of(edr, routers=2), everyone(network), tied_routers=tied)
        assert inside(network, found) == best
        assert len(found) == -(-routers // 2)
    assert len(matching.pack(network, capacity_of(edr, routers=2), everyone(network), exact_routers=0)) == -(-routers // 2)


def test_of_equal_links_common_neighbors_decide(edr):
    """A triangle 0 1 2 on a path 2 3 4 5: three pairs cover all, and only one choice does."""
    links = [(0, 1), (1, 2), (0, 2), (0, 3), (3, 4), (4, 5), (3, 5), (1, 4)]
    network = made("test", {}, 6, np.array(links), endpoints=0)
    graph = nx.Graph(links)
    common = {pair: len(set(graph[pair[0]]) & set(graph[pair[1]])) for pair in links}
    best = max(
        sum(common[pair] for pair in three)
        for three in product(links, repeat=3)
        if len({router for pair in three for router in pair}) == 6
    )
    found = matching.pack(network, capacity_of(edr, routers=2), np.arange(6))
    assert sum(common[tuple(sorted(members.tolist()))] for members in found) == best


def partitions(members, capacity, network):
    """Every division of routers into cabinets that keep all limits."""
    if not members:
        yield []
        return
    first, rest = members[0], members[1:]
    for mask in range(1 << len(rest)):
        mates = [first] + [r for i, r in enumerate(rest) if mask >> i & 1]
        if capacity.fits(contents(network, np.array(mates)).sum(axis=0)):
            for other in partitions([r for r in rest if r not in mates], capacity, network):
                yield [mates, *other]


@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(2, 7), st.integers(0, 10**6), st.integers(2, 4), st.booleans())
def test_exact_is_as_good_as_trying_everything(edr, routers, seed, highest, foes):
    """Routers with 0 to 3 endpoints, boxes of 2 units shared by several."""
    draw = np.random.default_rng(seed)
    pairs = [(a, b) for a in range(routers) for b in range(a + 1, routers) if draw.random() < 0.6]
    assume(pairs)
    network = made("test", {}, routers, np.array(pairs), endpoints=draw.integers(0, 4, routers))
    capacity = Capacity(replace(edr, cabinet=replace(edr.cabinet, units=highest + 2)), 10**9, 10**8)
    assume(capacity.fits(contents(network, everyone(network))).all())
    apart = ((0, routers - 1),) if foes else ()
    choices = partitions(list(range(routers)), capacity, network)
    choices = [choice for choice in choices if not foes or not any({0, routers - 1} <= set(members) for members in choice)]
    best = min((len(choice), -inside(network, choice)) for choice in choices)
    found = exact.pack(network, capacity, everyone(network), apart=apart)
    assert found.proven
    assert (len(found), -inside(network, found)) == best
    assert sorted(np.concatenate(found).tolist()) == list(range(routers))


@pytest.mark.slow
def test_exact_keeps_groups_whole_and_is_the_same_every_time(edr):
    network = topology.build("dragonfly", a=4, h=1, endpoints_per_router=1)
    capacity = capacity_of(edr, routers=8)
    label = groups.whole(network, capacity, everyone(network))
    one, two = (exact.pack(network, capacity, everyone(network), whole=label, effort=1.0) for _ in range(2))
    assert [a.tolist() for a in one] == [a.tolist() for a in two]
    assert all(len(members) % 4 == 0 for members in one)
    start = order.pack(network, capacity, everyone(network))
    assert inside(network, exact.pack(network, capacity, everyone(network), start=start)) >= inside(network, start)


@pytest.mark.slow
@settings(max_examples=30)
@given(st.sampled_from(FAMILIES), st.integers(2, 9))
def test_partition_uses_the_minimum_number_of_cabinets(edr, family, highest):
    network = example(family)
    found = partition.pack(network, capacity_of(edr, routers=highest, power_kw=10**6), everyone(network))
    unlimited = (
        np.ptp(network.endpoints_of) == 0
        and by_hand(edr, network, np.arange(min(highest, network.router_count)))[0] <= edr.cabinet.units
    )
    if unlimited:
        assert len(found) == -(-network.router_count // highest)
    assert inside(network, found) >= inside(network, order.pack(network, capacity_of(edr, routers=highest), everyone(network)))


def test_partition_finds_the_blocks_of_a_torus(edr):
    """8 x 8 in four cabinets of 16: blocks of 4 x 4 keep 24 links each inside."""
    network = topology.build("torus", sizes=(8, 8), endpoints_per_router=0)
    assert inside(network, partition.pack(network, capacity_of(edr, routers=16), everyone(network))) >= 4 * 24


@pytest.mark.slow
@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_exchange_counts_its_gain_right(edr, seed, count):
    network = topology.build("jellyfish", routers=30, degree=4, endpoints_per_router=2)
    items, capacity = items_of(network, everyone(network), apart=((0, 1, 2),)), capacity_of(edr, routers=16)
    label = np.random.default_rng(seed).permutation(np.arange(30) % max(count, 3))
    if not partition.repair_limits(items, capacity, label, max(count, 3)):
        return
    before = items.inside(label)
    load = np.array([items.content[label == c].sum(axis=0) for c in range(max(count, 3))])
    members = np.full((len(load), 31), -1)
    place = np.empty(30, np.int64)
    for cabinet in range(len(load)):
        here = np.flatnonzero(label == cabinet)
        members[cabinet, : len(here)] = here
        place[here] = np.arange(len(here))
    near = np.zeros(len(load), np.int64)
    gain = kernel.exchange(label, load, near, members, place, *items.graph, capacity.per_box, capacity.table)
    assert items.inside(label) - before == gain >= 0
    assert not near.any()
    for cabinet in range(len(load)):
        assert np.array_equal(load[cabinet], items.content[label == cabinet].sum(axis=0))
        assert set(members[cabinet][members[cabinet] >= 0].tolist()) == set(np.flatnonzero(label == cabinet).tolist())
    assert len(set(label[:3].tolist())) == 3


@pytest.mark.slow
@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 14), st.integers(1, 4))
def test_slots_are_assigned_to_as_many_cabinets_as_can_be(seed, cabinets, slots, classes):
    draw = np.random.default_rng(seed)
    demand, allowed = draw.integers(0, classes, cabinets), draw.random((classes, slots)) < 0.4
    slot = assign(demand, allowed)
    placed = slot >= 0
    assert len(set(slot[placed].tolist())) == placed.sum()
    assert all(allowed[demand[c], slot[c]] for c in np.flatnonzero(placed))
    graph = nx.Graph()
    graph.add_nodes_from(("c", c) for c in range(cabinets))
    graph.add_edges_from((("c", c), ("s", int(s))) for c in range(cabinets) for s in np.flatnonzero(allowed[demand[c]]))
    best = nx.bipartite.maximum_matching(graph, top_nodes=[("c", c) for c in range(cabinets)])
    assert placed.sum() == len(best) // 2


def test_light_cabinets_stand_in_weak_slots(edr, hall):
    """14 + 14 + 12 routers with boxes; a slot of lower power carries the last cabinet alone."""
    network = topology.build("jellyfish", routers=40, degree=3, endpoints_per_router=4)
    need = [by_hand(edr, network, np.arange(n))[1] for n in (12, 14)]
    power = np.full(hall.slot_count, 1_000_000)
    power[[5, 9]], power[7] = need[1], need[0]
    room = replace(hall, slot_power_mw=power)
    packing = fit(network, room, edr, groups="ignored", method="order")
    assert packing.slot_of.tolist() == [5, 9, 7]
    assert packing.usable.tolist() == [5, 7, 9]
    check(packing, network, room, edr)


@pytest.mark.slow
def test_weak_slots_alone_are_tried_too(edr, hall):
    """One strong slot is too few for full cabinets; many weak ones take smaller cabinets."""
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    power = np.where(np.arange(hall.slot_count) == 0, 50_000_000, 5_000_000)
    room = replace(hall, slot_power_mw=power)
    packing = fit(network, room, edr, groups="ignored")
    check(packing, network, room, edr)
    assert max(len(members) for members in cabinets_of(packing)) <= 5_000_000 // by_hand(edr, network, np.arange(1))[1]


@pytest.mark.slow
def test_routers_that_must_stand_apart(edr, hall):
    network = topology.build("jellyfish", routers=20, degree=3, endpoints_per_router=1)
    domains = ((0, 1, 2), (3, 4), (2, 5))
    for method in ("auto", "partition"):
        packing = fit(network, hall, edr, groups="ignored", apart=domains, method=method)
        check(packing, network, hall, edr)
        assert packing.cabinet_count == 3
        for routers in domains:
            assert len(set(packing.cabinet_of[list(routers)].tolist())) == len(routers)
    many = topology.build("jellyfish", routers=300, degree=4, endpoints_per_router=0)
    packing = fit(many, hall, edr, groups="ignored", apart=(tuple(range(10)),))
    assert len(set(packing.cabinet_of[:10].tolist())) == 10
    network = topology.build("dragonfly", a=4, h=1)
    with pytest.raises(Infeasible, match="routers 0 and 1 must be apart, but their group must stay whole"):
        fit(network, hall, edr, apart=((0, 1),))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "network", "routers", "expected"),
    [
        ("required", ("dragonfly", {"a": 4, "h": 1}), 8, "groups"),
        ("ignored", ("jellyfish", {"routers": 60, "degree": 3}), 2, "matching"),
        ("ignored", ("jellyfish", {"routers": 60, "degree": 3}), 8, "partition"),
        ("ignored", ("jellyfish", {"routers": 12, "degree": 3}), 3, "exact"),
        ("ignored", ("jellyfish", {"routers": 60, "degree": 3}), 1, "order"),
        ("required", ("jellyfish", {"routers": 60, "degree": 3}), 8, "partition"),
    ],
)
def test_the_method_that_suits_is_chosen_and_said(edr, hall, rule, network, routers, expected):
    packing = fit(topology.build(network[0], **network[1]), replace(hall, cabinet_routers=routers), edr, groups=rule)
    assert packing.method.startswith(f"{expected}: ")


CASES = {
    "slots": lambda room: (topology.build("jellyfish", routers=400, degree=5, endpoints_per_router=4), room, {}),
    "groups": lambda room: (topology.build("dragonfly", a=12, h=2, endpoints_per_router=2), room, {"groups": "required"}),
    "power": lambda room: (
        topology.build("slimfly", q=5, endpoints_per_router=4),
        replace(room, slot_power_mw=np.full(room.slot_count, 3_900_000)),
        {},
    ),
    "one router": lambda room: (
        topology.build("slimfly", q=5, endpoints_per_router=4),
        replace(room, slot_power_mw=np.full(room.slot_count, 900_000)),
        {},
    ),
    "floor": lambda room: (
        topology.build("slimfly", q=5, endpoints_per_router=4),
        replace(room, slot_load_g=np.full(room.slot_count, 200_000)),
        {},
    ),
    "routers": lambda room: (topology.build("slimfly", q=5), replace(room, cabinet_routers=2), {}),
    "panel": lambda room: (topology.build("slimfly", q=5), room, {"panel_ports": 20}),
    "mixed": lambda room: (
        topology.build("megafly", **registry.load("topology", "megafly").EXAMPLE),
        replace(room, cabinet_routers=1),
        {},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_advice_is_true_and_no_more_than_needed(edr, lab, case):
    network, room, wishes = CASES[case](lab)
    wishes = {"groups": "ignored"} | wishes
    with pytest.raises(Infeasible) as error:
        fit(network, room, edr, **wishes)
    changes = advice(request_of(network, room, edr, **wishes))
    assert 1 <= len(changes) <= 4
    assert [change.share for change in changes] == sorted(change.share for change in changes)
    for change in changes:
        assert change.text in str(error.value)
        assert isinstance(attempt(change.request), Packed)


def changed_by(text, network, room, catalog, less):
    """Apply a change to the records themselves, made a little smaller by `less` steps."""
    number = float(next(word for word in text.replace("least", "").split() if word[0].isdigit()))
    if "more slots" in text:
        extra = int(number) - less
        arrays = (
            "slot_xy",
            "slot_size",
            "slot_row",
            "slot_facing",
            "slot_power_mw",
            "slot_load_g",
            "slot_node",
            "slot_egress",
        )
        names = room.slot_names + tuple(f"more{n}" for n in range(extra))
        longer = {
            name: np.concatenate([getattr(room, name), np.repeat(getattr(room, name)[:1], extra, axis=0)]) for name in arrays
        }
        return network, replace(room, slot_names=names, **longer), catalog
    if text.startswith("slots with"):
        return network, replace(room, slot_power_mw=np.maximum(room.slot_power_mw, round((number - less / 10) * 1e6))), catalog
    if text.startswith("a floor"):
        return network, replace(room, slot_load_g=np.maximum(room.slot_load_g, int(number - less) * 1000)), catalog
    if "units" in text:
        return network, room, replace(catalog, cabinet=replace(catalog.cabinet, units=int(number) - less))
    if "cabinet that carries" in text:
        return network, room, replace(catalog, cabinet=replace(catalog.cabinet, load_g=(int(number) - less) * 1000))
    if "routers allowed" in text:
        return network, replace(room, cabinet_routers=int(number) - less), catalog
    if "endpoints" in text:
        return topology.build(network.family, **network.params | {"endpoints_per_router": int(number) + less}), room, catalog
    return None


@pytest.mark.slow
@pytest.mark.parametrize("case", ["slots", "groups", "power", "one router", "floor", "routers"])
def test_the_advised_change_fits_and_a_smaller_one_does_not(edr, lab, case):
    network, room, wishes = CASES[case](lab)
    wishes = {"groups": "ignored"} | wishes
    tried = 0
    for change in advice(request_of(network, room, edr, **wishes)):
        if (changed := changed_by(change.text, network, room, edr, 0)) is None:
            continue
        tried += 1
        fit(changed[0], changed[1], changed[2], **wishes)
        changed = changed_by(change.text, network, room, edr, 1)
        with pytest.raises(Infeasible):
            fit(changed[0], changed[1], changed[2], **wishes)
    assert tried


@pytest.mark.slow
def test_the_limit_that_binds_is_named(edr, lab, hall):
    network = topology.build("jellyfish", routers=400, degree=5, endpoints_per_router=4)
    with pytest.raises(
        Infeasible,
        match=r"40 cabinets needed of at most 10 routers \(limited by power\), 16 of 16 slots in lab are suitable; 24 slots "
        r"too few; any one of these changes helps: .*24 more slots of 30.0 kW",
    ):
        fit(network, lab, edr, groups="ignored")
    tiny = replace(hall, slot_power_mw=np.full(hall.slot_count, 1_000_000))
    polarstar = topology.build("polarstar", q=3, supernode_degree=3, endpoints_per_router=5)
    with pytest.raises(
        Infeasible, match=r"one nvidia-sb7800 with 5 endpoints does not fit .* power 5\.132 kW, allowed 1\.000 kW"
    ):
        fit(polarstar, tiny, edr)
    crowded = topology.build("jellyfish", routers=40, degree=5, endpoints_per_router=40)
    with pytest.raises(Infeasible, match=r"router 0 needs 45 ports \(5 links, 40 endpoints\), but nvidia-sb7800 has 36"):
        fit(crowded, hall, edr, groups="ignored")
    narrow = replace(edr, cabinet=replace(edr.cabinet, width_mm=5000))
    with pytest.raises(
        Infeasible, match=r"no slot of hall-a is free for a cabinet; 153 are excluded by size .* a cabinet of at most"
    ):
        fit(polarstar, hall, narrow)


def layout(network, places, fixed=()):
    slot = np.full(network.router_count, -1)
    for router, place in places.items():
        slot[router] = place
    return Layout(slot, np.isin(np.arange(network.router_count), fixed))


@pytest.mark.slow
def test_routers_of_a_layout_are_where_it_states(edr, lab):
    network = topology.build("torus", sizes=(6, 6), endpoints_per_router=1)
    given_ = layout(network, {0: 7, 1: 7, 20: 3})
    packing = fit(network, replace(lab, cabinet_routers=4), edr, groups="ignored", layout=given_)
    check(packing, network, replace(lab, cabinet_routers=4), edr)
    slot = packing.slot_of[packing.cabinet_of]
    assert slot[[0, 1, 20]].tolist() == [7, 7, 3]
    assert packing.cabinet_count == 9
    # Whoever joins has a link to those that are there.
    square = np.flatnonzero(slot == 7)
    assert sum(a in square and b in square for a, b in network.links.tolist()) >= 3


def test_with_groups_required_only_kin_joins(edr, hall):
    network = topology.build("dragonfly", a=4, h=2, endpoints_per_router=1)
    room = replace(hall, cabinet_routers=8)
    packing = fit(network, room, edr, layout=layout(network, {0: 11, 9: 2}))
    slot = packing.slot_of[packing.cabinet_of]
    assert np.flatnonzero(slot == 11).tolist() == [0, 1, 2, 3]
    assert np.flatnonzero(slot == 2).tolist() == [8, 9, 10, 11]
    check(packing, network, room, edr)


def test_a_whole_layout_is_kept(edr, lab, small_plan):
    network, placement = small_plan.topology, small_plan.placement
    slot = placement.slot[: network.router_count].astype(np.int64)
    packing = fit(network, lab, edr, layout=Layout(slot, np.zeros(50, bool)))
    assert np.array_equal(packing.slot_of[packing.cabinet_of], slot)
    check(packing, network, lab, edr)


def test_a_layout_that_breaks_limits(edr, lab):
    network = topology.build("jellyfish", routers=40, degree=5, endpoints_per_router=4)
    name = lab.slot_names[5]
    with pytest.raises(Infeasible, match=rf"slot {name} with 30 routers: rack units 90, allowed 42; slot {name} with 30 .*power"):
        fit(network, lab, edr, groups="ignored", layout=layout(network, dict.fromkeys(range(30), 5)))
    with pytest.raises(Infeasible, match=rf"slot {name}: routers 1 and 2 must be in different cabinets"):
        fit(network, lab, edr, groups="ignored", apart=((1, 2),), layout=layout(network, {1: 5, 2: 5}))


@settings(max_examples=20)
@given(st.sampled_from(FAMILIES), st.integers(0, 10**6), st.integers(2, 9), st.sampled_from(["required", "preferred", "ignored"]))
@pytest.mark.slow
def test_any_partial_layout_is_kept(edr, hall, family, seed, highest, rule):
    network = example(family)
    room = replace(hall, cabinet_routers=highest)
    draw = np.random.default_rng(seed)
    slot = np.full(network.router_count, -1)
    for router in draw.permutation(network.router_count)[: network.router_count // 2]:
        place = int(draw.integers(0, 100))
        if (slot == place).sum() < min(highest, 2):
            slot[router] = place
    try:
        packing = fit(network, room, edr, groups=rule, method="auto", layout=Layout(slot, slot < 0))
    except Infeasible:
        return
    check(packing, network, room, edr)
    assert np.array_equal((packing.slot_of[packing.cabinet_of])[slot >= 0], slot[slot >= 0])


def test_wishes_that_cannot_be_met_are_refused(edr, hall):
    network = topology.build("dragonfly", a=4, h=1)
    with pytest.raises(InputError, match="there is no packing 'partitoin'; did you mean partition"):
        fit(network, hall, edr, method="partitoin")
    with pytest.raises(InputError, match="matching cannot keep groups whole") as error:
        fit(network, hall, edr, method="matching", apart=((0, 99),))
    # Every method keeps routers apart; one of them does not exist.
    assert len(error.value.problems) == 2


def test_boxes_of_a_cabinet_do_not_overlap(edr, hall):
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    packing = fit(network, hall, edr)
    stack, endpoint_cabinet, endpoint_unit = packing.stack(packing.cabinet_of, hall, packing.slot_of)
    unit_of = stack.unit_of
    assert np.array_equal(endpoint_cabinet, packing.cabinet_of[network.endpoint_router])
    boxes = set(zip(packing.cabinet_of.tolist(), unit_of.tolist(), strict=True))
    assert len(boxes) == network.router_count
    for cabinet, unit in set(zip(endpoint_cabinet.tolist(), endpoint_unit.tolist(), strict=True)):
        assert 1 <= unit < edr.cabinet.units
        assert not {(cabinet, unit), (cabinet, unit + 1)} & boxes
        boxes |= {(cabinet, unit), (cabinet, unit + 1)}


@pytest.mark.slow
def test_a_large_network_in_a_large_room(edr):
    network = topology.build("polarstar", q=11, supernode_degree=3, endpoints_per_router=2)
    room = floor.room("spectralfly", routers=4000, cabinet_routers=4)
    packing = fit(network, room, edr)
    assert isinstance(packing, Packing)
    assert packing.allowed.shape == (1, room.slot_count)
    assert packing.cabinet_count == 133 * 2
    assert all(high - low > 0 for low, high in pairwise(packing.slot_of.tolist()))


@pytest.mark.nightly
def test_the_compiler_changes_nothing(edr, hall):
    code = (
        "from planner.domain import catalog\n"
        "from planner.hall import floor\n"
        "from planner.network import topology\n"
        "from planner.design.placement.packing import fit\n"
        "edr = catalog.select('nvidia-sb7800', 'server-half-unit', 'apc-ar3300')\n"
        "network = topology.build('jellyfish', routers=60, degree=5, endpoints_per_router=4)\n"
        "room = floor.room('hall-a', routers=1)\n"
        "print(fit(network, room, edr, groups='ignored', apart=((0, 1),), method='partition').cabinet_of.tolist())\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    plain = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    network = topology.build("jellyfish", routers=60, degree=5, endpoints_per_router=4)
    packing = fit(network, hall, edr, groups="ignored", apart=((0, 1),), method="partition")
    assert plain.stdout.strip() == str(packing.cabinet_of.tolist())
