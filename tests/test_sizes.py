"""Counts, lists and rooms that are too large for any run are refused by the study's check, before anything runs."""

import numpy as np
import pytest

from planner.commands.new import TEMPLATE
from planner.core.errors import InputError, PlannerWarning
from planner.hall import floor
from planner.network import topology
from planner.simulation import simulate
from planner.studies import pipeline, study
from planner.studies.explore import explore

ROOM = """
title = "Too many rows"
source = "made for a test"
confidence = "D"
tile_mm = 600
outline_mm = [[0, 0], [9000000, 0], [9000000, 9000000], [0, 9000000]]
"""

ROW = '[[row]]\nname = "{name}"\nfirst_mm = [2000, {y}]\ncount = 10_000\nfacing = "+y"\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "study.toml").write_text(TEMPLATE.format(name="sizes"))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ("failures.starts=9223372036854775807", "failures.starts: must be less than or equal to 1000"),
        ("failures.worst=9223372036854775807", "failures.worst: must be less than or equal to 100000"),
        ("placement.moves=9223372036854775807", "placement.moves: must be less than or equal to 2000000000"),
        ("simulation.cycles=9223372036854775807", "simulation.cycles: must be less than 268435456"),
        ("simulation.warmup=9223372036854775807", "simulation.warmup: must be less than 268435456"),
        ("simulation.loads=[" + "0.5," * 1001 + "]", "simulation.loads: Tuple should have at most 1000 items"),
        ("topology.endpoints_per_router=2000000000", "topology.endpoints_per_router: must be less than or equal to 10000"),
    ],
)
def test_counts_and_lists(folder, change, shown):
    with pytest.raises(InputError) as error:
        study.load(folder, [change])
    assert shown in str(error.value)


@pytest.mark.nightly
def test_a_million_loads(folder):
    text = (folder / "study.toml").read_text()
    (folder / "study.toml").write_text(text.replace("loads = [0.1,", "loads = [" + "0.1, " * 1_000_000))
    with pytest.raises(InputError, match="at most 1000 items"):
        study.load(folder)


def test_a_grid_of_ten_million_cabinets():
    with pytest.raises(
        InputError, match="cabinets: 10,000,000 slots would take about 1,500 s and 30 GB; a room has at most 100,000"
    ):
        floor.room("spectralfly", routers=2, cabinets=10_000_000)
    with pytest.raises(InputError, match="100,001 slots"):
        floor.room("spectralfly", routers=200_002)


def test_rows_of_a_hundred_thousand_slots_and_more(tmp_path):
    (tmp_path / "room.toml").write_text(ROOM + "".join(ROW.format(name=f"A{n}", y=2000 + 2400 * n) for n in range(11)))
    with pytest.raises(InputError, match="row: 110,000 slots would take about"):
        floor.room(str(tmp_path / "room.toml"), routers=2)


def test_a_range_of_a_billion_radixes():
    with pytest.raises(InputError, match="radix: 513 is out of range"):
        explore(range(8, 10**9))


def test_simulations_that_take_months_are_refused_with_the_estimate(folder):
    """1000 loads of 0.5 over 2 * 10^8 cycles with 200 endpoints: 1000 * 0.5 * 2e8 * 200 / 16 packets at a million per second."""
    loads = "simulation.loads=[" + "0.5," * 1000 + "]"
    chosen = study.load(folder, [loads, "simulation.warmup=0", "simulation.cycles=200000000", 'report.formats=["csv"]'])
    endpoints = topology.build(**chosen.sections["topology"]).endpoint_count
    days = 1000 * 0.5 * 2e8 * endpoints / 16 / 1e6 / 86_400
    expected = rf"1,000 loads with {endpoints} endpoints would take about {days:.3g} days of one core; the limit is 1 h"
    with pytest.raises(InputError, match=expected):
        pipeline.run(chosen, out=folder / "out")
    assert not (folder / "out").exists()


def test_an_hour_of_simulation_is_refused_unless_the_limit_is_raised():
    """2.68 * 10^8 cycles of 100 endpoints at 0.5: 8.4 * 10^8 packets."""
    chosen = topology.build("hyperx", sizes=(10,), endpoints_per_router=10)
    delays = np.zeros(chosen.link_count + chosen.endpoint_count, np.int64)
    given = {"cycles": 268_000_000, "seed": 1, "router_delay_ps": 0, "rate_gbps": 100}
    with pytest.raises(InputError, match=r"would take about 1.16 h of one core; the limit is 1 h; .* max_hours = 2"):
        simulate(chosen, delays, loads=(0.1, 0.9, 0.9, 0.6), **given)
    with pytest.raises(InputError, match="there is no routing"), pytest.warns(PlannerWarning, match="about 1.16 h of one core"):
        simulate(chosen, delays, loads=(0.1, 0.9, 0.9, 0.6), max_hours=2, routing="none", **given)
