"""Collectives that use rails: counts and sizes by formula, what every rank ends up with, times by hand."""

import numpy as np
import pytest
from shared.networks import network, ring

from planner.core import registry
from planner.core.errors import InputError
from planner.core.reading import arguments
from planner.simulation.replay import run_motif

PACKET = 16 * 64
SETTINGS = {"router_delay_ps": 0, "rate_gbps": 400, "seed": 1}


def made(motif, ranks, **parameters):
    function = registry.function("motif", motif)
    return function(ranks, **arguments(function, data=parameters, owner=motif, given=("ranks",)))


def ran(motif, topology, **settings):
    delays = np.zeros(topology.link_count + topology.endpoint_count, np.int64)
    return run_motif(topology, delays, motif=motif, **(SETTINGS | settings))


def knowledge(messages):
    """Return what each rank knows at the end if every message carries all that its sender knew when it was sent."""
    waited = messages.dependencies()
    carried, known, done = {}, [{rank} for rank in range(messages.ranks)], set()
    while len(done) < len(messages.rank):
        for step, rank in enumerate(messages.rank.tolist()):
            before = step > 0 and messages.then[step - 1] == step and step - 1 not in done
            if step in done or before or any(message not in carried for message in waited[step]):
                continue
            known[rank] |= set().union(*(carried[message] for message in waited[step]))
            carried |= dict.fromkeys(range(messages.first[step], messages.first[step + 1]), frozenset(known[rank]))
            done.add(step)
    for message, target in enumerate(messages.target.tolist()):
        known[target] |= carried[message]
    return known


@pytest.mark.parametrize(("nodes", "size"), [(1, 4), (3, 4), (4, 1), (4, 8)])
@pytest.mark.parametrize("algorithm", ["linear", "pairwise"])
def test_an_alltoall_never_changes_the_rail(nodes, size, algorithm):
    messages = made("rail_alltoall", nodes * size, node_ranks=size, bytes=100, algorithm=algorithm)
    local = messages.is_local
    assert local.sum() == nodes * size * (size - 1)
    assert (messages.source[local] // size == messages.target[local] // size).all()
    assert (messages.source[~local] % size == messages.target[~local] % size).all()
    # What crosses the network is what a plain all-to-all sends to other nodes, in fewer messages.
    assert (~local).sum() == size * nodes * (nodes - 1)
    assert set(messages.bytes[~local].tolist()) <= {100 * size}
    assert messages.bytes[~local].sum() == 100 * size * size * nodes * (nodes - 1)
    assert knowledge(messages) == [set(range(nodes * size))] * (nodes * size)


@pytest.mark.parametrize(("nodes", "size"), [(1, 4), (3, 4), (4, 1), (4, 8)])
@pytest.mark.parametrize("algorithm", ["ring", "recursive_doubling", "rabenseifner"])
def test_an_allreduce_sums_each_part_on_its_rail(nodes, size, algorithm):
    messages = made("hierarchical_allreduce", nodes * size, node_ranks=size, bytes=1000 * size * nodes, algorithm=algorithm)
    local = messages.is_local
    assert local.sum() == 2 * nodes * size * (size - 1)
    assert (messages.source[~local] % size == messages.target[~local] % size).all()
    plain = made("allreduce", nodes, bytes=1000 * nodes, algorithm=algorithm, iterations=1)
    assert messages.bytes[~local].sum() == size * plain.bytes.sum()
    assert (~local).sum() == size * len(plain.bytes)
    assert knowledge(messages) == [set(range(nodes * size))] * (nodes * size)


def test_times_by_hand():
    """Two nodes of two ranks on one router each: cables of 1 cycle, a packet takes 1 + 1 + 1 + 16 - 1 = 18 cycles of 1.28 ns."""
    topology = network([(0, 1)], [0, 0, 1, 1])
    # 2 parts of 1024 bytes to one other rank at 16 b/ns: 1024 ns, 800 cycles. Both rails share the link: 16 cycles more.
    parameters = {"node_ranks": 2, "bytes": 512, "node_gbps": 8.0}
    result = ran("rail_alltoall", topology, motif_parameters=parameters)
    assert result.completion_cycles == 800 + 18 + 16
    assert result.bound_cycles == 800 + 18
    # Half a vector of 2048 bytes twice at 8 b/ns, 1024 ns each, and once on the network in each direction.
    parameters = {"node_ranks": 2, "bytes": 2048, "node_gbps": 8.0, "algorithm": "recursive_doubling"}
    result = ran("hierarchical_allreduce", topology, motif_parameters=parameters)
    assert result.completion_cycles - (800 + 18 + 800) in (0, 16)
    assert result.bound_cycles == 800 + 18 + 800
    # A latency of 1.28 ns · 100 in each exchange.
    slow = ran("hierarchical_allreduce", topology, motif_parameters=parameters | {"node_ns": 128})
    assert slow.completion_cycles == result.completion_cycles + 200


def test_messages_in_a_node_use_no_link():
    topology = ring(4, 2)
    result = ran("rail_alltoall", topology, motif_parameters={"node_ranks": 8, "bytes": 4096})
    assert result.complete
    assert not result.link_load.any()
    assert result.completion_cycles == np.ceil(7 * 4096 * 8 / 3600 / 1.28)


def test_ranks_must_fill_their_nodes():
    for motif in ("rail_alltoall", "hierarchical_allreduce"):
        with pytest.raises(InputError, match="8 ranks per node do not divide 12 ranks"):
            made(motif, 12)
