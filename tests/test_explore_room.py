"""The design space in a room: estimates against complete plans and the model itself, and tables that survive kills."""

import csv
import os
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.commands.console.cli import main
from planner.core.errors import InputError
from planner.core.executors import executor
from planner.core.executors.serial import Serial
from planner.network import topology
from planner.network.metrics import distances
from planner.simulation.fluid import throughput
from planner.studies import pipeline, study
from planner.studies.explore import hall
from planner.studies.explore.hall import Store, networks, rows, tables
from planner.studies.explore.hall.figures import COLUMNS, FITS, TOO_LARGE
from planner.studies.explore.hall.floor import Hall
from planner.studies.explore.hall.load import INTERPOLATED, loads

OPTIONS = ["--room", "lab", "--parts", "nvidia-sb7800+server-half-unit", "--cabinet", "apc-ar3300", "--quiet", "--jobs", "1"]
NETWORK = {"family": "slimfly", "q": 5, "endpoints_per_router": 3}
CATALOG = {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"}


def planned(tmp_path, wanted, **sections):
    data = {"name": "one", "topology": NETWORK, "catalog": CATALOG, "room": {"plan": "lab"}} | sections
    return pipeline.make(study.check(data, base=tmp_path), wanted)


@pytest.fixture(scope="module")
def space(tmp_path_factory):
    plan = planned(tmp_path_factory.mktemp("plan"), ["catalog", "room"])
    return hall.Space(plan.room, (plan.catalog,), (90, 110), ("slimfly", "hyperx", "leafspine"), seed=3)


def explored(space, path, workers, **options):
    return hall.run(space, path, program="test", executor=workers, **options)


@pytest.fixture(scope="module")
def everything(space, tmp_path_factory):
    return explored(space, tmp_path_factory.mktemp("all") / "explore.sqlite", Serial()).rows()


def test_configurations_fit_the_ports_and_the_demand(space, everything):
    ports = space.catalogs[0].router.ports
    assert {row["family"] for row in everything} == set(space.families)
    for row in everything:
        assert row.keys() == COLUMNS.keys()
        assert 90 <= row["endpoints"] <= 110
        assert row["radix"] <= ports
        if row["family"] != "leafspine":
            assert row["radix"] + row["endpoints_per_router"] <= ports
    named = [(row["family"], row["parameters"], row["endpoints_per_router"]) for row in everything]
    assert len(set(named)) == len(named)


COMPARED = Path(__file__).parents[1] / "reports" / "compare-5000"


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """The hall, the networks and the complete plans of the gallery's comparison."""
    parts = {"router": "nvidia-qm8700", "endpoint": "server-half-unit-200g", "cabinet": "hpe-10648-g2"}
    plan = planned(tmp_path_factory.mktemp("hall"), ["catalog", "room"], catalog=parts, room={"plan": "hall-a"})
    networks = tomllib.loads((COMPARED / "comparison.toml").read_text())["network"]
    plans = csv.DictReader((COMPARED / "compare-5000.csv").read_text(encoding="utf-8").splitlines())
    return (
        Hall(plan.room, plan.catalog),
        {each["label"]: each["topology"] for each in networks},
        {row["network"]: row for row in plans},
    )


@pytest.mark.parametrize("label", ["PS-Pal", "BF", "HX", "DF", "MF", "FT"])
def test_the_floor_agrees_with_a_complete_plan(compared, label):
    """No search shortens cables: cost and power may be somewhat higher than those of the plan, never much lower."""
    hall, networks, plans = compared
    network = topology.build(**networks[label])
    found = hall.floor(network, int(network.endpoints_of.max()))
    whole = {name: float(plans[label][name]) for name in ("cost_cents", "power_mw", "run_mm", "cabinets")}
    assert 1 <= found.cabinets / whole["cabinets"] < 1.15
    assert 0.99 < found.cost_cents / whole["cost_cents"] < 1.06
    assert 0.99 < found.power_mw / whole["power_mw"] < 1.11
    assert 1 < (found.links.run_mm + found.ends.run_mm) / whole["run_mm"] < 1.32
    assert (found.links.cables, found.ends.cables) == (network.link_count, network.endpoint_count)


def test_a_network_that_the_room_cannot_hold(space):
    large = replace(space, endpoints=(3_500, 4_500), families=("hyperx",))
    found = [row for network in networks(large)[:3] for row in rows(large, network)]
    assert found
    assert {row["status"] for row in found} == {TOO_LARGE}
    assert all(row["cabinets"] > space.room.slot_count and row["cost_cents"] is None for row in found)


@pytest.mark.parametrize(
    ("family", "parameters", "numbers"),
    [
        ("slimfly", {"q": 5}, (2, 3, 4, 5)),
        ("hyperx", {"sizes": (4, 4)}, (2, 3, 4)),
        ("dragonfly", {"a": 4, "h": 2}, (1, 2, 3)),
        ("torus", {"sizes": (4, 4)}, (1, 2, 3)),
    ],
)
def test_interpolated_throughput_is_that_of_the_model(family, parameters, numbers):
    found = loads(topology.build(family, **parameters), np.arange(topology.build(family, **parameters).router_count), numbers, 1)
    for each in numbers:
        own = throughput(topology.build(family, **parameters, endpoints_per_router=each), seed=1)
        assert found[each].saturation == pytest.approx(own.saturation, rel=INTERPOLATED)
        assert found[each].low <= own.saturation <= found[each].high
    assert found[numbers[-1]].saturation == throughput(
        topology.build(family, **parameters, endpoints_per_router=numbers[-1]), seed=1
    ).saturation  # fmt: skip


def test_networks_outside_the_model_are_named(monkeypatch):
    network = topology.build("torus", sizes=(4, 4))
    monkeypatch.setattr("planner.studies.explore.hall.load.MAX_WORK", 100)
    found = loads(network, np.arange(16), [1, 2], 1)
    assert np.isnan(found[1].saturation)
    assert found[2].advice.startswith("simulate: ")


def test_latency_of_one_cabinet_is_counted_by_hand(space, everything):
    """Hops and router delays are exact; what remains are cables, at most 20 m with plugs each."""
    row = next(row for row in everything if row["family"] == "slimfly")
    q = int(row["parameters"].removeprefix("q = "))
    mean = distances(topology.build("slimfly", q=q)).endpoint_mean
    routers_ps = (mean + 1) * space.catalogs[0].router.delay_ps
    assert 0 < row["latency_ps"] - routers_ps < (mean + 2) * 110_000


@given(st.lists(st.tuples(*[st.integers(1, 5)] * 4), max_size=30))
def test_the_front_holds_what_nothing_dominates(values):
    found = [
        dict(zip(tables.OBJECTIVES, (*value[:3], -value[3]), strict=True)) | {"status": FITS, "model_advice": ""}
        for value in values
    ]
    expected = {
        number
        for number, own in enumerate(values)
        if not any(other != own and all(a <= b for a, b in zip(other, own, strict=True)) for other in values)
    }
    assert set(tables.front(found).tolist()) == expected


@pytest.mark.slow
def test_an_interrupt_keeps_what_is_done_and_the_table_continues(space, everything, tmp_path):
    class Interrupted:
        def each(self, function, tasks):
            found = Serial().each(function, tasks)
            yield next(found)
            yield next(found)
            raise KeyboardInterrupt

    path = tmp_path / "explore.sqlite"
    first = explored(space, path, Interrupted())
    assert not first.complete
    second = explored(space, path, Serial())
    assert (second.reused, second.complete) == (2, True)
    assert second.rows() == everything


def test_a_table_of_another_exploration_is_refused(space, tmp_path):
    path = tmp_path / "explore.sqlite"
    Store(path, "another").__exit__()
    with pytest.raises(InputError, match="another exploration"):
        explored(space, path, Serial())
    path.write_text("no table")
    with pytest.raises(InputError, match="no table of planner explore"):
        explored(space, path, Serial())
    assert explored(replace(space, families=("slimfly",)), path, Serial(), fresh=True).complete


@pytest.mark.slow
@pytest.mark.parametrize("cluster", [None, pytest.param("local", marks=pytest.mark.nightly)])
def test_processes_and_a_dask_cluster_give_the_same_bytes(space, everything, tmp_path, cluster):
    if cluster:
        pytest.importorskip("distributed")
    with executor(2, cluster) as workers:
        found = explored(space, tmp_path / "explore.sqlite", workers).rows()
    tables.write(everything, tmp_path / "one.csv")
    tables.write(found, tmp_path / "two.csv")
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


@pytest.mark.nightly
def test_after_kill_the_command_continues_to_the_same_bytes(tmp_path):
    options = [*OPTIONS, "--endpoints", "60-160", "--family", "hyperx,slimfly,dragonfly", "--csv"]
    assert main(["explore", *options, str(tmp_path / "undisturbed.csv"), "--out", str(tmp_path / "undisturbed.sqlite")]) == 0
    path, table = tmp_path / "killed.sqlite", tmp_path / "killed.csv"
    command = [*options, str(table), "--out", str(path)]
    driver = subprocess.Popen([sys.executable, "-m", "planner", "explore", *command], start_new_session=True)
    deadline = time.monotonic() + 300
    while not path.is_file() or not stored(path):
        assert driver.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(driver.pid, signal.SIGKILL)
    driver.wait()
    assert not table.exists()
    assert main(["explore", *command]) == 0
    assert table.read_bytes() == (tmp_path / "undisturbed.csv").read_bytes()


def stored(path):
    try:
        with Store(path) as store:
            return store.numbers()
    except InputError:
        return set()


def test_the_command_writes_and_prints(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = [*OPTIONS, "--endpoints", "100", "--family", "slimfly,hyperx"]
    assert main(["explore", *options, "--csv", "all.csv"]) == 0
    printed = capsys.readouterr().out
    found = list(csv.DictReader((tmp_path / "all.csv").read_text(encoding="utf-8").splitlines()))
    front = [row for row in found if row["front"] == "yes"]
    assert f"{len(found)} configurations" in printed
    assert len(printed.splitlines()) == 2 + len(front)
    assert all(float(row["model_throughput_low"]) <= float(row["model_throughput"]) for row in found)
    assert main(["explore", *options, "--csv", "all.parquet"]) == 0


def test_all_problems_of_the_options_are_reported_together(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = ["--room", "lab", "--parts", "nvidia-sb7800,none+server-half-unit", "--cabinet", "apc-ar3300", "--family", "slimfy"]
    assert main(["explore", *wrong, "--min-oversubscription", "3", "--seed", "-1"]) == 2
    printed = capsys.readouterr().err
    for part in ("--endpoints", "--family", "--seed", "--oversubscription", "is no pair", "none"):
        assert part in printed
    assert not list(tmp_path.iterdir())
