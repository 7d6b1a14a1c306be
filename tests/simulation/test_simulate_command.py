"""The command planner simulate: output, and messages for input that cannot be simulated."""

import csv

import pytest

from planner.commands.console.cli import main
from planner.domain import stored
from planner.simulation.curve import COLUMNS
from planner.studies import folder

NETWORK = """
name = "net"
[topology]
family = "slimfly"
q = 5
endpoints_per_router = 4
[simulation]
preset = "caminos"
loads = [0.2, 0.5]
cycles = 800
warmup = 400
"""


@pytest.fixture
def study(tmp_path):
    def written(*changes, text=NETWORK):
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "study.toml"
        path.write_text(text)
        return str(path)

    return written


@pytest.mark.slow
def test_a_network_study_is_simulated_without_a_floor(study, capsys, tmp_path):
    shorter = study(("warmup = 400", "warmup = 400\nmax_cycles = 4000"))
    assert main(["simulate", shorter, "--quiet", "--links", "3", "--saturation", "--out", str(tmp_path / "points.csv")]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].endswith("4 virtual channels; delays in cycles")
    assert [line.split()[0] for line in printed[2:4]] == ["0.2000", "0.5000"]
    assert any(line.startswith("upper bound of the accepted load: 0.957") for line in printed)
    found = next(line for line in printed if line.startswith("saturates between"))
    low, high = (float(found.split()[place].strip(";")) for place in (2, 4))
    # Long runs carry 0.803; so few cycles leave an interval of three percent.
    assert low < 0.803 < high < 1.04 * low
    assert any(line.startswith("deadlock-free") for line in printed)
    place = printed.index("busiest links at offered load 0.5, phits per cycle:")
    loads = [float(line.split()[0]) for line in printed[place + 1 :]]
    assert len(loads) == 3
    assert loads == sorted(loads, reverse=True)
    with (tmp_path / "points.csv").open() as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == COLUMNS
    assert [row[2] for row in rows] == ["0.2", "0.5"]
    assert f"{float(rows[0][4]):.4f}" == printed[2].split()[1]
    assert {path.name for path in tmp_path.iterdir()} == {"study.toml", "points.csv"}


@pytest.mark.slow
def test_the_command_line_changes_the_study(study, capsys):
    changed = ["--loads", "0.1", "--routing", "valiant", "--traffic", "permutation", "--cycles", "300", "--quiet"]
    assert (
        main(["simulate", study(("preset", "routing = 'minimal'\nrouting_parameters = {adaptive = false}\npreset")), *changed])
        == 0
    )
    printed = capsys.readouterr().out
    assert printed.startswith("valiant routing, permutation traffic")
    assert "0.1000" in printed


@pytest.mark.slow
def test_a_finished_plan_is_used_and_left_alone(tmp_path, capsys):
    assert main(["new", str(tmp_path / "lab")]) == 0
    quick = ["--set", "simulation.loads=[0.2]", "--set", "simulation.cycles=300", "--set", 'report.formats=["csv"]', "--quiet"]
    assert main(["run", str(tmp_path / "lab"), *quick]) == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "lab").iterdir()}
    capsys.readouterr()
    seen = []
    original = folder.ReadOnlyFolder.find

    def find(self, name, stage, key):
        found = original(self, name, stage, key)
        seen.append((name, found is not None))
        return found

    folder.ReadOnlyFolder.find = find
    try:
        assert main(["simulate", str(tmp_path / "lab"), "--loads", "0.3", "--cycles", "300", "--quiet", "--jobs", "1"]) == 0
    finally:
        folder.ReadOnlyFolder.find = original
    assert dict(seen) == {"topology": True, "inventory": True, "placement": True, "cables": True, "simulation": False}
    assert {path.name: path.read_bytes() for path in (tmp_path / "lab").iterdir()} == before
    # The busiest links are named by the labels of their cables.
    cables = stored.restore(tmp_path / "lab").cables
    named = [line.split("  ")[-1].split(" – ") for line in capsys.readouterr().out.splitlines() if " – " in line]
    assert len(named) == 5
    assert {tuple(pair) for pair in named} <= set(zip(cables.label_a.tolist(), cables.label_b.tolist(), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([("[0.2, 0.5]", "[0.0]")], "simulation.loads.0: must be greater than 0, not 0.0"),
        ([("[0.2, 0.5]", "[0.2, 1.1]")], "simulation.loads.1: must be less than or equal to 1, not 1.1"),
        ([("cycles = 800", "input_packets = 0")], "simulation.input_packets: must be greater than 0"),
        ([("cycles = 800", "output_packets = 0")], "simulation.output_packets: must be greater than 0"),
        ([("cycles = 800", "virtual_channels = 1")], "1 are too few for minimal routing without deadlock; use at least 2"),
        ([("cycles = 800", "virtual_channels = 0")], "simulation.virtual_channels: must be greater than 0"),
        ([("cycles = 800", 'routing = "up_down"')], "hpn and megafly, not slimfly; use minimal"),
        ([("cycles = 800", 'routing = "ugly"')], "simulation.routing: there is no routing 'ugly'; did you mean ugal?"),
        ([("cycles = 800", 'traffic = "hotspot"')], "simulation.traffic: there is no traffic 'hotspot'; did you mean hot_spot?"),
        ([("cycles = 800", 'traffic = "matrix"\ntraffic_parameters = {file = "no.csv"}')], "no.csv: cannot be read"),
        ([("endpoints_per_router = 4", "endpoints_per_router = 0")], "attach endpoints"),
        ([('"slimfly"\nq = 5', '"file"\npath = "two.edges"')], "is not connected: 2 cannot reach 0; there are 2 components"),
        ([('preset = "caminos"', "")], "simulation.link_cycles: the cable delay is undefined without catalog and room"),
        ([("cycles = 800", "outages = [{link_share = 1.0}]")], "no path from router"),
        ([("cycles = 800", "outages = [{router_share = 1.0}]")], "fewer than two endpoints are left"),
        ([("cycles = 800", "outages = [{share = 0.1}]")], "simulation.outages.0.share"),
    ],
)  # fmt: skip
def test_what_cannot_be_simulated_is_refused_in_words(study, tmp_path, capsys, changes, words):
    (tmp_path / "two.edges").write_text("0 1\n2 3\n")
    path = study(*changes)
    assert main(["simulate", path, "--quiet"]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert "Traceback" not in error
    assert all(line.startswith("planner: error: ") for line in error.splitlines())


def test_all_faults_are_named_at_once_with_their_lines(study, capsys):
    path = study(("[0.2, 0.5]", "[0.0]"), ("cycles = 800", 'routing = "ugly"\ntraffic = "hotspot"'))
    assert main(["simulate", path]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert [line.split(":")[3] for line in lines] == ["10", "11", "9"]


def test_the_model_needs_no_packets(study, capsys, monkeypatch):
    """Nothing is simulated, and every line of numbers belongs to an estimate named as one."""
    monkeypatch.setattr("planner.simulation.simulate", None)
    assert main(["simulate", study(), "--model", "--loads", "0.2,0.95", "--quiet"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("flow-level model, no packets: minimal routing, uniform traffic")
    assert "by the errors measured" in printed[1]
    assert printed[-2].split()[0] == "0.2000"
    assert float(printed[-2].split()[1]) > 0
    assert printed[-1].split() == ["0.9500", "–", "–", "–", "saturated"]


def test_the_model_refuses_other_routings(study, capsys):
    assert main(["simulate", study(), "--model", "--routing", "ecmp", "--quiet"]) == 2
    assert "simulate packets" in capsys.readouterr().err
