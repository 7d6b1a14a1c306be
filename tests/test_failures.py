"""Failure domains: by hand on rings, stars and trees, and against networkx on random networks."""

from dataclasses import replace
from itertools import permutations

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core import storage
from planner.core.errors import InputError
from planner.design.cabling import cable
from planner.design.failures import failures, figures_of, survivors
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.domain.model import Domain, Failures, Plan, Topology, ZoneLimit
from planner.domain.quantities.failures import QUANTITIES
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.kernels.graph.failures import COMPONENTS, DISCONNECTED, ENDS, LARGEST_ENDS, LARGEST_ROUTERS, LINKS, LOST, ROUTERS
from planner.network import topology
from planner.network.metrics import bisection, distances, nodes, planes


def network(routers, links, endpoints=()):
    """A network of given links; `endpoints` are the routers of the endpoints, ascending."""
    ends = sorted([(a, b, k) for k, (a, b) in enumerate(links)] + [(b, a, k) for k, (a, b) in enumerate(links)])
    links = np.array([sorted(link) for link in links], int).reshape(-1, 2)
    return Topology(
        family="by hand", params={}, links=links, link_class=np.zeros(len(links)), link_class_names=("link",),
        indptr=np.searchsorted([a for a, _, _ in ends], np.arange(routers + 1)), indices=[b for _, b, _ in ends],
        link=[k for _, _, k in ends], endpoint_router=sorted(endpoints), group=np.zeros((routers, 0)), group_names=(),
        coords=np.zeros((routers, 0)), coord_names=(), role=np.zeros(routers), role_names=("router",),
    )  # fmt: skip


def ring(routers):
    return network(routers, [(r, (r + 1) % routers) for r in range(routers)], range(routers))


def lose(net, **lost):
    """One line of the kernel's result for one loss."""
    ids = {name: np.array(numbers, np.int64) for name, numbers in lost.items()}
    node = np.arange(net.endpoint_count)
    return figures_of(net, [Domain("", "", **ids)], node, lambda *_, **__: None)[0].tolist()


# -- by hand -------------------------------------------------------------------------------------


def test_a_ring_survives_the_failure_of_one_router():
    row = lose(ring(6), routers=[2])
    assert (row[ROUTERS], row[LINKS], row[ENDS], row[COMPONENTS]) == (1, 2, 1, 1)
    # 30 ordered pairs; the 10 of the lost endpoint are gone, none other.
    assert (row[LOST], row[DISCONNECTED]) == (10, 0)
    assert (row[LARGEST_ROUTERS], row[LARGEST_ENDS]) == (5, 5)


def test_a_ring_falls_into_two_with_two_routers():
    row = lose(ring(6), routers=[0, 2])
    assert (row[ROUTERS], row[LINKS], row[ENDS], row[COMPONENTS]) == (2, 4, 2, 2)
    # Left are 1, and 3, 4, 5: of 4 x 3 pairs, 3 x 2 stay.
    assert (row[LOST], row[DISCONNECTED]) == (30 - 12, 12 - 6)
    assert (row[LARGEST_ROUTERS], row[LARGEST_ENDS]) == (3, 3)


def test_a_ring_falls_into_two_with_two_links():
    row = lose(ring(6), links=[0, 2])
    assert (row[ROUTERS], row[LINKS], row[ENDS], row[COMPONENTS]) == (0, 2, 0, 2)
    assert (row[LOST], row[DISCONNECTED]) == (0, 30 - 2 * 1 - 4 * 3)


def test_a_star_without_its_center_is_dust():
    star = network(5, [(0, leaf) for leaf in range(1, 5)], [1, 1, 2, 3, 4])
    row = lose(star, routers=[0])
    assert (row[LINKS], row[COMPONENTS], row[LARGEST_ROUTERS]) == (4, 4, 1)
    # Only the two endpoints of router 1 still reach each other; its component is the largest by endpoints.
    assert (row[LOST], row[DISCONNECTED], row[LARGEST_ENDS]) == (0, 20 - 2, 2)


def test_every_link_of_a_tree_parts_it():
    tree = network(7, [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)], [3, 4, 5, 6])
    assert [lose(tree, links=[k])[DISCONNECTED] for k in range(6)] == [8, 8, 6, 6, 6, 6]


def test_an_endpoint_is_lost_once_however_often_it_is_hit():
    # Endpoint 2 is behind router 2: its box, its cable and its router all fail.
    row = lose(ring(6), routers=[2], endpoints=[2, 2], links=[1, 1])
    assert (row[ENDS], row[LINKS], row[LOST]) == (1, 2, 10)
    assert lose(ring(6), endpoints=[2])[ENDS] == 1


def test_routers_count_where_there_are_no_endpoints():
    row = lose(network(3, [(0, 1), (1, 2)]), links=[0])
    assert (row[LOST], row[DISCONNECTED]) == (0, 4)


def test_nothing_lost_and_everything_lost():
    assert lose(ring(5)) == [0, 0, 0, 1, 5, 5, 0, 0]
    assert lose(ring(5), routers=range(5)) == [5, 5, 5, 0, 0, 0, 20, 0]


# -- against networkx ----------------------------------------------------------------------------


@st.composite
def losses(draw):
    routers = draw(st.integers(2, 10))
    numbers = st.integers(0, routers - 1)
    links = draw(st.lists(st.tuples(numbers, numbers).filter(lambda p: p[0] != p[1]), max_size=20))
    endpoints = draw(st.lists(numbers, min_size=1, max_size=8))
    net = network(routers, links, endpoints)

    def some(count):
        return draw(st.lists(st.integers(0, count - 1), max_size=5, unique=True)) if count else []

    return net, {"routers": some(routers), "links": some(len(links)), "endpoints": some(len(endpoints))}


def naive(net, lost):
    """Components, largest component and pairs, each pair examined separately."""
    graph = networkx.MultiGraph()
    graph.add_nodes_from(r for r in range(net.router_count) if r not in lost["routers"])
    for number, (a, b) in enumerate(net.links.tolist()):
        if number not in lost["links"] and a in graph and b in graph:
            graph.add_edge(a, b)
    router = net.endpoint_router.tolist()
    left = [e for e in range(len(router)) if e not in lost["endpoints"] and router[e] in graph]
    own = disconnected = 0
    for e, f in permutations(range(len(router)), 2):
        if e not in left or f not in left:
            own += 1
        elif not networkx.has_path(graph, router[e], router[f]):
            disconnected += 1
    pieces = [set(piece) for piece in networkx.connected_components(graph)]
    largest = max(((len(piece), sum(router[e] in piece for e in left)) for piece in pieces), default=(0, 0))
    return [
        len(set(lost["routers"])), net.link_count - graph.number_of_edges(), len(router) - len(left), len(pieces), *largest, own,
        disconnected,
    ]  # fmt: skip


@pytest.mark.slow
@given(losses())
@settings(max_examples=50)
def test_the_kernel_finds_what_networkx_finds(case):
    net, lost = case
    assert lose(net, **lost) == naive(net, lost)


@pytest.mark.slow
@given(losses(), st.data())
@settings(max_examples=30)
def test_losing_more_never_joins_a_pair(case, data):
    net, lost = case
    more = {**lost, "routers": [*lost["routers"], data.draw(st.integers(0, net.router_count - 1))]}
    before, after = lose(net, **lost), lose(net, **more)
    assert after[LOST] + after[DISCONNECTED] >= before[LOST] + before[DISCONNECTED]
    assert after[LARGEST_ROUTERS] <= before[LARGEST_ROUTERS]


@pytest.mark.slow
@given(losses())
@settings(max_examples=30)
def test_survivors_are_the_subgraph(case):
    net, lost = case
    left = survivors(net, Domain("", "", **{name: np.array(ids, np.int64) for name, ids in lost.items()}))
    kept = [r for r in range(net.router_count) if r not in lost["routers"]]
    expected = sorted(
        (kept.index(a), kept.index(b))
        for k, (a, b) in enumerate(net.links.tolist())
        if k not in lost["links"] and a in kept and b in kept
    )
    assert sorted(map(tuple, left.links.tolist())) == expected
    # Rows and links agree.
    rows = [(r, n) for r in range(left.router_count) for n in left.indices[left.indptr[r] : left.indptr[r + 1]].tolist()]
    assert sorted(rows) == sorted(expected + [(b, a) for a, b in expected])
    ends = [kept.index(r) for e, r in enumerate(net.endpoint_router.tolist()) if e not in lost["endpoints"] and r in kept]
    assert left.endpoint_router.tolist() == ends
    for r in range(left.router_count):
        row = slice(left.indptr[r], left.indptr[r + 1])
        for neighbor, number in zip(left.indices[row].tolist(), left.link[row].tolist(), strict=True):
            assert sorted((r, neighbor)) == left.links[number].tolist()


# -- planes that are not joined --------------------------------------------------------------------

PLANES = {
    "multiplane": {"planes": 3, "plane": "leafspine", "plane_parameters": {"leaves": 3, "spines": 2, "uplinks": 2}},
    "hpn": {"segments": 2, "rails": 2, "hosts_per_segment": 3, "spines_per_plane": 2},
}


def lost_pairs(net, **lost):
    """Pairs with a failed node, and disconnected pairs, of one loss; of the nodes that the family declares."""
    ids = {name: np.array(numbers, np.int64) for name, numbers in lost.items()}
    row = figures_of(net, [Domain("", "", **ids)], nodes(net)[:, 0], lambda *_, **__: None)[0]
    return int(row[LOST]), int(row[DISCONNECTED])


def counted(net, owner, routers=(), links=(), endpoints=()):
    """The same by NetworkX, pair by pair."""
    graph = networkx.Graph()
    graph.add_nodes_from(set(range(net.router_count)) - set(routers))
    kept = [(a, b) for k, (a, b) in enumerate(net.links.tolist()) if k not in links and a in graph and b in graph]
    graph.add_edges_from(kept)
    part = {router: number for number, members in enumerate(networkx.connected_components(graph)) for router in members}
    homes = {node: set() for node in owner.tolist()}
    for end, (node, router) in enumerate(zip(owner.tolist(), net.endpoint_router.tolist(), strict=True)):
        if end not in endpoints and router in graph:
            homes[node].add(part[router])
    pairs = list(permutations(homes, 2))
    failed = sum(not (homes[a] and homes[b]) for a, b in pairs)
    return failed, sum(bool(homes[a] and homes[b] and not homes[a] & homes[b]) for a, b in pairs)


@pytest.mark.parametrize("family", PLANES)
def test_a_leaf_of_one_plane_separates_no_nodes(family):
    net = topology.build(family, **PLANES[family])
    plane, owner = planes(net), nodes(net)[:, 0]
    assert lost_pairs(net) == (0, 0)
    for leaf in np.flatnonzero(net.endpoints_of).tolist():
        assert lost_pairs(net, routers=[leaf]) == (0, 0)
    # All planes but one may fail, as a whole; with the last one every node has failed.
    count = int(owner.max()) + 1
    assert lost_pairs(net, routers=np.flatnonzero(plane)) == (0, 0)
    assert lost_pairs(net, routers=np.arange(net.router_count)) == (count * (count - 1), 0)
    # A node whose ports are all cut is lost to all others.
    assert lost_pairs(net, endpoints=np.flatnonzero(owner == 1)) == (2 * (count - 1), 0)


def test_nodes_without_a_common_plane_are_disconnected():
    """By hand: node 0 keeps its port in plane 0, node 1 that in plane 1, the ten others all: one pair in both directions."""
    net = topology.build("multiplane", planes=2, plane="leafspine", plane_parameters={"leaves": 3, "spines": 2, "uplinks": 2})
    count = net.endpoint_count // 2
    assert lost_pairs(net, endpoints=[count, 1]) == (0, 2)
    # Without spines in plane 0, node 0 reaches the nodes of its leaf only.
    spines = np.flatnonzero((net.endpoints_of == 0) & (planes(net) == 0))
    own = int(net.endpoints_of[0])
    assert lost_pairs(net, endpoints=[count], routers=spines) == (0, 2 * (count - own))


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(PLANES)), st.integers(0, 2**32))
def test_pairs_of_nodes_are_those_of_networkx(family, seed):
    net, random = topology.build(family, **PLANES[family]), np.random.default_rng(seed)
    share = random.random(3) * [0.5, 0.9, 0.5]
    counts = net.router_count, net.link_count, net.endpoint_count
    lost = [np.flatnonzero(random.random(count) < part) for count, part in zip(counts, share, strict=True)]
    given_lost = dict(zip(("routers", "links", "endpoints"), lost, strict=True))
    assert lost_pairs(net, **given_lost) == counted(net, nodes(net)[:, 0], **{k: set(v.tolist()) for k, v in given_lost.items()})


# -- whole plans ---------------------------------------------------------------------------------


def planned(net, edr, room, **options):
    lengths = Lengths(room, edr.cabinet, Slack())
    placed = place(net, edr, lengths, seed=1, algorithm="identity")
    cables = cable(inventory(net, edr), edr, placed, lengths)
    return placed, cables, failures(net, inventory(net, edr), room, placed, cables, seed=1, **options)


@pytest.fixture(scope="module")
def dragonfly(edr, lab):
    """A dragonfly in several cabinets of the laboratory."""
    net = topology.build("dragonfly", a=4, h=2, endpoints_per_router=6)
    return net, *planned(net, edr, lab)


@pytest.mark.slow
def test_cabinets_and_rows_take_their_boxes(dragonfly, lab):
    net, placed, _, found = dragonfly
    names = found.names.tolist()
    for number in found.of("cabinet"):
        cabinet = [lab.slot_names[s] for s in placed.slot_of].index(names[number])
        assert found.routers_lost[number] == (placed.cabinet[: net.router_count] == cabinet).sum()
        inside = (placed.cabinet[net.router_count :] == cabinet) | (placed.cabinet[net.endpoint_router] == cabinet)
        assert found.endpoints_lost[number] == inside.sum()
    assert found.routers_lost[found.of("cabinet")].sum() == net.router_count
    assert found.routers_lost[found.of("row")].sum() == net.router_count
    assert found.kinds[0] == "none"
    assert (found.routers_lost[0], found.components[0], found.lost_percent[0]) == (0, 1, 0)


def test_trays_take_the_cables_routed_over_them(dragonfly, lab):
    net, _, cables, found = dragonfly
    for number in found.of("tray"):
        tray = lab.tray_names.index(found.names[number])
        hit = [(lab.segment_tray[cables.route_of(c)] == tray).any() for c in range(cables.cable_count)]
        assert found.routers_lost[number] == 0
        assert found.links_lost[number] == sum(hit[: net.link_count])
        assert found.endpoints_lost[number] == sum(hit[net.link_count :])
    # A segment never takes more than its tray, and some tray carries cables.
    assert found.links_lost[found.of("tray segment")].max() <= found.links_lost[found.of("tray")].max()
    assert found.links_lost[found.of("tray")].max() > 0


def test_only_the_worst_of_each_kind_are_analyzed(dragonfly):
    net, _, _, found = dragonfly
    for kind in found.kinds:
        looked = found.diameter[found.of(kind)] >= 0
        assert looked[0]
        assert not looked[1:].any()
        assert (np.isfinite(found.mean_hops[found.of(kind)]) == looked).all()
        worst = found.of(kind)[0]
        assert found.lost_percent[worst] == found.lost_percent[found.of(kind)].max()
        assert 0 <= found.bisection_lower[worst] <= found.bisection_upper[worst]
    assert found.diameter[0] == distances(net).diameter
    assert found.mean_hops[0] == distances(net).mean
    assert found.bisection_upper[0] == bisection(net, seed=1, starts=4).upper


def test_zones_halls_and_pdus(edr, lab):
    net = ring(6)
    placed = place(net, edr, Lengths(lab, edr.cabinet, Slack()), seed=1, algorithm="identity")
    slots = tuple(placed.slot_of.tolist())
    zoned = replace(lab, zones=(ZoneLimit("east", slots, None, None, None), ZoneLimit("empty", (), None, None, None)))
    unit = Domain("PDU", "P1", routers=np.array([0, 2]))
    _, _, found = planned(net, edr, zoned, domains=(unit,), worst=0)
    assert found.names[found.of("zone")].tolist() == ["east"]
    assert found.routers_lost[found.of("zone")].tolist() == [6]
    assert (found.pairs_failed[found.of("PDU")], found.pairs_disconnected[found.of("PDU")]) == (18, 6)
    assert found.of("hall").tolist() == []
    assert (found.diameter == -1).all()


def test_halls_take_the_cabinets_inside_their_walls(edr):
    room = floor.room("two-halls", routers=1)
    net = topology.build("torus", sizes=[16, 16], endpoints_per_router=2)
    placed, _, found = planned(net, edr, room, worst=0, segments=False)
    halls = found.of("hall")
    assert set(found.names[halls]) <= {hall.name for hall in room.halls}
    assert found.routers_lost[halls].sum() == net.router_count
    assert "tray segment" not in found.kinds
    assert placed.cabinet_count == len(found.of("cabinet"))


def test_domains_that_name_what_is_not_there_are_refused(edr, lab):
    with pytest.raises(InputError, match="PDU P1: names routers that the network does not have"):
        planned(ring(6), edr, lab, domains=(Domain("PDU", "P1", routers=np.array([6])),))


def test_quantities_name_the_worst_of_each_kind(dragonfly):
    found = {q.name: q.of(Plan("", "", {}, failures=dragonfly[3])) for q in QUANTITIES}
    worst = dragonfly[3].lost_percent[dragonfly[3].of("cabinet")].max()
    assert found["worst_cabinet_unreachable_pairs_percent"] == worst
    assert found["worst_tray_disconnected_pairs_percent"] >= 0
    assert found["worst_hall_unreachable_pairs_percent"] is None


def test_the_record_comes_back_from_disk(dragonfly, tmp_path):
    found = dragonfly[3]
    storage.save(found, tmp_path / "failures.npz")
    assert storage.restore(Failures, tmp_path / "failures.npz").fingerprint == found.fingerprint
