"""The packet engine against a plain engine of the same model."""

import numpy as np
import pytest
from shared.networks import case, ring, seed
from shared.plain_engine import Plain
from shared.scripted import on_tree

from planner.kernels.packet import records
from planner.simulation.engine import Run

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("arbitration", [records.ROUND_ROBIN, records.AGE])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"input_packets": 1, "output_packets": 1},
        {"input_speedup": 1, "router_cycles": 3},
        {"packet_phits": 1, "router_cycles": 2, "credit_cycles": 4},
        {"rates": [2, 1, 0.5, 1, 2] + [1, 0.5] * 5, "packet_phits": 7, "credit_cycles": 1},
        {"rates": [2] * 5 + [1] * 10, "input_packets": 2, "input_speedup": 1, "crossbar_speedup": 2},
        {"crossbar_speedup": 3, "packet_phits": 5, "router_cycles": 1, "output_packets": 3},
    ],
)
@pytest.mark.parametrize("load", [pytest.param(0.1, marks=pytest.mark.nightly), 0.6])
def test_every_packet_has_the_same_delay_where_nothing_is_left_to_chance(monkeypatch, arbitration, settings, load):
    targets = [9, 8, 6, 0, 7, 1, 2, 3, 5, 4]
    made, path = on_tree(monkeypatch, targets, arbitration=arbitration, **settings)
    plain = Plain(made, load, seed(), path, targets.__getitem__)
    run = Run(made, load, seed())
    ours = []
    for now in range(1, 1001):
        run.advance(1)
        tally = run.engine.tally[0]
        ours.append((int(tally.delivered), int(tally.delay)))
        plain.run(now)
        assert ours[-1][0] == len(plain.delivered), now
    assert ours[-1][1] == sum(end - created for _, created, end, _ in plain.delivered)
    assert ours[-1][0] > 20
    by_source = np.bincount([source for source, *_ in plain.delivered], minlength=10)
    np.testing.assert_array_equal(run.engine.endpoint["delivered"], by_source)
    delays = np.bincount([end - created for _, created, end, _ in plain.delivered], minlength=len(run.engine.delays))
    np.testing.assert_array_equal(run.engine.delays, delays)
    np.testing.assert_array_equal(run.engine.hops, np.bincount([hops for *_, hops in plain.delivered], minlength=256))


@pytest.mark.parametrize(
    ("arbitration", "input_speedup"), [(records.RANDOM, 0), (records.RANDOM, 1), (records.AGE, 1), (records.ROUND_ROBIN, 0)]
)
def test_delays_agree_where_chance_decides(arbitration, input_speedup):
    """Uniform traffic on a ring, several virtual channels: the means of both engines over the same creations."""
    topology = ring(6, 2)
    made = case(topology, arbitration=arbitration, input_speedup=input_speedup, warmup=500, cycles=4500, router_cycles=1)
    net = made.network

    def path(router, target, hops):
        row = slice(*topology.indptr[router : router + 2])
        return [
            (p, hops) for p, near in enumerate(topology.indices[row]) if net.distance[near, target] < net.distance[router, target]
        ]

    ours, theirs = [], []
    for number in range(2):
        dice = np.random.default_rng(number)
        plain = Plain(made, 0.3, seed(number), path, lambda source, dice=dice: (source + 1 + int(dice.integers(11))) % 12, number)
        plain.run(5000)
        theirs.append(np.mean([end - created for _, created, end, _ in plain.delivered if end >= 500]))
        measures = Run(made, 0.3, seed(number)).measure(lambda now: None)
        ours.append(measures.delay_sum / measures.delivered)
    assert np.mean(ours) == pytest.approx(np.mean(theirs), rel=0.06)
