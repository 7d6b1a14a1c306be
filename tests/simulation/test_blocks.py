"""Networks that are simulated in blocks of routers: only the order of random choices differs."""

import dataclasses
import os
import sys
from contextlib import contextmanager

import numpy as np
import pytest
from shared import fixed_target, invariants, one_channel
from shared.networks import case, faulty, network, reference, seed

from planner.core import cores, registry
from planner.core.executors.forks import AVAILABLE, Forks
from planner.kernels.packet import records
from planner.network import topology
from planner.simulation.blocks import WHOLE, Division, blocks_of, division
from planner.simulation.books import Books
from planner.simulation.capacity import packet_records
from planner.simulation.engine import Run
from planner.simulation.network import Network


def silent(now):
    pass


def tree_case(monkeypatch, number, **settings):
    """Return a case without random choices: a random tree, one channel, one target for each endpoint, heads in order."""
    draw = np.random.default_rng(number)
    routers = int(draw.integers(4, 30))
    links = [(int(draw.integers(max(0, child - 4), child)), child) for child in range(1, routers)]
    tree = network(links, np.repeat(np.arange(routers), 2).tolist())
    cycles = draw.integers(1, 40, tree.link_count + tree.endpoint_count).astype(np.int32)
    monkeypatch.setitem(sys.modules, "outside.one_channel", one_channel)
    monkeypatch.setitem(sys.modules, "outside.fixed_target", fixed_target)
    made = case(
        tree, link_cycles=cycles, channels=1, arbitration=int(draw.choice([records.ROUND_ROBIN, records.AGE])), **settings
    )
    targets = draw.permutation(tree.endpoint_count)
    return dataclasses.replace(
        made, routing="outside.one_channel", prepared=one_channel.prepare(made.network),
        traffic="outside.fixed_target", table=fixed_target.prepare(tree, 0, targets),
    )  # fmt: skip


def figures(measures):
    return {name: np.asarray(value).tolist() for name, value in vars(measures).items()}


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("router_cycles", [0, 9])
def test_without_random_choices_blocks_give_the_same_measures(monkeypatch, number, router_cycles):
    made = tree_case(monkeypatch, number, router_cycles=router_cycles, occupancy=True)
    routers = made.network.topology.router_count
    whole = figures(Run(made, 0.4, seed(), WHOLE).measure(silent))
    assert whole["delivered"] > 100
    for block_bytes in (1, 2000):
        divided = division(made, 0.4, large_bytes=0, block_bytes=block_bytes, min_window=2)
        assert divided == WHOLE or 1 < divided.blocks <= routers
        assert figures(Run(made, 0.4, seed(), divided).measure(silent)) == whole


@pytest.mark.parametrize("number", range(6))
def test_faults_drop_the_same_packets(monkeypatch, number):
    made = tree_case(monkeypatch, number, router_cycles=5)
    tree, cycles = made.network.topology, made.network.link_cycles
    # Of a leaf, and of one endpoint elsewhere: the others remain connected.
    failing = {"routers": [(tree.router_count - 1, 703)], "cables": [(tree.link_count, 811)]}
    made = dataclasses.replace(made, faults=faulty(tree, **failing, link_cycles=cycles, prepare=one_channel.prepare).faults)
    divided = division(made, 0.4, large_bytes=0, block_bytes=1, min_window=2)
    assert divided.blocks > 1
    whole = figures(Run(made, 0.4, seed(), WHOLE).measure(silent))
    assert whole["dropped"] > 0
    assert figures(Run(made, 0.4, seed(), divided).measure(silent)) == whole


def test_a_block_runs_until_another_router_may_answer():
    """The shortest cable between blocks, with the router behind it, or with the time until a packet has moved."""
    line = network([(0, 1), (1, 2), (2, 3)], [0, 1, 2, 3])
    cycles = [1, 7, 2, 1, 1, 1, 1]
    made = case(line, link_cycles=cycles, router_cycles=20, credit_cycles=3, packet_phits=16, crossbar_speedup=2)
    # Six ports of links and four of endpoints.
    half_bytes = 5 * (records.PORT.itemsize + made.channels * sum(each.itemsize for each in QUEUES))
    assert division(made, 0.4, large_bytes=0, block_bytes=half_bytes) == Division(2, 7 + 8 - 1 + 3)
    assert division(dataclasses.replace(made, router_cycles=4), 0.4, large_bytes=0, block_bytes=half_bytes) == Division(2, 7 + 4)
    assert division(made, 0.4, large_bytes=0, block_bytes=1) == Division(4, 1 + 8 - 1 + 3)


QUEUES = (records.INPUT, records.OUTPUT, records.WAITING)


def test_small_networks_and_routers_that_answer_at_once_are_not_divided():
    assert division(case(reference("sf5"), router_cycles=50), 1.0) == WHOLE
    assert division(case(reference("sf5")), 1.0, large_bytes=0, block_bytes=1) == WHOLE
    assert blocks_of(10, 3).tolist() == [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_busy_networks_are_divided():
    """From a load on at which enough packets are created in a window: of 180 endpoints with packets of 16 phits in 16 cycles."""
    made, divided = divided_case()
    assert divided.window == 16
    for load, found in ((0.49, WHOLE), (0.51, divided)):
        assert division(made, load, window_packets=90, block_bytes=2**14) == found


def test_random_choices_do_not_depend_on_how_long_cycles_take():
    """Progress is reported after other cycles on a faster machine; windows end at the same ones."""
    made = case(topology.build("torus", sizes=[5, 5], endpoints_per_router=2), link_cycles=3, router_cycles=10)
    divided = division(made, 0.4, large_bytes=0, block_bytes=2**13)
    assert divided.blocks > 3
    assert divided.window == 13
    at_once, in_pieces, chunks = (Run(made, 0.5, seed(), divided) for _ in range(3))
    at_once.advance(1000)
    pauses = []
    in_pieces.until(1000, pauses.append)
    assert len(pauses) > 1
    chunks.until(1000, silent, chunk=5 * divided.window)
    for one in (in_pieces, chunks):
        assert [block.tally.tolist() for block in one.blocks] == [block.tally.tolist() for block in at_once.blocks]


def test_blocks_that_need_too_many_packet_records_are_one(monkeypatch):
    """They also keep what they have sent; as a whole the network may just fit."""
    made, divided = divided_case()
    assert packet_records(made, WHOLE) < packet_records(made, divided)
    monkeypatch.setattr(records, "MAX_INDEX", packet_records(made, divided))
    assert division(made, 0.4, large_bytes=0, block_bytes=2**14) == WHOLE
    Run(made, 0.1, seed(), WHOLE)


def divided_case(routing="minimal", **settings):
    built = topology.build("jellyfish", routers=60, degree=6, endpoints_per_router=3)
    made = case(built, link_cycles=4, router_cycles=12, **settings)
    prepared = registry.load("routing", routing).prepare(Network(built, made.network.link_cycles))
    made = dataclasses.replace(made, routing=routing, prepared=prepared, channels=prepared.virtual_channels)
    return made, division(made, 0.4, large_bytes=0, block_bytes=2**14)


@contextmanager
def free_cores(count):
    """Let a run use other cores; none is lost."""
    tokens, waiting = os.pipe(), os.pipe()
    os.set_blocking(tokens[0], False)
    os.write(tokens[1], b"." * count)
    with cores.shared(tokens, waiting):
        yield waiting[1]
    os.write(tokens[1], b"!")
    assert os.read(tokens[0], 1000) == b"." * count + b"!"
    for end in (*tokens, *waiting):
        os.close(end)


def test_threads_leave_cores_to_tasks_that_wait():
    with free_cores(2) as waiting:
        with cores.spare(3) as count:
            assert count == 2
        os.write(waiting, b"?")
        with cores.spare(3) as count:
            assert count == 0


@pytest.mark.parametrize("routing", ["minimal", "ugal"])
def test_results_do_not_depend_on_the_number_of_cores(routing):
    made, divided = divided_case(routing, cycles=2000, occupancy=True)
    found = []
    for count in (0, 1, 7):
        with free_cores(count):
            found.append(figures(Run(made, 0.5, seed(), divided).measure(silent)))
    assert found[0]["delivered"] > 10_000
    assert found[0] == found[1] == found[2]


def test_counters_are_taken_between_windows():
    """A window that is cut costs as much as a whole one; the last counters are those of the given cycle."""
    made, divided = divided_case()
    run = Run(made, 0.3, seed(), divided)
    run.advance(5)
    books = Books(run)
    assert books.advance(407, 100, silent) == records.FINE
    ends = 5 + np.cumsum(books.series()[:, 0])
    assert ends[-1] == run.now == 412
    assert (ends[:-1] % divided.window == 0).all()
    assert len(ends) == 412 // divided.window + 1


@pytest.mark.skipif(not AVAILABLE, reason="processes cannot be forked safely")
def test_a_forked_process_continues_a_copy():
    made, divided = divided_case(cycles=1000)
    alone, forked = (Run(made, 0.5, seed(), divided) for _ in range(2))
    for run in (alone, forked):
        run.advance(100)
    with Forks(2) as forks:
        assert list(forks.map(forked.advance, [400])) == [records.FINE]
    for run in (alone, forked):
        run.clear()
        run.advance(900)
    assert figures(forked.measures(records.FINE)) == figures(alone.measures(records.FINE))


@pytest.mark.parametrize("settings", [{}, {"input_packets": 1, "output_packets": 1}, {"arbitration": records.AGE}])
def test_every_place_credit_and_packet_is_accounted_for(settings):
    made, divided = divided_case("ugal", **settings)
    run = Run(made, 0.8, seed(), divided)
    for cycles in (1, 1, 7, divided.window, 40, 100, 301, 550):
        assert run.advance(cycles) == records.FINE
        invariants.check(run)
    assert invariants.in_mail(run) > 0


def test_a_deadlock_of_all_blocks_is_found(monkeypatch):
    monkeypatch.setitem(sys.modules, "outside.one_channel", one_channel)
    settings = {"input_packets": 1, "output_packets": 1, "channels": 1, "cycles": 50_000, "link_cycles": 4, "router_cycles": 6}
    made = case(topology.build("torus", sizes=[12], endpoints_per_router=2), **settings)
    made = dataclasses.replace(made, routing="outside.one_channel", prepared=one_channel.prepare(made.network))
    for divided in (WHOLE, Division(4, 10)):
        run = Run(made, 1.0, seed(), divided)
        assert 0 < run.measure(silent).deadlock < 50_000
        invariants.check(run)


@pytest.mark.slow
@pytest.mark.parametrize("routing", ["minimal", "ugal"])
def test_random_choices_in_another_order_give_the_same_means(routing):
    made, divided = divided_case(routing, cycles=6000)
    assert divided.blocks > 5
    assert divided.window == 16
    means = []
    for division_of_run in (WHOLE, divided):
        runs = [Run(made, 0.4, seed(number), division_of_run).measure(silent) for number in range(6)]
        means.append(np.array([(one.delivered, one.delay_sum / one.delivered) for one in runs]))
    spread = np.sqrt(sum(each.var(axis=0, ddof=1) for each in means) / 6)
    assert (abs(means[0].mean(axis=0) - means[1].mean(axis=0)) < 4 * spread).all()
    assert (spread < 0.01 * means[0].mean(axis=0)).all()
