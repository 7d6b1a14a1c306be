"""Which networks are simulated where only the front counts."""

from types import SimpleNamespace

import pytest

from planner.core.executors import executor
from planner.core.executors.serial import Serial
from planner.studies import compare
from planner.studies.compare import packets
from planner.studies.compare.packets import UNKNOWN, Range, hopeless

FIGURES = {
    "A": {"cost_per_endpoint_cents": 10, "power_per_endpoint_mw": 5, "endpoint_delay_mean_ps": 7},
    "dearer": {"cost_per_endpoint_cents": 11, "power_per_endpoint_mw": 5, "endpoint_delay_mean_ps": 7},
    "cheaper": {"cost_per_endpoint_cents": 9, "power_per_endpoint_mw": 9, "endpoint_delay_mean_ps": 9},
}


def skipped(monkeypatch, ranges, figures=FIGURES, objectives=("cost", "power", "latency", "saturation")):
    monkeypatch.setattr(packets, "range_of", lambda task: ranges[task.study.title])
    comparison = SimpleNamespace(
        head=SimpleNamespace(objectives=objectives),
        simulations=[SimpleNamespace(label="uniform", routings=("minimal",), section={})],
    )
    cases = [SimpleNamespace(label=label, study=SimpleNamespace(title=label)) for label in ranges]
    return hopeless(comparison, cases, figures, "", Serial())


def test_what_another_beats_at_its_worst_is_not_simulated(monkeypatch):
    ranges = {"A": Range(0.8, 0.9), "dearer": Range(0.6, 0.8), "cheaper": Range(0.1, 0.2)}
    found = skipped(monkeypatch, ranges)
    assert found.keys() == {"dearer"}
    assert "0.60 to 0.80" in found["dearer"]
    assert "A is better" in found["dearer"]


@pytest.mark.parametrize(
    "ranges",
    [
        {"A": Range(0.79, 0.9), "dearer": Range(0.6, 0.8)},
        {"A": UNKNOWN, "dearer": Range(0.6, 0.8)},
        {"A": Range(0.8, 0.9), "dearer": UNKNOWN},
    ],
)
def test_what_may_be_on_the_front_is_simulated(monkeypatch, ranges):
    assert skipped(monkeypatch, ranges) == {}


def test_a_plan_with_violations_beats_nothing_and_unknown_objectives_decide_nothing(monkeypatch):
    ranges = {"A": Range(0.8, 0.9), "dearer": Range(0.6, 0.8)}
    assert skipped(monkeypatch, ranges, FIGURES | {"A": FIGURES["A"] | {"errors": 1}}) == {}
    assert skipped(monkeypatch, ranges, objectives=("growth", "saturation")) == {}


COMPARISON = """\
name = "two"
packets = "front"

[catalog]
router = "nvidia-sb7800"
endpoint = "server-half-unit"
cabinet = "apc-ar3300"

[room]
plan = "lab"

[placement]
algorithm = "anneal"
moves = 2000

[[simulation]]
loads = [0.1]
warmup = 200
cycles = 200
max_cycles = 2000

[[network]]
label = "hyperx"
topology = { family = "hyperx", sizes = [4, 4], endpoints_per_router = 3 }

[[network]]
label = "torus"
topology = { family = "torus", sizes = [6, 6], endpoints_per_router = 2 }
"""


@pytest.mark.slow
def test_a_comparison_states_what_it_did_not_simulate(tmp_path):
    (tmp_path / "comparison.toml").write_text(COMPARISON)
    with executor(1) as workers:
        found = compare.run(compare.load(tmp_path), tmp_path, executor=workers)
    hyperx, torus = found.entries
    assert "saturation_uniform_minimal" in hyperx.figures
    assert not hyperx.left_out
    assert "saturation_uniform_minimal" not in torus.figures
    assert torus.left_out["uniform", "minimal"].startswith("not simulated: the flow-level model expects")
    assert torus.done
