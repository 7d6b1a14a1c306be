"""Stored plans and planner check: intact, mixed, edited, moved, or with custom code."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from planner.commands.console.cli import main
from planner.commands.new import TEMPLATE
from planner.core import storage
from planner.domain.model import Bill, CablePlan, SimulationResult
from planner.studies import pipeline
from planner.studies.verification import verified

TEXT = (
    TEMPLATE.format(name="tiny")
    .replace("q = 5", "q = 3")
    .replace("[0.1, 0.3, 0.5, 0.7, 0.9]", "[0.2, 0.5]\ncycles = 500\nwarmup = 200")
    .replace('["pdf", "xlsx", "csv"]', '["csv"]')
    .replace("# [workload] ", "[workload] ")
    .replace('# jobs = [{motif = "allreduce", ranks = 128}', 'jobs = [{motif = "allreduce", ranks = 4}')
    .replace('{motif = "alltoall", ', '{motif = "alltoall", ranks = 3, ')
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished")
    (folder / "study.toml").write_text(TEXT)
    pipeline.run(folder)
    return folder


@pytest.fixture
def folder(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "plan")


def edited(folder, kind, name, **fields):
    path = folder / f"{name}.npz"
    storage.save(replace(storage.restore(kind, path), **fields), path)


def rules_broken(folder, **options):
    return {item.rule for item in verified(folder, **options).violations.items}


@pytest.mark.slow
def test_a_plan_as_it_was_made_is_clean(folder, capsys):
    assert main(["check", "--deep", "--quiet", str(folder)]) == 0
    assert "no violations" in capsys.readouterr().out


@pytest.mark.slow
def test_an_edited_record_is_refused_and_found_where_it_is_meant(folder, capsys):
    cables = storage.restore(CablePlan, folder / "cables.npz")
    labels = np.array(cables.label_a)
    labels[0] = "nobody"
    edited(folder, CablePlan, "cables", label_a=labels)
    assert main(["check", str(folder)]) == 2
    assert "--edited" in capsys.readouterr().err
    assert main(["report", str(folder), "--format", "csv"]) == 2
    assert "planner run" in capsys.readouterr().err
    assert main(["check", "--edited", str(folder)]) == 1
    assert "labels_follow_their_template" in capsys.readouterr().out


@pytest.mark.slow
def test_a_bill_that_is_too_cheap_is_found(folder):
    bill = storage.restore(Bill, folder / "bill.npz")
    lines = (replace(bill.lines[0], unit_cents=bill.lines[0].unit_cents - 1), *bill.lines[1:])
    edited(folder, Bill, "bill", lines=lines)
    assert {"bill_lines_add_up", "quantities_follow_the_records"} <= rules_broken(folder, edited=True)


@pytest.mark.slow
def test_only_a_second_run_finds_a_plausible_median(folder):
    result = storage.restore(SimulationResult, folder / "simulation.npz")
    edited(folder, SimulationResult, "simulation", delay_p50=result.delay_p50 - [1, 0])
    assert "simulation_repeats" not in rules_broken(folder, edited=True)
    assert "simulation_repeats" in rules_broken(folder, edited=True, deep=True)


@pytest.mark.slow
def test_reported_numbers_are_checked_as_they_were_written(folder):
    numbers = json.loads((folder / "quantities.json").read_text())
    numbers["cost_cents"]["value"] += 1
    (folder / "quantities.json").write_text(json.dumps(numbers))
    assert rules_broken(folder) == {"quantities_follow_the_records", "stored_violations"}
    (folder / "quantities.json").write_text("[]")
    assert main(["check", str(folder)]) == 2


@pytest.mark.slow
def test_code_that_a_stored_study_names_is_not_run(folder, capsys, monkeypatch):
    origin = json.loads((folder / "provenance.json").read_text())
    origin["study"]["topology"]["family"] = "no_such_package.family"
    (folder / "provenance.json").write_text(json.dumps(origin))
    assert main(["check", str(folder)]) == 2
    assert "--own-code" in capsys.readouterr().err
    assert main(["check", "--own-code", str(folder)]) == 2
    assert "cannot be imported" in capsys.readouterr().err


@pytest.mark.slow
def test_a_moved_plan_finds_its_room_next_to_itself(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "study.toml").write_text(TEXT.replace('plan = "lab"', 'plan = "own.toml"').partition("[simulation]")[0])
    from planner.core import shipped

    shutil.copy(shipped.folder("floorplans") / "lab.toml", home / "own.toml")
    pipeline.run(home)
    assert main(["check", str(home)]) == 0
    moved = home.rename(tmp_path / "elsewhere")
    assert main(["check", str(moved)]) == 0
    (moved / "own.toml").unlink()
    assert main(["check", str(moved)]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("cycles", ["cycles = 300\n", ""], ids=["given", "by default"])
def test_a_network_study_is_checked_against_its_study(tmp_path, cycles):
    (tmp_path / "study.toml").write_text(
        '[topology]\nfamily = "torus"\nsizes = [4, 4]\nendpoints_per_router = 2\n'
        f"[simulation]\nloads = [0.1, 0.2]\n{cycles}link_cycles = 10\nrouter_delay_cycles = 5\n"
    )
    pipeline.run(tmp_path)
    assert main(["check", "--deep", str(tmp_path)]) == 0
    result = storage.restore(SimulationResult, tmp_path / "simulation.npz")
    edited(tmp_path, SimulationResult, "simulation", cycles=result.cycles - [0, 1])
    assert "simulation_as_configured" in rules_broken(tmp_path, edited=True)
