"""Change orders and replacement sheets: what they state is what the plans differ in."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from shared import paper
from shared.plans import STUDIES, UNPRINTED, kept_study

from planner.core.reading import construct
from planner.domain import stored
from planner.domain.model.project import Project
from planner.fabric.baseline import Planned
from planner.studies import pipeline, study
from planner.studies.diff import outputs
from planner.studies.diff.outputs.order import number, order_sheets, reason
from planner.studies.diff.replacement import replacements
from planner.studies.diff.run import comparison
from planner.view import schedule

LARGER = "nvidia-qm8700"
PROJECT = {
    "client": "University", "drawing": "N-12", "revision": "B", "date": "2026-11-20", "drawn": "A. Miller",
    "signers": ["site manager: D. Dean"],
    "revisions": [
        {"revision": "A", "date": "2026-01-10", "text": "first issue"},
        {"revision": "B", "date": "2026-11-20", "text": "one switch is replaced by a newer model"},
    ],
}  # fmt: skip
SWAP = {"device": "R003", "part": LARGER, "ports": {"1": 40}, "serial": "MT2049X", "reason": "fan failed"}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plans")
    given = kept_study("plain", folder, {"replace": [SWAP]}, project=PROJECT)
    plan = pipeline.make(given)
    old = stored.restore(folder / "built")
    return comparison(*(Planned(schedule.of_plan(each), Path(name), each) for name, each in (("old", old), ("new", plan))))


@pytest.mark.slow
def test_a_replacement_lists_every_plug_with_both_ports(found):
    (device,) = replacements(found)
    assert (device.name, device.old_part, device.new_part) == ("R003", STUDIES["plain"]["catalog"]["router"], LARGER)
    assert (device.serial, device.reason) == ("MT2049X", "fan failed")
    ends = {
        (end.port, row.ends[1 - side].device)
        for row in found.old.rows
        for side, end in enumerate(row.ends)
        if end.device == "R003"
    }
    assert {(plug.old.port, plug.far.device) for plug in device.plugs} == ends
    assert [(plug.old.port, plug.new.port) for plug in device.plugs] == [(1, 40), *((n, n) for n in range(2, len(ends) + 1))]
    assert {plug.what for plug in device.plugs} == {"same cable"}
    assert [plug.is_labeled for plug in device.plugs] == [True, *[False] * (len(ends) - 1)]
    assert f"Plug {len(ends)} cables" in " ".join(device.steps())
    assert f"All {len(ends)} links" in device.checks()[0]


@pytest.mark.slow
def test_sheets_and_table_of_a_replacement(found, tmp_path):
    written = {path.name: path for path in outputs.write(found, tmp_path)}
    rows = list(csv.DictReader(written["replacements.csv"].read_text(encoding="utf-8").splitlines()))
    assert [(row["device"], row["old_port"], row["new_port"]) for row in rows][:2] == [("R003", "1", "40"), ("R003", "2", "2")]
    assert ":01" in rows[0]["old_label"]
    assert ":40" in rows[0]["new_label"]
    read = paper.read(written["difference.pdf"])
    assert read.faults == ()
    text = "\n".join(read.pages)
    assert text.index("Change order") < text.index("Replacement of R003")
    for part in (
        "N-12-B",
        "one switch is replaced by a newer model",
        "first issue",
        "site manager",
        "D. Dean",
        "MT2049X",
        "fan failed",
    ):
        assert part in text


@pytest.mark.slow
def test_the_change_order_has_the_cost_and_the_cabinets_of_the_work_order(found):
    project = construct(Project, PROJECT)
    assert number(project) == "N-12-B"
    assert reason(project) == PROJECT["revisions"][1]["text"]
    assert order_sheets(found)
    bare = replace(found.new.plan, study={key: each for key, each in found.new.plan.study.items() if key != "project"})
    assert order_sheets(replace(found, new=Planned(found.new.rows, found.new.path, bare))) == []


@pytest.mark.slow
def test_plans_of_equal_parts_have_no_replacement(found, tmp_path):
    same = comparison(found.old, found.old)
    assert replacements(same) == []
    assert "replacements.csv" not in {path.name for path in outputs.write(same, tmp_path)}


@pytest.mark.slow
def test_another_cable_leaves_one_port_and_comes_into_another(tmp_path):
    """A switch whose sockets take other plugs gets other cables; each is one line of the sheet."""
    pipeline.run(study.check({"name": "built", "seed": 1, **UNPRINTED, **STUDIES["plain"]}, base=Path()), out=tmp_path / "built")
    given = STUDIES["plain"] | {"keep": {"plan": str(tmp_path / "built"), "replace": [{"device": "R003", "part": LARGER}]}}
    plan, old = pipeline.make(study.check({"name": "new", "seed": 1, **given}, base=Path())), stored.restore(tmp_path / "built")
    rows = schedule.of_plan(plan)
    longer = [row._replace(stock_mm=row.stock_mm + 5000) if "R003" in (row.a.device, row.b.device) else row for row in rows]
    made = comparison(Planned(schedule.of_plan(old), Path("old"), old), Planned(longer, Path("new"), plan))
    (device,) = replacements(made)
    assert {plug.what for plug in device.plugs} == {"new cable"}
    assert all(plug.old is not None and plug.old.port == plug.new.port for plug in device.plugs)
