"""Input that crashed: each case stands for its kind, and gives one message or a result."""

import json
import shutil
from pathlib import Path

import pytest
from shared.small_study import SMALL

from planner.commands.console.cli import main
from planner.core.errors import InputError
from planner.domain.catalog.device_types import import_device_type
from planner.domain.parts import KINDS
from planner.studies import pipeline

SWITCHES = """
name = "switches"
[catalog]
cabinet = "apc-ar3100"
[room]
plan = "lab"
[[cabinets]]
name = "r1"
count = 2
[[network]]
name = "core"
topology = { family = "leafspine", leaves = 2, spines = 2, uplinks = 2, endpoints_per_leaf = 4 }
parts = { leaf = "nvidia-sb7800", spine = "nvidia-sb7800" }
place = { leaf = "r1", spine = "r1" }
[report]
formats = ["csv", "html", "labels_csv", "netbox", "xlsx"]
"""

POD = """
name = "pod"
[catalog]
cabinet = "hpe-10648-g2"
allow_estimates = true
[room]
plan = "hall-a"
[[node]]
name = "dgx"
part = "dgx-h100"
count = 4
per_cabinet = 4
[[cabinets]]
name = "switches"
count = 2
[[network]]
name = "compute"
topology = { family = "leafspine", leaves = 8, spines = 4, uplinks = 4, leaves_per_unit = 8 }
parts = { leaf = "nvidia-qm9700", spine = "nvidia-qm970" }
place = { leaf = "switches", spine = "switches" }
attach = [{ node = "dgx", ports = "compute", rule = "fill" }]
[[network]]
name = "oob"
topology = { family = "leaves", leaves = 2, endpoints_per_leaf = 48 }
parts = { leaf = "nvidia-sn2201" }
place = { leaf = "switches" }
attach = [{ node = "dgx", ports = "mgmt", rule = "near" }, { routers = ["compute"], rule = "near" }]
"""


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    (folder / "study.toml").write_text(SMALL)
    pipeline.run(folder)
    return folder


@pytest.fixture
def plan(small, tmp_path):
    return Path(shutil.copytree(small, tmp_path / "plan"))


def complaints(capsys) -> list[str]:
    return capsys.readouterr().err.splitlines()


@pytest.mark.slow
def test_a_network_of_switches_alone_is_planned_and_checked(tmp_path):
    (tmp_path / "study.toml").write_text(SWITCHES)
    assert main(["run", str(tmp_path), "--quiet"]) == 0
    assert main(["check", str(tmp_path), "--quiet"]) == 0


def test_an_unknown_part_of_a_network_whose_routers_another_attaches(tmp_path, capsys):
    (tmp_path / "study.toml").write_text(POD)
    assert main(["run", str(tmp_path), "--quiet"]) == 2
    (line,) = complaints(capsys)
    assert "network.0.parts.spine: there is no router 'nvidia-qm970'; did you mean nvidia-qm9790?" in line


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_every_kind_are_listed(kind, capsys):
    assert main(["list", kind]) == 0
    assert main(["list", kind, "--json"]) == 0


@pytest.mark.parametrize("length", ["99999999999999999999999", "-5", "1e3", "5.5", "nan", "²", "", "0x10", "1_000"])
def test_lengths_of_a_kept_schedule_are_bounded(small, tmp_path, capsys, length):
    lines = (small / "small.csv").read_text().splitlines()
    place = lines[0].split(",").index("stock_mm")
    cells = lines[1].split(",")
    cells[place] = length
    (tmp_path / "old.csv").write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]))
    (tmp_path / "study.toml").write_text(f'{SMALL}[keep]\nplan = "old.csv"\n')
    assert main(["run", str(tmp_path), "--quiet"]) == 2
    (line,) = complaints(capsys)
    assert f"old.csv:2: keep.plan: column stock_mm: '{length}' is not a whole number from 0 to 100,000,000" in line


DEVICE = "manufacturer: NVIDIA\nmodel: X\nslug: nvidia-x\nu_height: 1\ninterfaces:\n  - {name: a, type: infiniband-hdr}\n"


@pytest.mark.parametrize(
    "text",
    [
        "a: !!int ''", "!!timestamp x", "!!float x", "!!int 0x", "!!int 1:", "!!bool x", "!!binary x", "!!python/name:os.system",
        "!!set {a, b}", "? [a, b]\n: c", "? {a: b}\n: c", "!!omap [a]", "!!pairs [a]", "a: !!null x",
        "a: " + "9" * 5000, DEVICE + "weight: " + "9" * 4000,
        DEVICE + "power-ports:\n  - {name: p, maximum_draw: 0x" + "f" * 9000 + "}",
        DEVICE + "u_height: .nan", DEVICE + "u_height: .inf", DEVICE + "weight: -.inf", DEVICE + "1: 2", DEVICE + "~: 2",
        DEVICE + "part_number: \"a\\u202eb\"", "a: 2026-02-31", "a: 2026-01-01T99:99:99",
    ],
)  # fmt: skip
def test_values_of_yaml_that_do_not_fit_their_tags(tmp_path, text):
    (tmp_path / "device.yaml").write_text(text)
    with pytest.raises(InputError) as error:
        import_device_type(tmp_path / "device.yaml", tmp_path / "out.toml", like="nvidia-qm8700")
    assert all(problem.file for problem in error.value.problems)
    assert str(error.value)
    assert not (tmp_path / "out.toml").exists()


def edited(plan: Path, **changes) -> None:
    file = plan / "provenance.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


@pytest.mark.parametrize("version", ["0.2.1", "0.3", "1.0.0rc1", "99"])
@pytest.mark.parametrize("command", ["check", "report", "diff", "verify", "serve"])
def test_a_plan_of_a_later_version_is_refused_in_one_sentence(plan, small, capsys, command, version):
    edited(plan, planner=version, source="other")
    # Its records need not be readable at all.
    (plan / "cables.npz").write_bytes(b"new kind of record")
    words = {"diff": [str(small)], "verify": [str(plan / "study.toml")], "serve": ["--port", "1"]}
    assert main([command, str(plan), *words.get(command, [])]) == 2
    (line,) = complaints(capsys)
    assert f"written by Planner {version}" in line
    assert "install that version, or run the study again" in line


def test_unreadable_records_of_an_earlier_version_are_named(plan, capsys):
    edited(plan, planner="0.0.9", source="other")
    damaged = ("cables", "placement", "bill")
    for name in damaged:
        (plan / f"{name}.npz").write_bytes(b"no record")
    assert main(["report", str(plan)]) == 2
    assert sorted(Path(line.split(": ")[2]).stem for line in complaints(capsys)) == sorted(damaged)


@pytest.mark.parametrize("section", ["cabling", "work", "topology", "bill", "room"])
@pytest.mark.parametrize("command", ["check", "report", "verify"])
def test_a_stored_study_without_a_section_is_no_crash(plan, capsys, section, command):
    content = json.loads((plan / "provenance.json").read_text())
    del content["study"][section]
    (plan / "provenance.json").write_text(json.dumps(content))
    code = main([command, str(plan), *([str(plan / "study.toml")] if command == "verify" else [])])
    assert code in (0, 1, 2)
