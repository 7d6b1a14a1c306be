"""Ports and cages: who shares a cage at both ends, counted by hand."""

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.design.cabling.cages import cages_of
from planner.design.inventory import inventory
from planner.domain import catalog
from planner.domain.model import Placement
from planner.network.topology import from_links as graph

EDR = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")


def network(links, routers, endpoints=0):
    return graph("any", {}, routers, np.array(links).reshape(-1, 2), endpoints=endpoints)


SWITCH, SERVER = EDR.router, EDR.endpoint


def ports_of(net, place, ports=64, per_cage=2, endpoint="single"):
    """Ports and cages of a network whose routers have twin cages, with endpoints in boxes at these places."""
    router = replace(SWITCH, ports=ports, ports_per_cage=per_cage, connector="twin")
    made = inventory(net, replace(EDR, router=router, endpoint=replace(SERVER, connector=endpoint)))
    return cages_of(made, place(net.router_count))


def boxes(cabinet=(), unit=None):
    """Places of endpoints; routers are elsewhere."""
    unit = np.arange(len(cabinet)) if unit is None else unit

    def placement(routers):
        every = np.append(np.full(routers, 99), np.array(cabinet, int)), np.append(np.arange(routers), np.array(unit, int))
        return Placement(
            cabinet=every[0], unit=every[1], slot_of=np.arange(100), fixture_kind=[], fixture_cabinet=[], fixture_unit=[],
            method="", objective_unit="mm", objective=0, start_objective=0, evaluations=0, front=np.zeros((0, 2)),
        )  # fmt: skip

    return placement


def shares(cages):
    """The rows that share, as lists."""
    return sorted(np.flatnonzero(cages.share == number).tolist() for number in set(cages.share.tolist()) - {-1})


def test_two_parallel_links_fill_a_cage_at_both_ends():
    """Routers 0 and 1 have three links, 0 and 2 one: two of the three share, in cage 1 of both."""
    net = network([(0, 1), (0, 2), (0, 1), (1, 0)], 3)
    cages = ports_of(net, boxes())
    (rows,) = shares(cages)
    assert len(rows) == 2
    assert {tuple(sorted(net.links[row].tolist())) for row in rows} == {(0, 1)}
    assert cages.cage[rows].tolist() == [[1, 1], [1, 1]]
    assert sorted(cages.port[rows, 0].tolist()) == sorted(cages.port[rows, 1].tolist()) == [1, 2]
    # The odd ones follow, and share router 0's second cage without sharing a cable.
    odd = np.flatnonzero(cages.share < 0)
    assert sorted(cages.port[odd][cages.device[odd] == 0].tolist()) == [3, 4]
    assert cages.together[odd][cages.device[odd] == 0].tolist() == [2, 2]
    assert cages.first.sum() == len(np.unique(cages.socket))


def test_one_port_per_cage_is_the_order_of_the_topology():
    net = network([(0, 1), (0, 2), (0, 1)], 3, endpoints=2)
    cages = ports_of(net, boxes([0, 0, 1, 1, 2, 2], [7, 7, 7, 7, 7, 7]), per_cage=1)
    assert (cages.share == -1).all()
    assert np.array_equal(cages.port, cages.cage)
    assert (cages.together == 1).all()
    assert cages.port[net.link_count :].tolist() == [[4, 1], [5, 2], [3, 1], [4, 2], [2, 1], [3, 2]]


def test_endpoints_of_one_cabinet_share_neighbors_first():
    """Router 0 has boxes in units 9, 1, 5 of cabinet 4, of which 1 and 5 pair, and in units 3 and 1 of cabinet 2."""
    net = network([(0, 1)], 2, endpoints=5)
    place = boxes([4, 2, 4, 4, 2, *[8] * 5], [9, 3, 1, 5, 1, *range(5)])
    cages = ports_of(net, place)
    first = net.link_count
    assert [[row - first for row in rows] for rows in shares(cages)][:2] == [[1, 4], [2, 3]]
    own = cages.port[first : first + 5, 0]
    # Port 1 is the link, so endpoints begin with the fresh cage of ports 3 and 4, the lower box first; the odd box comes last.
    assert own.tolist() == [7, 4, 5, 6, 3]
    assert cages.port[first : first + 5, 1].tolist() == [1] * 5


def test_a_full_router_lets_a_single_endpoint_share_the_cage_of_the_last_link():
    """Four ports: one link and three endpoints of one cabinet; one endpoint joins the link's cage, two share the other."""
    net = network([(0, 1)], 2, endpoints=3)
    cages = ports_of(net, boxes([0] * 3 + [1] * 3), ports=4)
    first = net.link_count
    assert shares(cages) == [[first, first + 1], [first + 3, first + 4]]
    assert cages.port[first : first + 3, 0].tolist() == [3, 4, 2]
    assert cages.cage[first : first + 3, 0].tolist() == [2, 2, 1]


def test_boxes_with_the_same_cages_share_within_one_box():
    """Boxes of four ports in two cages; routers have three endpoints each, so router 1's first is in the box of router 0."""
    net = network([(0, 1)], 2, endpoints=3)
    cages = ports_of(net, boxes([0] * 6, [1, 1, 1, 1, 5, 5]), endpoint="twin")
    first = net.link_count
    assert shares(cages) == [[first, first + 1], [first + 4, first + 5]]
    assert cages.port[first:, 1].tolist() == [1, 2, 3, 4, 1, 2]
    assert cages.cage[first:, 1].tolist() == [1, 1, 2, 2, 1, 1]
    # The third endpoint of router 0 and the first of router 1 sit in one cage of the box.
    assert cages.together[first + 2, 1] == 2


@pytest.mark.slow
@given(st.data())
def test_every_port_is_used_once_and_shares_fill_cages(data):
    routers = data.draw(st.integers(2, 5))
    pair = st.tuples(st.integers(0, routers - 1), st.integers(0, routers - 1)).filter(lambda ends: ends[0] != ends[1])
    net = network(data.draw(st.lists(pair, min_size=1, max_size=25)), routers, endpoints := data.draw(st.integers(0, 5)))
    per_cage = data.draw(st.sampled_from([1, 2, 4]))
    lowest = int(net.degree.max()) + endpoints
    ports = -(-lowest // per_cage) * per_cage + per_cage * data.draw(st.integers(0, 1))
    endpoint = data.draw(st.sampled_from(["single", "twin"]))
    cabinets = data.draw(st.lists(st.integers(0, 2), min_size=routers * endpoints, max_size=routers * endpoints))
    units = data.draw(st.lists(st.integers(1, 3), min_size=routers * endpoints, max_size=routers * endpoints))
    cages = ports_of(net, boxes(cabinets, units), ports, per_cage, endpoint)
    box = {}
    for row in range(len(cages.port)):
        a, b = cages.device[row].tolist()
        far = b if row < net.link_count else ("box", cabinets[b - routers], units[b - routers])
        for end, owner in enumerate((a, far)):
            key = owner, int(cages.port[row, end])
            assert key not in box
            box[key] = row
            assert cages.port[row, end] <= ports or end
    for owner in {owner for owner, _ in box}:
        # A box is filled without gaps; a router may leave the rest of the cage of its last link free.
        ports = sorted(port for one, port in box if one == owner)
        gaps = set(range(1, len(ports) + 1)) - set(ports)
        assert len(gaps) < per_cage
    rows_of = defaultdict(set)
    for row, socket in enumerate(cages.socket.tolist()):
        rows_of[socket[0]].add(row)
        rows_of[socket[1]].add(row)
    assert max(map(len, rows_of.values())) <= per_cage
    for rows in shares(cages):
        assert len(rows) == per_cage
        assert rows_of[cages.socket[rows[0], 0]] == set(rows)
    pairs = Counter(tuple(sorted(ends)) for ends in net.links.tolist())
    shared = sum(len(rows) for rows in shares(cages) if rows[0] < net.link_count)
    assert shared == (sum(count // per_cage * per_cage for count in pairs.values()) if per_cage > 1 else 0)
