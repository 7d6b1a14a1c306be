"""The public entry: what it refuses, and that its result depends on its arguments alone."""

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from shared.networks import network, reference, ring, run

from planner.core import registry
from planner.core.errors import InputError, PlannerWarning
from planner.core.executors.serial import Serial
from planner.core.section import read
from planner.network.topology import build
from planner.simulation import RouterSettings, embed, simulate
from planner.simulation.measures import jain, percentile
from planner.studies.stages import SECTIONS


def test_delays_are_rounded_up_to_cycles():
    """A phit of 64 bytes takes 1280 ps at 400 Gb/s: 2, 3 and 4 cycles for the cables and 2 for a router."""
    result = simulate(
        network([(0, 1)], [0, 1]), np.array([2 * 1280 + 1, 1281, 4 * 1280]), router_delay_ps=2 * 1280, rate_gbps=400, seed=1,
        loads=(0.001,), warmup=0, cycles=100_000,
    )  # fmt: skip
    assert result.cycle_ps == 1280
    assert result.delay_mean[0] == result.delay_p99[0] == result.delay_max[0] == 3 + 2 + 2 + 2 + 4 + 15


@pytest.mark.slow
def test_measures_belong_together():
    result = run(reference("sf5"), loads=(0.2, 0.6), cycles=3000, preset="caminos")
    assert result.hop_histogram.sum(axis=1).tolist() == result.delivered.tolist()
    np.testing.assert_allclose(result.hop_histogram @ np.arange(3) / result.delivered, result.mean_hops)
    np.testing.assert_allclose(result.accepted, result.delivered * 16 / 3000 / 200)
    # Link load equals delivered packets times hops, except for packets in flight at both ends.
    np.testing.assert_allclose(result.link_load.sum(axis=1), result.accepted * 200 * result.mean_hops, rtol=0.02)
    assert (result.delay_mean < result.delay_p99).all()
    assert (result.delay_p99 <= result.delay_max).all()
    assert (result.fairness > 0.9).all()
    assert not result.saturated.any()
    assert result.virtual_channels == 4
    assert result.complete


def test_saturation_is_a_result():
    result = run(ring(8, 4), loads=(0.1, 1.0), warmup=2000, cycles=5000)
    assert result.saturated.tolist() == [False, True]
    assert (result.deadlock == -1).all()


def test_link_loads_name_the_direction():
    """Of three endpoints on router 0 each sends a third of its packets over the link; the one on router 1 sends all."""
    one_direction = run(network([(0, 1)], [0, 0, 0, 1]), loads=(0.2,), cycles=50_000)
    forward, backward = one_direction.link_load[0]
    assert forward == pytest.approx(3 * 0.2 / 3, rel=0.1)
    assert backward == pytest.approx(0.2, rel=0.1)
    star = run(network([(0, 2), (1, 2)], [0, 1]), loads=(0.2,), cycles=50_000)
    np.testing.assert_allclose(star.link_load[0], 0.2, rtol=0.1)


@pytest.mark.slow
def test_degenerate_networks():
    assert run(network([], [0, 0, 0])).mean_hops[0] == 0
    assert run(network([(0, 1)], [1, 1])).mean_hops[0] == 0
    assert run(network([(0, 1)], [0, 1]), packet_phits=1, loads=(1.0,)).accepted[0] == pytest.approx(1, abs=0.02)


@pytest.mark.slow
def test_an_executor_changes_nothing():
    settings = {"loads": (0.2, 0.5, 0.8), "seed": 7}
    seen = []
    alone = run(reference("sf5"), progress=lambda stage, done, total, **facts: seen.append((stage, done, total)), **settings)
    assert seen[-1] == ("simulation", 3000, 3000)
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert run(reference("sf5"), executor=executor, **settings).fingerprint == alone.fingerprint
    assert run(reference("sf5"), **(settings | {"seed": 8})).fingerprint != alone.fingerprint


@pytest.mark.slow
def test_a_load_keeps_its_stream_when_loads_are_added():
    one, two = run(ring(5, 2), loads=(0.3,)), run(ring(5, 2), loads=(0.3, 0.5))
    assert two.delay_mean[0] == one.delay_mean[0]


@pytest.mark.slow
def test_uncompiled_code_gives_the_same_numbers():
    script = (
        "import numpy as np; from shared.networks import ring, run;"
        "print(run(ring(4, 2), delay_ps=5000, loads=(0.7,), warmup=50, cycles=250).fingerprint)"
    )
    folder = Path(__file__).parents[1]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{folder}{os.pathsep}{folder.parent}"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == run(ring(4, 2), delay_ps=5000, loads=(0.7,), warmup=50, cycles=250).fingerprint


@pytest.mark.slow
def test_interrupted_runs_keep_the_finished_loads():
    def impatient(stage, done, total, **facts):
        if done >= 1000 * finished + 500:
            raise KeyboardInterrupt

    finished = 2
    whole = run(ring(5, 2), loads=(0.1, 0.2, 0.3))
    part = run(ring(5, 2), loads=(0.1, 0.2, 0.3), progress=impatient)
    assert part.offered.tolist() == [0.1, 0.2]
    assert part.delay_mean.tolist() == whole.delay_mean[:2].tolist()
    assert not part.complete
    finished = 0
    with pytest.raises(KeyboardInterrupt):
        run(ring(5, 2), loads=(0.1, 0.2, 0.3), progress=impatient)


@pytest.mark.slow
@pytest.mark.parametrize(("ended", "kept"), [(0, 0), (1, 0), (2, 1), (3, 3), (4, 4)])
def test_the_largest_load_starts_first_on_other_processes(ended, kept):
    """Interrupted after some runs, a simulation keeps the first loads of those that ended."""

    class Interrupted(Serial):
        def each(self, function, tasks):
            started.extend(load for load, _ in tasks)
            yield from islice(super().each(function, tasks), ended)
            if ended < len(tasks):
                raise KeyboardInterrupt

    started = []
    settings = {"loads": (0.1, 0.2, 0.4, 0.3), "executor": Interrupted()}
    if not kept:
        with pytest.raises(KeyboardInterrupt):
            run(ring(5, 2), **settings)
    else:
        part, whole = run(ring(5, 2), **settings), run(ring(5, 2), loads=settings["loads"])
        assert part.offered.tolist() == whole.offered[:kept].tolist()
        assert part.delay_mean.tolist() == whole.delay_mean[:kept].tolist()
        assert part.complete == (kept == 4)
    assert started == [0.4, 0.1, 0.2, 0.3]


@pytest.mark.parametrize(
    ("topology", "settings", "words"),
    [
        (network([(0, 1)], [0, 1]), {"loads": (0.0,)}, "loads.0: must be greater than 0, not 0.0"),
        (network([(0, 1)], [0, 1]), {"loads": (0.5, 1.5)}, "loads.1: must be less than or equal to 1, not 1.5"),
        (network([(0, 1)], [0, 1]), {"loads": ()}, "loads: .* at least 1 item"),
        (ring(6), {"virtual_channels": 2}, "use at least 3"),
        (network([(0, 1), (2, 3)], [0, 3]), {}, "no path from router 0 to 2 other routers"),
        (network([(0, 1)], []), {}, "attach endpoints"),
        (network([(0, 1)], [0]), {}, "needs two endpoints"),
        (network([(0, 1)], [0, 1]), {"input_packets": 0}, "input_packets"),
        (network([(0, 1)], [0, 1]), {"output_packets": 0}, "output_packets"),
        (
            network([(0, 1)], [0, 1]),
            {"packet_phits": 0, "cycles": 0},
            "cycles: must be greater than 0, not 0\npacket_phits: must be greater than 0",
        ),
        (network([(0, 1)], [0, 1]), {"credit_cycles": -1}, "credit_cycles: must be greater than or equal to 0"),
        (network([(0, 1)], [0, 1]), {"link_cycles": 0}, "link_cycles: must be greater than 0"),
        (
            network([(0, 1)], [0, 1]),
            {"flow_control": "cut-through"},
            "flow_control: must be 'cut_through' or 'wormhole', not 'cut-through'",
        ),
        (
            network([(0, 1)], [0, 1]),
            {"arbitration": "oldest"},
            "arbitration: must be 'random', 'round_robin' or 'age', not 'oldest'",
        ),
        (network([(0, 1)], [0, 1]), {"process": "poison", "preset": "bok"}, "process: must be .*, not 'poison'\npreset: must be"),
        (network([(0, 1)], [0, 1]), {"delay_ps": -1}, "negative"),
        (network([(0, 1)], [0, 1]), {"rate_gbps": 0}, "rate_gbps"),
        (network([(0, 1)], [0, 1]), {"delay_ps": 10**13}, "longer than 1,000,000 cycles"),
        (network([(0, 1)], [0, 1]), {"routing": "minimol"}, "did you mean minimal"),
        (network([(0, 1)], [0, 1]), {"routing_parameters": {"adaptve": True}}, "did you mean adaptive"),
        (network([(0, 1)], [0, 1]), {"traffic": "os.path"}, "defines no function"),
    ],
)
def test_bad_input_is_refused_with_a_remedy(topology, settings, words):
    with pytest.raises(InputError, match=words):
        run(topology, **settings)


@pytest.mark.slow
def test_short_queues_on_long_cables_are_warned_of():
    with pytest.warns(PlannerWarning, match="36 % of the rate of the longest cable"):
        run(network([(0, 1)], [0, 1]), link_cycles=80, input_packets=4)


@pytest.mark.slow
def test_default_queues_fill_the_longest_cable():
    """One source sends all it can over a long cable and one virtual channel."""
    topology = network([(0, 1)], [0, 1])
    result = run(topology, link_cycles=300, router_delay_cycles=50, loads=(1.0,), warmup=3000, cycles=10_000)
    assert result.accepted[0] > 0.98
    with pytest.warns(PlannerWarning):
        short = run(topology, link_cycles=300, router_delay_cycles=50, loads=(1.0,), input_packets=4, warmup=3000, cycles=10_000)
    # 4 packets of 16 phits in each turn of 2 x 300 + 50 + 16 - 1 cycles.
    assert short.accepted[0] == pytest.approx(64 / 665, rel=0.02)


def test_study_section_is_checked():
    def checked_of(data):
        return read(SECTIONS["simulation"], data)

    checked = checked_of({"loads": [0.1, 0.2], "preset": "booksim"})
    assert checked["loads"] == (0.1, 0.2)
    assert checked["routing"] == "minimal"
    for wrong in ({"loads": [0]}, {"loads": []}, {"cycles": 0}, {"preset": "other"}, {"input_packets": 0}, {"sed": 1}):
        with pytest.raises(InputError):
            checked_of(wrong)


def test_elements_are_listed():
    assert "minimal" in registry.names("routing")
    assert "uniform" in registry.names("traffic")
    assert registry.summary("routing", "minimal") == (
        "Minimal routing: every hop leads nearer to the target; the virtual channel is the hop's number.",
        "adaptive=True",
    )


def test_percentile_and_fairness():
    assert percentile(np.bincount(range(1, 101)), 99) == 99
    assert np.isnan(percentile(np.zeros(4, int), 99))
    assert jain(np.array([5, 5, 5])) == 1
    assert jain(np.array([4, 0, 0, 0])) == 0.25


def test_the_buffers_of_a_port_are_split_over_its_channels():
    """Routings with one, three and six channels have the same memory, up to a packet for each channel."""
    topology = build("fattree", k=3, levels=2)
    delays = np.zeros(topology.link_count + topology.endpoint_count)
    for routing, channels in (("up_down", 1), ("minimal", 2), ("valiant", 4)):
        made = embed(topology, delays, RouterSettings(routing=routing, port_phits=1000), router_delay_ps=0, rate_gbps=400).case
        assert made.channels == channels
        assert made.input_packets == 1000 // (16 * channels)
    made = embed(topology, delays, RouterSettings(port_phits=640, preset="booksim"), router_delay_ps=0, rate_gbps=400).case
    assert (made.channels, made.input_packets, made.input_phits) == (4, 10, 160)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"port_phits": 31}, "31 phits are less than one packet of 16 phits per virtual channel.*at least 32"),
        ({"port_phits": 640, "input_packets": 4}, "port_phits.*conflicts with the size of each queue"),
    ],
)
def test_wrong_buffers_of_a_port_are_refused(settings, words):
    with pytest.raises(InputError, match=words):
        run(ring(4, 1), **settings)


def test_small_buffers_of_a_port_are_warned_of_as_a_whole():
    with pytest.warns(PlannerWarning, match="input queues of 64 phits limit all virtual channels to"):
        run(ring(4, 1), port_phits=64, link_cycles=100)


@pytest.mark.slow
def test_a_run_shorter_than_its_delays_is_in_no_steady_state():
    """Cables of 500 cycles: nothing has arrived when measuring begins."""
    topology = ring(6, 2)
    short, long = (run(topology, loads=(0.3,), link_cycles=500, warmup=warmup, cycles=800) for warmup in (200, 8000))
    assert short.settled.tolist() == [False]
    assert long.settled.tolist() == [True]


def test_no_saturation_without_a_filled_network():
    with pytest.warns(PlannerWarning, match="no saturation throughput.*larger max_cycles"):
        result = run(ring(6, 2), loads=(0.3,), link_cycles=500, warmup=50, cycles=50, max_cycles=100, saturation=True)
    assert (result.saturation_low, result.saturation_high, result.saturation_throughput) == (None, None, None)
