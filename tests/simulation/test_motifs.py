"""Motifs: counts against closed formulas, order, and runs against hand calculation."""

import inspect
import math
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from shared.networks import case, network, reference, ring

from planner.core import registry
from planner.core.errors import InputError
from planner.core.reading import arguments
from planner.simulation.messages import Program
from planner.simulation.motif.ranks import grids
from planner.simulation.replay import Replay, replay, run_motif

PACKET = 16 * 64
"""Bytes of a packet in these tests."""
HEADER = "id,source,target,bytes,compute_ns,after\n"


def made(motif, ranks, **parameters):
    function = registry.function("motif", motif)
    return function(ranks, **arguments(function, data=parameters, owner=motif, given=("ranks",)))


def ran(motif, topology, *, delay_ps=0, seed=1, **settings):
    delays = np.full(topology.link_count + topology.endpoint_count, delay_ps)
    return run_motif(topology, delays, router_delay_ps=0, rate_gbps=400, seed=seed, motif=motif, **settings)


def ran_messages(messages, topology, chunk=1000, **settings):
    return replay(
        case(topology, **settings), messages, np.arange(messages.ranks), name="test", cycle_ps=1280.0, packet_bytes=PACKET,
        seed=np.random.SeedSequence(3), chunk=chunk,
    )  # fmt: skip


def alone(messages, delay):
    """Return when all is done if message i took ``delay[i]`` cycles, by NetworkX."""
    graph = nx.DiGraph()
    for step, waited in enumerate(messages.dependencies()):
        graph.add_edge("start", ("step", step), weight=0)
        for message in waited:
            graph.add_edge(("message", message), ("step", step), weight=0)
        if messages.then[step] >= 0:
            graph.add_edge(("step", step), ("step", int(messages.then[step])), weight=0)
        for message in range(messages.first[step], messages.first[step + 1]):
            graph.add_edge(("step", step), ("message", message), weight=int(delay[message]))
    return nx.dag_longest_path_length(graph)


LINKS_2D = {(px, py): (px - 1) * py + px * (py - 1) for px, py in product(range(1, 8), repeat=2)}


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7, 8, 12, 16])
def test_collectives_send_what_the_formulas_say(ranks):
    power = 1 << (ranks.bit_length() - 1)
    log, extra, size = power.bit_length() - 1, ranks - power, 1000 * power
    doubling = made("allreduce", ranks, algorithm="recursive_doubling", bytes=size, iterations=2)
    assert len(doubling.bytes) == 2 * (power * log + 2 * extra)
    assert set(doubling.bytes.tolist()) <= {size}
    ring_ = made("allreduce", ranks, algorithm="ring", bytes=1000 * ranks, iterations=3)
    assert len(ring_.bytes) == 3 * 2 * ranks * (ranks - 1)
    assert set(ring_.bytes.tolist()) <= {1000}
    halving = made("allreduce", ranks, algorithm="rabenseifner", bytes=size, iterations=1)
    assert len(halving.bytes) == 2 * power * log + 2 * extra
    assert halving.bytes.sum() == 2 * power * 1000 * (power - 1) + 2 * extra * size
    for algorithm in ("linear", "pairwise"):
        exchange = made("alltoall", ranks, algorithm=algorithm, bytes=77)
        pairs = set(zip(exchange.source.tolist(), exchange.target.tolist(), strict=True))
        assert len(exchange.bytes) == len(pairs) == ranks * (ranks - 1)
        assert len(exchange.rank) == (ranks if algorithm == "linear" and ranks > 1 else ranks * (ranks - 1))
    spread = made("broadcast", ranks, root=ranks // 2)
    assert sorted([*spread.target.tolist(), ranks // 2]) == list(range(ranks))
    # A chain has a message for every bit of its last rank, counted from the root.
    assert alone(spread, np.ones(len(spread.bytes))) == max(rank.bit_count() for rank in range(ranks))


@pytest.mark.parametrize("ranks", [2, 5, 8, 12])
@pytest.mark.parametrize("algorithm", ["ring", "recursive_doubling", "rabenseifner"])
def test_every_rank_hears_of_every_other_in_an_allreduce(ranks, algorithm):
    """What a rank knows travels with its messages; at the end all know all."""
    messages = made("allreduce", ranks, algorithm=algorithm, iterations=1)
    waited = messages.dependencies()
    carried, known, done = {}, [{rank} for rank in range(ranks)], set()
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
    assert known == [set(range(ranks))] * ranks


@pytest.mark.parametrize(("px", "py"), [(1, 1), (4, 3), (1, 5)])
def test_sweeps(px, py):
    messages = made("sweep3d", px * py, grid=(px, py), cells=(10, 20, 12), block=4, iterations=2)
    assert len(messages.bytes) == 2 * 8 * 3 * LINKS_2D[px, py]
    along = np.abs(messages.source - messages.target) == 1 if px > 1 else np.zeros(len(messages.bytes), bool)
    assert set(messages.bytes[along].tolist()) <= {10 * 4 * 8 * 8}
    assert set(messages.bytes[~along].tolist()) <= {20 * 4 * 8 * 8}


def test_a_wavefront_takes_a_step_for_each_diagonal_and_block():
    program = Program(12)
    for _ in range(5):
        grids.wavefront(program, np.arange(12).reshape(4, 3), 1, 1, 0)
    # The last diagonal has nothing to send: 4 + 3 - 2 hops, and one more for each further block.
    messages = program.messages()
    assert alone(messages, np.ones(len(messages.bytes))) == 5
    compute = made("sweep3d", 12, grid=(4, 3), cells=(1, 1, 1), compute_ns=100, iterations=1)
    finished = ran_messages(compute, ring(12))
    # Eight sweeps, from every corner two; the corner of a sweep is next to that where the last one began.
    assert finished.completion_cycles >= 8 * 79
    assert finished.completion_cycles >= finished.bound_cycles


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 3, 3), (4, 2, 3), (5, 1, 1)])
def test_halos(shape):
    messages = made("halo3d26", math.prod(shape), grid=shape, cells=(10, 20, 30), fields=2, iterations=2)
    count, total = 0, 0
    for move in product((-1, 0, 1), repeat=3):
        if any(move):
            pairs = math.prod(length - abs(step) for length, step in zip(shape, move, strict=True))
            count += pairs
            total += pairs * 16 * math.prod(cells for cells, step in zip((10, 20, 30), move, strict=True) if not step)
    assert len(messages.bytes) == 2 * count
    assert messages.bytes.sum() == 2 * total
    if shape == (3, 3, 3):
        middle = messages.source == 13
        assert middle.sum() == 2 * 26
        faces, edges = [200 * 16, 300 * 16, 600 * 16], [10 * 16, 20 * 16, 30 * 16]
        assert sorted(messages.bytes[middle].tolist()) == sorted(4 * faces + 8 * edges + 16 * [16])


def test_transforms():
    balanced = made("fft3d", 24, cells=(24, 24, 24))
    # 4 rows, 6 columns: twice there and back 3 and 5 others.
    assert len(balanced.bytes) == 24 * 2 * (3 + 5)
    assert balanced.bytes.sum() == 2 * (24**3 * 16 // 24) * 24 * 3 // 4 + 2 * (24**3 * 16 // 24) * 24 * 5 // 6
    together = {(source // 4 == target // 4, source % 4 == target % 4) for source, target in
                zip(balanced.source.tolist(), balanced.target.tolist(), strict=True)}  # fmt: skip
    assert together == {(True, False), (False, True)}
    assert len(made("fft3d", 24, shape="unbalanced").bytes) == 24 * 2 * (1 + 11)
    with pytest.raises(InputError, match="does not divide 24"):
        made("fft3d", 24, rows=5)


def test_benchmarks():
    for name, forward, backward in (("npb_bt", 30, 5), ("npb_sp", 22, 10)):
        messages = made(name, 16, cells=32, iterations=3)
        assert len(messages.bytes) == 3 * (6 * 16 + 3 * 2 * 3 * 16)
        assert messages.bytes.sum() == 3 * 16 * 64 * 8 * (6 * 10 * 4 + 9 * (forward + backward))
    # 4 x 8 ranks: three exchanges of a row, one across, six of a number; on the diagonal nothing goes across.
    messages = made("npb_cg", 32, rows=800, iterations=2)
    across = (messages.bytes == 100 * 8).sum()
    assert len(messages.bytes) - across == 2 * 32 * (3 + 6)
    pairs = {(s, t) for s, t, b in zip(messages.source.tolist(), messages.target.tolist(), messages.bytes.tolist(), strict=True)
             if b == 800}  # fmt: skip
    assert pairs == {(t, s) for s, t in pairs}
    for graph in ("black_hole", "white_hole"):
        tree = made("npb_dt", 21, graph=graph)
        assert len(tree.bytes) == 20
        assert (tree.target == 0).sum() == (4 if graph == "black_hole" else 0)
        assert alone(tree, np.ones(20)) == 2
    shuffle = made("npb_dt", 80, graph="shuffle")
    assert len(shuffle.bytes) == 16 * 4 * 2
    assert alone(shuffle, np.ones(128)) == 4
    assert len(made("npb_lu", 12, grid=(4, 3), cells=10, iterations=2).bytes) == 2 * (2 * 8 * 17 + 2 * 17)
    # 2 x 2 x 2 ranks, levels of 16, 8, 4 and 2 cells: 3 exchanges down, 8 up, of 6 messages each.
    assert len(made("npb_mg", 8, cells=16, iterations=2).bytes) == 2 * 11 * 6 * 8
    assert len(made("npb_ft", 8, iterations=2).bytes) == 2 * (56 + 24)
    assert len(made("npb_is", 8, iterations=2).bytes) == 2 * (2 * 56 + 24)
    assert len(made("matrix_product", 16).bytes) == 4 * 2 * 4 * 3
    assert len(made("graph500", 8).bytes) == 5 * (56 + 24)


@pytest.mark.parametrize(
    ("motif", "ranks", "parameters", "words"),
    [
        ("npb_bt", 12, {}, "use 9 or 16"),
        ("npb_cg", 12, {}, "use 8 or 16"),
        ("npb_dt", 13, {"graph": "shuffle"}, "use 12, for example"),
        ("halo3d26", 12, {"grid": (2, 2, 2)}, "use 3 x 2 x 2, for example"),
        ("sweep3d", 4, {"block": 3}, "3 does not divide nz = 50; use 2, for example"),
        ("broadcast", 4, {"root": 4}, "use 0 to 3"),
    ],
)
def test_bad_parameters_are_refused(motif, ranks, parameters, words):
    with pytest.raises(InputError, match=words):
        made(motif, ranks, **parameters)


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [1, 4])
def test_billions_of_iterations_are_refused_before_memory_is_full(monkeypatch, ranks):
    monkeypatch.setattr("planner.simulation.messages.MAX_PHASES", 500)
    for motif in registry.names("motif"):
        takes = inspect.signature(registry.function("motif", motif)).parameters
        if "iterations" in takes and (motif, ranks) != ("broadcast", 1):
            nodes = {"node_ranks": 1} if "node_ranks" in takes else {}
            with pytest.raises(InputError, match="limited to 500 phases and computations; use fewer iterations"):
                made(motif, ranks, iterations=2**31 - 1, **nodes)
    assert len(made("broadcast", 1, iterations=2**31 - 1).bytes) == 0


def test_two_ranks_play_ping_pong_on_two_routers():
    """Cables of 5, 2 and 3 cycles, routers of 4: 2 + 4 + 5 + 4 + 3 + 15 cycles in each direction, as in the open loop."""
    program = Program(2)
    for turn in range(6):
        program.send([turn % 2], [1 - turn % 2], 100)
    result = ran_messages(program.messages(), network([(0, 1)], [0, 1]), link_cycles=[5, 2, 3], router_cycles=4)
    assert (result.completion_cycles, result.bound_cycles) == (6 * 33, 6 * 33)
    in_time = np.sort(result.started)
    assert in_time.tolist() == [0, 33, 66, 99, 132, 165]
    assert np.sort(result.delivered).tolist() == [33, 66, 99, 132, 165, 198]
    # Three packets in each direction.
    np.testing.assert_allclose(result.link_load, 3 * 16 / 198)


def test_computing_delays_what_follows():
    program = Program(2)
    program.compute(10, np.array([0]))
    program.send([0], [1], 3 * PACKET)
    program.compute(1000, np.array([1]))
    program.send([1], [0], 1)
    result = ran_messages(program.messages(), network([(0, 1)], [0, 1]))
    # 10 ns are 8 cycles of 1.28 ns, 1000 ns are 782; the third packet leaves after 32 cycles and takes 18.
    assert result.started.tolist() == [8, 8 + 32 + 18 + 782]
    assert result.completion_cycles == 8 + 50 + 782 + 18 == result.bound_cycles
    # Who computes at the end is done later than the last message.
    program.compute(10, np.array([1]))
    assert ran_messages(program.messages(), network([(0, 1)], [0, 1])).completion_cycles == 858
    program.compute(10_000, np.array([1]))
    assert ran_messages(program.messages(), network([(0, 1)], [0, 1])).completion_cycles == 8 + 50 + 782 + 7821


@pytest.mark.parametrize("packets", [1, 4])
def test_a_ring_allreduce_on_a_ring_meets_nobody(packets):
    """Every step sends `packets` to the next router: 3 unit cables, and 16 phits for each packet."""
    result = ran("allreduce", ring(8), motif_parameters={"algorithm": "ring", "bytes": 8 * packets * PACKET, "iterations": 2})
    assert result.completion_cycles == 2 * 14 * (3 + 16 * packets - 1) == result.bound_cycles
    carried = 2 * 14 * packets * 16 / result.completion_cycles
    assert sorted(set(result.link_load.tolist())) == pytest.approx([0, carried])


def test_a_broadcast_goes_down_its_tree():
    """Ranks 0 to 3 on one router: 0 to 1, then 0 to 2 and 1 to 3; a message takes 2 + 15 cycles."""
    result = ran("broadcast", network([], [0, 0, 0, 0]), motif_parameters={"bytes": PACKET})
    assert result.completion_cycles == 17 + 17
    by_target = dict(
        zip(result.target.tolist(), zip(result.started.tolist(), result.delivered.tolist(), strict=True), strict=True)
    )
    # The root sends on as soon as its first packet has left: it waits for nothing.
    assert by_target == {1: (0, 17), 2: (0, 33), 3: (17, 34)}


MOTIFS = [
    ("allreduce", 12, {"algorithm": "rabenseifner", "bytes": 20_000, "iterations": 2}),
    ("allreduce", 16, {"bytes": 5000, "iterations": 2}),
    ("alltoall", 16, {"algorithm": "linear", "bytes": 3000}),
    ("alltoall", 15, {"bytes": 3000, "iterations": 2}),
    ("sweep3d", 16, {"cells": (5, 5, 4), "iterations": 1, "compute_ns": 50}),
    ("halo3d26", 16, {"cells": (10, 10, 10), "iterations": 2}),
    ("fft3d", 16, {"cells": (16, 16, 16)}),
    ("npb_bt", 16, {"cells": 16, "iterations": 1}),
    ("npb_cg", 16, {"rows": 2000, "iterations": 2}),
    ("npb_dt", 16, {"bytes": 4000}),
    ("npb_mg", 16, {"cells": 16, "iterations": 1}),
    ("matrix_product", 16, {"rows": 64}),
    ("graph500", 16, {"scale": 10}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("motif", "ranks", "parameters"), MOTIFS)
def test_runs_deliver_everything_in_order_and_never_beat_the_bound(motif, ranks, parameters):
    messages = made(motif, ranks, **parameters)
    topology = ring(8, 2)
    result = ran_messages(messages, topology, link_cycles=3, router_cycles=2)
    assert result.complete
    assert (result.delivered >= result.started).all()
    assert (result.started >= 0).all()
    # Every message starts when the last that its step waits for has come, the step before is done, and it has computed.
    started = np.full(len(messages.rank), -1)
    started[messages.step] = result.started
    waited = messages.dependencies()
    compute = np.ceil(messages.compute_ns / 1.28 - 1e-9).astype(int)
    for step in np.unique(messages.step).tolist():
        due = max((int(result.delivered[message]) for message in waited[step]), default=0)
        if step and messages.then[step - 1] == step:
            due = max(due, int(started[step - 1]))
        assert started[step] == due + compute[step]
    # The bound: the same graph with the delays of an empty network, recomputed.
    hops = dict(nx.all_pairs_shortest_path_length(nx.cycle_graph(8)))
    packets = np.maximum(1, -(-messages.bytes // PACKET))
    delay = [3 + 2 + 5 * hops[s // 2][t // 2] + 3 + 15 for s, t in zip(messages.source, messages.target, strict=True)]
    before = [int(packets[messages.first[step] : message + 1].sum()) - 1 for message, step in enumerate(messages.step)]
    delay = np.array(delay) + 16 * np.array(before)
    graph_bound = alone(messages, delay) if not messages.compute_ns.any() else result.bound_cycles
    assert result.bound_cycles == graph_bound
    assert result.completion_cycles >= result.bound_cycles
    assert result.completion_cycles >= result.delivered.max()


def test_packets_are_conserved_and_every_step_of_time_agrees():
    messages = made("halo3d26", 27, cells=(20, 20, 20), iterations=2)
    topology = reference("sf5")
    run = Replay(case(topology), messages, np.arange(27) * 5, 1280.0, PACKET, np.random.SeedSequence(1))
    while run.advance(100) == 0:
        tally = run.engine.tally[0]
        flying = tally["fresh_packets"] - tally["free_packets"]
        assert tally["injected"] == tally["delivered"] + flying
        unsent = int(run.books.unsent.sum())
        assert unsent + tally["injected"] == run.packets.sum()
        assert run.books.missing.sum() == unsent + flying
    assert run.engine.tally[0]["delivered"] == run.packets.sum()
    assert run.left == 0


def test_result_does_not_depend_on_the_chunk_size():
    messages = made("alltoall", 30, algorithm="linear", bytes=3000)
    a, b = (ran_messages(messages, reference("sf5"), chunk=chunk) for chunk in (1000, 7))
    assert a.fingerprint == b.fingerprint


@pytest.mark.nightly
def test_uncompiled_code_gives_the_same_numbers():
    script = (
        "from shared.networks import ring; from simulation.test_motifs import ran;"
        "print(ran('allreduce', ring(4), motif_parameters={'iterations': 1, 'bytes': 4000}).fingerprint)"
    )
    folder = Path(__file__).parents[1]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{folder}{os.pathsep}{folder.parent}"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    compiled = ran("allreduce", ring(4), motif_parameters={"iterations": 1, "bytes": 4000})
    assert done.stdout.strip() == compiled.fingerprint


def test_ranks_of_one_endpoint_reach_each_other_at_once():
    program = Program(3)
    program.send([0], [1], 5000)
    program.send([1], [2], 5000)
    result = replay(
        case(network([(0, 1)], [0, 1])), program.messages(), np.array([0, 0, 1]), name="test", cycle_ps=1280.0,
        packet_bytes=PACKET, seed=np.random.SeedSequence(3),
    )  # fmt: skip
    assert result.delivered.tolist() == [0, 18 + 64]
    assert result.bound_cycles == 82


def test_presets_of_other_simulators():
    settings = {"delay_ps": 10**6, "motif_parameters": {"algorithm": "ring", "iterations": 1}}
    result = ran("allreduce", ring(8), preset="caminos", **settings)
    # 14 steps of 8 packets, which meet nobody.
    assert result.completion_cycles == 14 * (3 + 16 * 8 - 1) == result.bound_cycles
    with pytest.raises(InputError, match="a motif runs with cut-through"):
        ran("allreduce", ring(8), preset="booksim", **settings)


def test_an_interrupted_run_keeps_what_was_delivered():
    def impatient(stage, done, total):
        assert (stage, total) == ("motif", 20 * 19 + 20)
        if done > 50:
            raise KeyboardInterrupt

    result = ran("alltoall", ring(20), progress=impatient, motif_parameters={"algorithm": "linear", "bytes": 60_000})
    assert not result.complete
    assert 0 < len(result.delay) < 380


def test_a_trace_is_read_and_run(tmp_path):
    path = tmp_path / "trace.csv"
    path.write_text(HEADER + "# two before one\nsum,1,0,100,0,a b\na,0,1,100,0,\nb,0,1,2000,10,\n")
    messages = made("trace", 2, file=str(path))
    assert messages.dependencies() == [[1, 2], [], []]
    result = ran("trace", network([(0, 1)], [0, 1]), motif_parameters={"file": str(path)})
    # b is ready at 8, leaves behind a from 16 to 48, and is there at 50.
    assert result.started.tolist() == [50, 0, 8]
    assert result.delivered.tolist() == [68, 18, 50]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "header"),
        ("a,b\n", ":1: does not begin with its header"),
        (HEADER, "contains no message"),
        (HEADER + "a,0,1,5\n", ":2: has 4 columns"),
        (HEADER + "a,0,7,5,0,\n", ":2: unknown rank 7; use 0 to 3"),
        (HEADER + "a,x,1,-5,0,\n", "(?s):2: source 'x' is not a non-negative integer.*:2: bytes '-5'"),
        (HEADER + "a,0,1,5,0,\n\na,0,1,5,0,\n", ":4: message a is defined twice"),
        (HEADER + "a,0,1,5,0,b\n", ":2: unknown message b"),
        (HEADER + "a,0,1,5,0,b\nb,0,1,5,0,a\n", "cyclic dependency: . waits for . waits for ."),
        (HEADER + "a b,0,1,5,0,\n", "is not a name"),
    ],
)
def test_bad_traces_are_refused_with_their_lines(tmp_path, text, words):
    path = tmp_path / "trace.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        made("trace", 4, file=str(path))


def test_motifs_are_listed_and_unknown_ones_refused():
    assert {"allreduce", "alltoall", "broadcast", "fft3d", "halo3d26", "sweep3d", "trace"} <= set(registry.names("motif"))
    with pytest.raises(InputError, match="did you mean allreduce"):
        ran("allreduc", ring(4))
    with pytest.raises(InputError, match="attach endpoints"):
        ran("allreduce", network([(0, 1)], []))
    with pytest.raises(InputError, match="packet_phits: must be greater than 0"):
        ran("allreduce", ring(4), packet_phits=0)
    with pytest.raises(InputError, match="9 ranks exceed 4"):
        ran("allreduce", ring(4), ranks=9)
