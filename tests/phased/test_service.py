"""Service while the crew works: networks, delays and figures of each window."""

import csv
from collections import Counter

import numpy as np
import pytest

from planner.commands.console.cli import main
from planner.core.errors import Infeasible
from planner.network.growth import during
from planner.studies import pipeline
from planner.studies.phased import phased
from planner.studies.phased.service import change_of, services, simulated
from planner.studies.study import load

pytestmark = pytest.mark.slow

STUDY = """\
name = "df"

[topology]
family = "dragonfly"
a = 4
h = 2
endpoints_per_router = 2

[[phase]]
name = "2026"
change = { "topology.groups" = 5 }
[[phase]]
name = "2028"
change = { "topology.groups" = 7 }

[growth]
cables_down = 3
alone = false

[simulation]
loads = [0.1]
cycles = 200
warmup = 200
"""

ROOM = """
[catalog]
router = "nvidia-sb7800"
endpoint = "server-half-unit"
cabinet = "apc-ar3300"

[room]
plan = "lab"

[placement]
algorithm = "anneal"
moves = 500
"""

CYCLES = "link_cycles = 10\nrouter_delay_cycles = 20\n"


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    folder = tmp_path_factory.mktemp("df")
    (folder / "study.toml").write_text(STUDY + ROOM, encoding="utf-8")
    return folder, phased(load(folder), out=folder, until="cables")


@pytest.fixture(scope="module")
def change(plans):
    return change_of(*plans[1].plans, cables_down=3)


@pytest.fixture
def network_study(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY + CYCLES, encoding="utf-8")
    return tmp_path


def test_the_change_is_that_of_the_phases(plans, change):
    [own] = plans[1].growth.steps
    assert (len(change.step.kept), len(change.step.moved)) == (len(own.kept), len(own.moved))
    assert len(change.step.moved) > 3
    assert change.windows.connected
    assert (change.windows.added >= 0).all()


def test_networks_of_the_windows(change):
    found = list(services(change))
    assert [each.name for each in found] == ["before", *map(str, range(change.windows.count + 1)), "after"]
    old = change.step.old
    for number, each in enumerate(found[1:-1]):
        same = during(change.step, change.windows, number)
        assert (each.network.links == same.links).all()
        # New nodes send nothing yet; all installed ones do.
        assert each.network.endpoint_count == old.endpoint_count
        assert each.out == (int((change.windows.moved == number).sum()) if number else 0) <= 3
        assert len(each.delay_ps) == each.network.link_count + each.network.endpoint_count
    assert sum(each.out for each in found) == len(change.step.moved)


def test_delays_are_those_of_the_cables_by_the_names_of_devices(change):
    """A link that is up has the delay of a cable between the same two devices in one of the plans."""
    known = Counter()
    names = [plan.inventory.names[plan.inventory.routers(0)] for plan in (change.old, change.new)]
    for plan, name in zip((change.old, change.new), names, strict=True):
        for link, ends in enumerate(plan.topology.links.tolist()):
            known[frozenset(name[ends].tolist()), int(plan.cables.delay_ps[link])] += 1
    assert (names[0] == names[1][: len(names[0])]).all()
    for each in list(services(change))[1:-1]:
        routers = np.flatnonzero(np.isin(np.arange(change.step.new.router_count), _there(change, each)))
        for ends, delay in zip(each.network.links.tolist(), each.delay_ps.tolist(), strict=False):
            assert known[frozenset(names[1][routers[ends]].tolist()), delay]
        links = each.network.link_count
        own = change.old.cables.delay_ps[change.step.old.link_count :]
        assert (each.delay_ps[links:] == own[: len(each.delay_ps) - links]).all()


def _there(change, each):
    from planner.network.growth import up

    return up(change.step, change.windows, int(each.name)).routers


def test_no_port_is_used_twice_in_a_window(change):
    """A new cable goes into a port only after the old one has left it."""
    place = {}
    names, others = change.old.inventory.names, change.new.inventory.names
    for link, window in zip(change.step.moved.tolist(), change.windows.moved.tolist(), strict=True):
        for device, port in zip(change.old.cables.device[link].tolist(), change.old.cables.port[link].tolist(), strict=True):
            place[names[device], port] = window
    for link, window in zip(change.row[change.step.added].tolist(), change.windows.added.tolist(), strict=True):
        for device, port in zip(change.new.cables.device[link].tolist(), change.new.cables.port[link].tolist(), strict=True):
            assert place.get((others[device], port), 0) <= window


def test_figures_of_packets_and_of_the_model(change):
    settings = {"loads": (0.1, 0.2), "cycles": 200, "warmup": 200}
    rows = list(simulated(change, settings, seed=1, numbers=[1]))
    assert [row["window"] for row in rows] == ["before", "1", "after"]
    assert all(row["accepted"][0] == pytest.approx(0.1, rel=0.2) for row in rows)
    estimates = list(simulated(change, {"loads": (0.1,)}, seed=1, numbers=[1], model=True))
    assert estimates[1]["saturation"] < estimates[0]["saturation"]
    assert estimates[0]["delay"][0] == pytest.approx(rows[0]["delay"][0], rel=0.1)
    assert rows[0]["unit"] == "ns"


def test_a_plan_without_the_routers_of_the_old_one_is_refused(plans):
    first, last = plans[1].plans
    with pytest.raises(Infeasible, match="of 28 routers are not in the new plan, such as"):
        change_of(last, first)


def test_the_command_for_phases_without_a_room(network_study, capsys):
    out = network_study / "windows.csv"
    assert main(["simulate", str(network_study), "--window", "all", "--quiet", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert [row["window"] for row in rows][:2] == ["before", "0"]
    assert rows[-1]["window"] == "after"
    assert rows[0]["unit"] == "cycles"
    assert f"{rows[1]['links']}" in said


def test_the_command_for_two_plans(plans, capsys):
    folder, found = plans
    for name in found.names:
        pipeline.run(load(folder / name), until="cables")
    both = [str(folder / "2028"), "--from", str(folder / "2026")]
    assert main(["simulate", *both, "--window", "1", "--model", "--loads", "0.1", "--quiet"]) == 0
    said = capsys.readouterr().out
    assert "estimates of the flow-level model: minimal routing, uniform traffic of the installed endpoints" in said
    assert "minimum saturation throughput while the crew works" in said


@pytest.mark.parametrize(
    ("options", "messages"),
    [
        (
            ["--window", "x", "--phase", "2027", "--from", "p"],
            ["--window: must be all", "mean 2028", "--from: is for a study without"],
        ),
        (["--window", "99"], ["--window: there is no window 99; the windows of this change are 0 to"]),
        (["--window", "3-1"], ["--window: must be all, a number or a range, not '3-1'"]),
        (["--phase", "2026"], ["nothing grows to a phase '2026'"]),
    ],
)
def test_bad_options_are_refused(network_study, options, messages, capsys):
    assert main(["simulate", str(network_study), *options, "--quiet"]) == 2
    said = capsys.readouterr().err
    assert all(message in said for message in messages)


def test_windows_need_a_change_and_no_outages(network_study, capsys):
    text = STUDY + CYCLES
    (network_study / "study.toml").write_text(text[: text.index("[[phase]]")] + "\n[simulation]\n" + CYCLES, encoding="utf-8")
    assert main(["simulate", str(network_study), "--window", "all", "--quiet"]) == 2
    assert "--window: needs a change: the study has no phases" in capsys.readouterr().err
    (network_study / "study.toml").write_text(text + "[[simulation.outages]]\nat = 5\ncables = 1\n", encoding="utf-8")
    assert main(["simulate", str(network_study), "--window", "all", "--quiet"]) == 2
