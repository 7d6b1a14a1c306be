"""Ports that networks leave unused, and figures that are none."""

from types import SimpleNamespace

import pytest

from planner.core.executors import executor
from planner.studies import compare
from planner.studies.compare.pareto import objectives, ranking
from planner.studies.compare.settings import PORT_PHITS, SEARCH_CYCLES
from planner.studies.compare.table import smaller


def part(name, ports, rate=100, connector="QSFP28"):
    return SimpleNamespace(id=name, ports=ports, rate_gbps=rate, connector=connector)


@pytest.mark.parametrize(
    ("used", "words"),
    [
        (36, ""),
        (30, "uses 30 of 36 ports; a router part with 30 ports suffices"),
        (20, "uses 20 of 36 ports; a router part with 20 ports suffices, such as small with 24"),
    ],
)
def test_the_smallest_part_that_would_do_is_named(used, words):
    chosen = part("chosen", 36)
    parts = [chosen, part("other rate", 24, 200), part("other plug", 24, 100, "OSFP"), part("middle", 28), part("small", 24)]
    assert smaller(SimpleNamespace(figures={"ports_used": used}), chosen, parts) == words


@pytest.mark.slow
def test_ports_used_are_those_of_the_busiest_router(finished):
    used = {entry.label: entry.figures["ports_used"] for entry in finished[0].done}
    # A Dragonfly with a = 4, h = 2 and 2 endpoints: 3 local links, 2 global ones, 2 endpoints.
    assert used["dragonfly a = 4"] == 3 + 2 + 2


@pytest.mark.slow
def test_routings_of_a_comparison_get_the_same_buffers(small):
    made = compare.load(small)
    for simulation in made.simulations:
        assert simulation.section["port_phits"] == PORT_PHITS
    own = compare.load(small, ["simulation=[{input_packets = 6}, {label = 'other', port_phits = 512}]"])
    assert [simulation.section.get("port_phits") for simulation in own.simulations] == [None, 512]
    assert [simulation.section["max_cycles"] for simulation in own.simulations] == [SEARCH_CYCLES] * 2


def test_a_quick_comparison_warms_up_by_its_own_delays(small):
    made = compare.load(small, ["quick=true"])
    [simulation] = made.simulations
    assert "warmup" not in simulation.section


@pytest.mark.slow
def test_a_figure_without_a_steady_state_is_none(small, tmp_path):
    """Runs of 20 cycles, in which no packet arrives."""
    setting = "simulation=[{routings = ['minimal'], loads = [0.1], warmup = 5, cycles = 5, max_cycles = 5}]"
    changes = [setting, 'families=["slimfly"]', "network=[]"]
    with executor(1) as workers:
        result = compare.run(compare.load(small, changes), tmp_path / "out", executor=workers)
    [entry] = result.done
    assert "saturation_uniform_minimal" not in entry.figures
    assert "no steady state was reached" in entry.left_out["uniform", "minimal"]
    assert ranking(result.done, objectives(result)).unranked == {"slimfly": "no saturation, uniform"}
