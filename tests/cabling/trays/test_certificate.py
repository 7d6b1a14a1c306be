"""Sums of certificates against NetworkX, in rooms of long chains of segments."""

import networkx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from planner.design.cabling.trays import rooms
from planner.design.cabling.trays.certificate import verify_certificate
from planner.design.cabling.trays.graph import Demands, TrayGraph, kernel_trays


@st.composite
def chained(draw):
    """A tray graph whose junctions are joined by chains of segments, parallel ones and rings among them, and demands."""
    junctions = draw(st.integers(2, 4))
    pairs = [(draw(st.integers(0, node - 1)), node) for node in range(1, junctions)]
    pairs += draw(st.lists(st.tuples(st.integers(0, junctions - 1), st.integers(0, junctions - 1)), min_size=1, max_size=4))
    ends, nodes = [], junctions
    for a, b in pairs:
        inner = range(nodes, nodes + draw(st.integers(3, 5)))
        nodes += len(inner)
        ends += zip([a, *inner], [*inner, b], strict=True)
    column = st.lists(st.integers(1, 5), min_size=8, max_size=8)
    number = st.lists(st.integers(0, nodes - 1), min_size=8, max_size=8)
    carries = draw(st.lists(st.sampled_from([1, 2, 3, 3, 3]), min_size=len(ends), max_size=len(ends)))
    price = draw(st.lists(st.integers(0, 9), min_size=len(ends), max_size=len(ends)))
    demands = Demands(np.column_stack([draw(number), draw(number)]), np.arange(8) % 2, draw(column), draw(column))
    return TrayGraph(nodes, ends, np.ones(len(ends)), np.zeros(len(ends)), carries), demands, np.array(price)


@given(chained())
def test_cables_pay_the_cheapest_routes(room):
    graph, demands, price = room
    assert len(rooms.of(graph).contraction(kernel_trays(graph, 1)).junctions)
    expected = 0
    for medium in (0, 1):
        plain = networkx.Graph()
        plain.add_nodes_from(range(graph.nodes))
        for (a, b), paid, carried in zip(graph.ends.tolist(), price.tolist(), graph.carries.tolist(), strict=True):
            if carried >> medium & 1 and paid < plain.get_edge_data(a, b, {"cost": np.inf})["cost"]:
                plain.add_edge(a, b, cost=paid)
        apart = dict(networkx.all_pairs_dijkstra_path_length(plain, weight="cost"))
        for (a, b), own, area in zip(demands.ends.tolist(), demands.medium_class, demands.area_um2.tolist(), strict=True):
            if own == medium:
                expected += area * apart[a].get(b, 0)
    found = verify_certificate(graph, demands, np.arange(len(price)), price)
    assert found == ((expected, 0) if expected else None)


def test_sums_beyond_64_bits_are_exact():
    nodes, price, area = 16, 2**48 - 1, 2**40 + 1
    graph = TrayGraph(
        nodes, [[n, n + 1] for n in range(nodes - 1)], np.ones(nodes - 1), np.zeros(nodes - 1), np.full(nodes - 1, 3)
    )
    demands = Demands([[0, nodes - 1], [1, 3]], [1, 0], [area, area - 2], [1, 3])
    needed = area * 15 * price + (area - 2) * 3 * 2 * price
    assert needed > 2**64
    assert verify_certificate(graph, demands, np.arange(nodes - 1), np.full(nodes - 1, price)) == (needed, 0)
