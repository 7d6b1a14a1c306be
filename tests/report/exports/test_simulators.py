"""Inputs of simulators: SST's merlin by NetworkX, ASTRA-sim and SimAI by a reader after the grammar of their programs."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import NamedTuple

import networkx
import numpy as np
import pytest
from shared.gallery import planned
from shared.small_plans import make_plan

from planner.core.errors import InputError, PlannerWarning
from planner.formats import write


class Read(NamedTuple):
    head: list[str]
    switches: list[int]
    links: list[tuple[int, int]]
    rate_gbps: list[int]
    delay_ps: list[int]


def read(path) -> Read:
    """The reader of ``scratch/common.h``: counts, switches, then source, target, rate, delay and error of each link."""
    head, switches, *lines = path.read_text().splitlines()
    rows = [line.split() for line in lines]
    assert {row[4] for row in rows} <= {"0"}
    assert all(row[2].endswith("Gbps") and row[3].endswith("ms") for row in rows)
    delays = [Decimal(row[3].removesuffix("ms")) * 10**9 for row in rows]
    assert all(delay == int(delay) for delay in delays)
    rates = [int(row[2].removesuffix("Gbps")) for row in rows]
    ends = [(int(row[0]), int(row[1])) for row in rows]
    return Read(head.split(), [int(word) for word in switches.split()], ends, rates, [int(delay) for delay in delays])


@pytest.fixture(scope="module")
def superpod(tmp_path_factory):
    return planned("superpod-h100", tmp_path_factory.mktemp("superpod"))


@pytest.mark.slow
@pytest.mark.parametrize("which", ["plan", "twin", "trunks", "odd"])
def test_merlin_finds_the_endpoints_of_every_router(which, request, tmp_path):
    plan = request.getfixturevalue(which)
    graph = networkx.read_graphml(write(plan, tmp_path, "graphml"), node_type=int, force_multigraph=True)
    assert not graph.is_directed()
    assert [count for _, count in graph.nodes(data="endpoints")] == plan.topology.endpoints_of.tolist()
    assert sum(count for _, count in graph.nodes(data="endpoints")) == plan.topology.endpoint_count
    assert graph.number_of_edges() == plan.topology.link_count
    whole = networkx.read_graphml(write(plan, tmp_path, "graphml", endpoints=True), node_type=int, force_multigraph=True)
    assert not any("endpoints" in facts for _, facts in whole.nodes(data=True))


def test_ns3_keeps_one_link_of_a_pair(twin, tmp_path):
    """``nbr2if[source][target]`` of the reader: the last line of a pair wins, so that parallel links are one line."""
    hosts, topology = twin.topology.endpoint_count, twin.topology
    pairs = Counter(map(tuple, np.sort(topology.links, axis=1).tolist()))
    assert set(pairs.values()) == {2}
    rate = int(twin.inventory.rates_gbps()[0])
    with pytest.warns(PlannerWarning, match=f"{len(pairs)} parallel links are merged, with the sum of the rates"):
        found = read(write(twin, tmp_path, "astra_ns3"))
    assert found.head == [str(hosts + topology.router_count), str(topology.router_count), str(hosts + len(pairs))]
    assert Counter(found.links).most_common(1)[0][1] == 1
    assert {(a - hosts, b - hosts) for a, b in found.links[hosts:]} == set(pairs)
    assert set(found.rate_gbps[hosts:]) == {2 * rate}
    with pytest.warns(PlannerWarning, match="parallel links are merged"):
        simai = read(write(twin, tmp_path, "simai"))
    assert int(simai.head[4]) == len(simai.links) == 2 * hosts + len(pairs)


@pytest.mark.parametrize("which", ["plan", "trunks"])
def test_astra_has_every_link_with_its_delay(which, request, tmp_path):
    plan = request.getfixturevalue(which)
    hosts, routers, links = plan.topology.endpoint_count, plan.topology.router_count, plan.topology.link_count
    found = read(write(plan, tmp_path, "astra_ns3"))
    assert found.head == [str(hosts + routers), str(routers), str(hosts + links)]
    assert found.switches == list(range(hosts, hosts + routers))
    pairs = Counter((a, b - hosts) for a, b in found.links if a < hosts)
    assert pairs == Counter(enumerate(plan.topology.endpoint_router.tolist()))
    assert [(a - hosts, b - hosts) for a, b in found.links if a >= hosts] == list(map(tuple, plan.topology.links.tolist()))
    delays = plan.cables.delay_ps.tolist()
    assert found.delay_ps == [*delays[links:], *delays[:links]]


def test_paths_of_astra_have_the_delay_of_their_routers(plan, tmp_path):
    hosts, router_ps = plan.topology.endpoint_count, plan.catalog.router.delay_ps
    bare, whole = (read(write(plan, tmp_path / str(routers), "astra_ns3", routers=routers)) for routers in (False, True))
    graphs = []
    for found in (bare, whole):
        graph = networkx.Graph()
        graph.add_weighted_edges_from((*ends, delay) for ends, delay in zip(found.links, found.delay_ps, strict=True))
        graphs.append(graph)
    path = networkx.shortest_path(graphs[0], 0, hosts - 1)
    without, added = (networkx.path_weight(graph, path, "weight") for graph in graphs)
    assert added - without == router_ps * (len(path) - 2)


def test_simai_has_an_nvswitch_for_each_server(plan, tmp_path):
    found = read(write(plan, tmp_path, "simai", gpus_per_server=4, gpu="A100", nvlink_gbps=2400))
    gpus, servers, routers = 100, 25, 50
    assert found.head == [str(gpus + servers + routers), "4", str(servers), str(routers), str(gpus + gpus + 175), "A100"]
    assert found.switches == list(range(gpus, gpus + servers + routers))
    assert found.links[:gpus] == [(gpu, gpus + gpu // 4) for gpu in range(gpus)]
    assert (set(found.rate_gbps[:gpus]), set(found.delay_ps[:gpus])) == ({2400}, {25_000})
    assert set(found.rate_gbps[gpus:]) == {plan.catalog.router.rate_gbps}
    cables = plan.cables.delay_ps.tolist()
    assert sorted(found.delay_ps[gpus:]) == sorted(cables)
    with pytest.raises(InputError, match="100 endpoints do not fill servers of 8 GPUs"):
        write(plan, tmp_path, "simai", gpus_per_server=8)


@pytest.mark.slow
def test_gpus_of_the_superpod_are_in_the_order_of_its_nodes(superpod, tmp_path):
    with pytest.warns(PlannerWarning, match="512 parallel links are merged"):
        found = read(write(superpod, tmp_path, "simai"))
    gpus, servers = 1016, 127
    assert found.head == [str(gpus + servers + 48), "8", str(servers), "48", str(gpus + gpus + 512), "H100"]
    leaves = np.array([router - gpus - servers for gpu, router in found.links[gpus : 2 * gpus]]).reshape(servers, 8)
    # Rail r of unit u is leaf 8 u + r.
    assert leaves.tolist() == [[8 * (node // 32) + rail for rail in range(8)] for node in range(servers)]
    # Two cables of 400 Gbps join a leaf and a spine.
    assert (set(found.rate_gbps[gpus : 2 * gpus]), set(found.rate_gbps[2 * gpus :])) == ({400}, {800})
    longest = dict.fromkeys(map(tuple, np.sort(superpod.topology.links, axis=1).tolist()), 0)
    delays = superpod.cables.delay_ps[superpod.inventory.links(0)].tolist()
    for pair, delay in zip(map(tuple, np.sort(superpod.topology.links, axis=1).tolist()), delays, strict=True):
        longest[pair] = max(longest[pair], delay)
    assert found.delay_ps[2 * gpus :] == list(longest.values())


def test_servers_of_one_size_only(tmp_path):
    plan = make_plan(family="hypercube", dimensions=3, endpoints_per_router=2, simulate=False)
    with pytest.raises(InputError, match="there is no role 'gpu'"):
        write(plan, tmp_path, "simai", role="gpu")
