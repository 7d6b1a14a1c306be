"""The command `diff`: exit codes, bad input, what is printed."""

from __future__ import annotations

import json
import random

import pytest
from shared.damaged_files import damaged
from shared.small_plans import make_plan

from planner import formats
from planner.commands.console import cli

COLUMNS = "cable,a_cabinet,a_unit,a_device,a_port,b_cabinet,b_unit,b_device,b_port,part,stock_mm,run_mm,trays"


def schedule(path, *rows):
    path.write_text("\n".join((COLUMNS, *rows)) + "\n")
    return str(path)


@pytest.fixture
def old(tmp_path):
    return schedule(tmp_path / "old.csv", "1,A01,1,R1,1,A01,2,R2,1,dac,1000,900,", "2,A01,1,R1,2,A01,3,R3,1,dac,1000,900,")


@pytest.fixture
def new(tmp_path):
    return schedule(tmp_path / "new.csv", "1,A01,1,R1,1,A01,2,R2,1,dac,1000,900,", "2,A01,1,R1,3,A01,3,R3,1,dac,1000,900,")


def test_exit_codes(old, new, tmp_path, capsys):
    assert cli.main(["diff", old, old]) == 0
    assert cli.main(["diff", old, new]) == 1
    assert not capsys.readouterr().err
    assert cli.main(["diff", old, str(tmp_path / "nowhere.csv")]) == 2
    assert "nowhere.csv" in capsys.readouterr().err


def test_json_is_printed_alone(old, new, capsys):
    assert cli.main(["diff", old, new, "--json"]) == 1
    content = json.loads(capsys.readouterr().out)
    assert (content["cables"]["replugged"], content["cables"]["kept"], content["devices"]["kept"]) == (1, 1, 3)


def test_files_are_written_and_named(old, new, tmp_path, capsys):
    assert cli.main(["diff", old, new, "--out", str(tmp_path / "out"), "--quiet"]) == 1
    printed = capsys.readouterr().out
    files = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert files == ["difference.html", "difference.json", "difference.pdf", "difference.xlsx"]
    assert all(name in printed for name in files)
    assert "re-plugged" in printed


def test_the_problems_of_both_plans_are_reported_together(tmp_path, capsys):
    one = schedule(tmp_path / "one.csv", "1,A01,x,R1,1,A01,2,R2,1,dac,1000,900,")
    other = schedule(tmp_path / "other.csv", *(f"{n},A01,1,R1,1,A01,2,R{n},1,dac,1000,900," for n in (2, 3)))
    assert cli.main(["diff", one, other, "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert "one.csv" in error
    assert "R1 port 1 is used by cable 2 and cable 3" in error
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_edited_plans_are_not_compared(tmp_path, capsys):
    text = """
    name = "ring"
    [topology]
    family = "torus"
    sizes = [4]
    [catalog]
    router = "nvidia-sb7800"
    endpoint = "server-half-unit"
    cabinet = "apc-ar3300"
    [room]
    plan = "lab"
    [report]
    formats = []
    """
    study = tmp_path / "ring.toml"
    study.write_text(text)
    folders = [tmp_path / name for name in ("a", "b")]
    for folder, end_mm in zip(folders, (300, 900), strict=True):
        assert cli.main(["run", str(study), "--set", f"cabling.slack.end_mm={end_mm}", "--out", str(folder), "--quiet"]) == 0
    one, other = map(str, folders)
    assert cli.main(["diff", one, one, "--quiet"]) == 0
    assert cli.main(["diff", one, other, "--quiet"]) == 1
    capsys.readouterr()
    # The cables of another run: refused as edited, whichever version wrote the plan.
    (folders[0] / "cables.npz").write_bytes((folders[1] / "cables.npz").read_bytes())
    assert cli.main(["diff", one, other, "--quiet"]) == 2
    assert "cables.npz" in capsys.readouterr().err
    origin = folders[0] / "provenance.json"
    content = json.loads(origin.read_text())
    origin.write_text(json.dumps(content | {"planner": "0.0.1"}))
    assert cli.main(["diff", one, other, "--quiet"]) == 2
    assert "cables.npz: has fingerprint" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_damaged_schedules_are_refused_or_compared(seed, tmp_path, capsys):
    plan = make_plan(q=3, endpoints_per_router=1, simulate=False)
    good = formats.write(plan, tmp_path, "csv")
    bad = tmp_path / "bad.csv"
    bad.write_bytes(damaged(good.read_bytes(), [good.read_bytes()], random.Random(seed)))
    code = cli.main(["diff", str(good), str(bad), "--quiet"])
    assert code in (0, 1, 2)
    assert "Traceback" not in capsys.readouterr().err
