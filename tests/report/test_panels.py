"""Panel schedules, trunk lists and elevations: every end of every row over panels is where it should be."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from shared.bundled_plans import OVER_PANELS, WITHOUT_TRUNKS, duplex_parts, planned
from shared.paper import read as read_paper

from planner.check import check
from planner.design.work import work
from planner.formats import workbook, write
from planner.paper.document import Document
from planner.paper.labeling.labels import labels
from planner.paper.panels import panel_sheets
from planner.view.selection import Selection
from planner.view.tables import PANELS, TRUNKS, tables_of

KINDS = [
    kind if kind in ("trunk", "shuffle", "multicore") else pytest.param(kind, marks=pytest.mark.slow) for kind in OVER_PANELS
]


def worked(kind, duplex=False):
    plan, _ = planned(kind, q=7 if "zones" in kind else 5, duplex=duplex)
    return replace(plan, work=work(plan.catalog, plan.cables, plan.panels, plan.room.segment_mm))


def rows_of(table, plan):
    return [dict(zip((column.name for column in table.planned), row, strict=True)) for row in table.rows(plan)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_schedule_leads_from_device_to_device(kind):
    """Walk from each device over jumper, trunk and jumper by names alone; the links of the plan come out."""
    plan = worked(kind)
    schedule = rows_of(PANELS, plan)
    by_position = {}
    for row in schedule:
        by_position.setdefault((row["position"], row["cable"]), row)
    walked = set()
    for row in schedule:
        far = by_position[row["far_position"], row["cable"]]
        assert far["far_position"] == row["position"]
        assert (far["trunk"], far["plug"]) == (row["trunk"], row["plug"])
        walked.add(frozenset([(row["device"], row["device_port"]), (far["device"], far["device_port"])]))
    cables, names = plan.cables, plan.inventory.names
    carried = np.flatnonzero(cables.carried).tolist()
    wanted = {frozenset((str(names[d]), str(p)) for d, p in zip(cables.device[n], cables.port[n], strict=True)) for n in carried}
    assert walked == wanted
    assert len(schedule) == 2 * len(carried)


@pytest.mark.slow
def test_fibers_of_duplex_links_by_hand():
    """Six links share a plug of twelve fibers; type B reverses their order, so that ports of both ends add up to 7."""
    assert all(one.fibers == 2 for one in duplex_parts().link_assemblies if one.plug)
    plan = worked("trunk", duplex=True)
    schedule = rows_of(PANELS, plan)
    assert {row["polarity"] for row in schedule} == {"B"}
    assert Counter(row["fibers"] for row in schedule).keys() <= {"1-2", "3-4", "5-6", "7-8", "9-10", "11-12"}
    by_position = {row["position"]: row for row in schedule}
    for row in schedule:
        far = by_position[row["far_position"]]
        assert row["port"] + far["port"] == 7
        first, second = (int(one["fibers"].split("-")[0]) for one in (row, far))
        # Fiber i at one end is 13 - i at the other, so a pair ends where the other begins.
        assert first + second == 12


@pytest.mark.parametrize("kind", KINDS)
def test_trunks_are_listed_with_sockets_and_lengths(kind):
    plan = worked(kind)
    listed = rows_of(TRUNKS, plan)
    cables = plan.cables
    bought = {(one.part, one.stock_mm): one.quantity for one in cables.passives if one.category == "trunks"}
    assert Counter((row["part"], row["stock_mm"]) for row in listed) == bought
    assert sum(row["links"] for row in listed) == (plan.panels.plug >= 0).sum()
    assert all(row["stock_mm"] >= row["run_mm"] and row["trays"] for row in listed)
    assert all(plan.work.kind[row["task"] - 1] == 1 for row in listed)


@pytest.mark.slow
def test_links_inside_one_area_need_no_trunk(tmp_path):
    """Jumpers from routers to the boxes of the area: schedules, sheets, labels and work order have them alone."""
    plan, _ = planned(WITHOUT_TRUNKS, q=5)
    plan = replace(plan, work=work(plan.catalog, plan.cables, plan.panels, plan.room.segment_mm))
    assert not len(plan.panels.trunk_names)
    assert TRUNKS.rows(plan) == []
    assert {row["trunk"] for row in rows_of(PANELS, plan)} == {""}
    assert check(plan).items == ()
    assert sum(label.stage == "patching" for label in labels(plan)) == 2 * len(plan.panels.jumper_port)
    assert panel_sheets(plan)
    for form in ("labels", "csv", "netbox"):
        assert write(plan, tmp_path, form).stat().st_size


def test_plans_without_panels_have_no_tables():
    plan, _ = planned("loom", q=5)
    assert not {PANELS.name, TRUNKS.name} & tables_of(plan).keys()
    assert panel_sheets(plan) == []


@pytest.mark.slow
def test_the_workbook_keeps_the_panels(tmp_path):
    plan = worked("trunk")
    write(replace(plan, provenance={"plan": "0"}), tmp_path, "xlsx")
    read = workbook.read(next(tmp_path.glob("*.xlsx")))
    for table in (PANELS, TRUNKS):
        found = list(read.tables[table.name].rows(*(column.name for column in table.planned)))
        assert found == table.rows(plan)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["trunk", "shuffle", "multicore"])
def test_sheets_show_every_position(kind, tmp_path):
    plan = worked(kind)
    Document(panel_sheets(plan)).save(plan, tmp_path / "a.pdf", letter=False)
    paper = read_paper(tmp_path / "a.pdf")
    assert paper.faults == ()
    text = "\n".join(paper.pages)
    for row in rows_of(PANELS, plan):
        assert row["position"] in text
        assert row["far_at"].split(", ")[1] in text
    for name in (*plan.panels.frame_names, *plan.panels.trunk_names):
        assert name in text


@pytest.mark.parametrize("kind", KINDS)
def test_trunks_and_jumpers_are_labeled_at_both_ends(kind):
    """The labels lead from each device to the panel and back, and every trunk has one at each frame."""
    plan = worked(kind)
    panels, cables = plan.panels, plan.cables
    found = labels(plan)
    assert len({label.text for label in found}) == len(found)
    assert len(found) == sum(line.quantity for line in plan.bill.lines if line.category == "labels")
    jumpers = [label for label in found if label.stage == "patching"]
    assert len(jumpers) == 2 * len(panels.jumper_port)
    assert len({(label.cable, label.end) for label in found}) == len(found)
    near = {label.near: label.far[0] for label in jumpers}
    assert all(near[far] == one for one, far in near.items())
    assert {label.stock_mm for label in jumpers} == set(panels.jumper_stock_mm.tolist())
    trunks = {(label.cable, label.end): label for label in found if str(label.cable).startswith("TR-")}
    assert set(trunks) == {(str(name), end) for name in panels.trunk_names for end in "AB"}
    for number, name in enumerate(panels.trunk_names.tolist()):
        frames = panels.frame_names[panels.trunk_frame[number]]
        assert [trunks[name, end].cabinet for end in "AB"] == frames.tolist()
    direct = [label for label in found if isinstance(label.cable, int) and label.stage != "patching"]
    assert not cables.carried[[label.cable - 1 for label in direct]].any()


def test_labels_of_a_cabinet_are_those_of_its_jumpers_and_frame():
    plan = worked("multicore")
    name = plan.room.slot_names[plan.placement.slot_of[0]]
    found = labels(plan, Selection(cabinet=name))
    own = [label for label in found if label.stage == "patching"]
    assert {label.cabinet for label in own} == {name, f"PF-{name}"}
    assert {label.cabinet for label in found if str(label.cable).startswith("TR-")} <= {f"PF-{name}"}
    assert len(own) == 2 * (plan.panels.cabinet_of_jumper(plan.cables.cabinet) == 0).sum()


def test_sheets_of_a_cabinet_hold_its_ports_alone(tmp_path):
    plan = worked("trunk")
    cabinet = plan.panels.cabinet_of_jumper(plan.cables.cabinet)
    Document(panel_sheets(plan, np.array([0]))).save(plan, tmp_path / "a.pdf", letter=False)
    text = "\n".join(read_paper(tmp_path / "a.pdf").pages)
    fronts = plan.panels.ports()
    own = [fronts[jumper] for jumper in np.flatnonzero(cabinet == 0)]
    assert own
    assert all(port in text for port in own)
    rows = [line for line in text.splitlines() if line.startswith("PP-")]
    assert {line.split()[0] for line in rows if re.fullmatch(r"PP-.+:\d+/\d+", line.split()[0])} == set(own)
    nowhere = next(iter(set(range(plan.placement.cabinet_count)) - set(cabinet.tolist())), None)
    assert nowhere is None or panel_sheets(plan, np.array([nowhere])) == []


@pytest.mark.slow
def test_frames_of_many_panels_take_several_drawings(tmp_path):
    """Two hundred fan-outs in one frame: all of them on paper, within the margins."""
    plan = worked("multicore")
    panels = plan.panels
    count = 200
    frame, unit = np.zeros(count, int), np.arange(1, count + 1)
    names = np.array([f"FO-A01-{number:03}" for number in unit])
    grown = replace(
        panels, names=names, kind=np.full(count, 2), part=np.zeros(count, int), frame=frame, unit=unit,
        jumper_panel=panels.jumper_panel % count,
    )  # fmt: skip
    Document(panel_sheets(replace(plan, panels=grown))).save(plan, tmp_path / "a.pdf", letter=False)
    paper = read_paper(tmp_path / "a.pdf")
    assert paper.faults == ()
    assert all(name in "".join(paper.pages) for name in names.tolist())


def test_a_task_has_its_own_labels_alone():
    """The stage patching, a crew and a task choose among the jumpers; together the crews have all labels."""
    plan = worked("trunk")
    work, panels = plan.work, plan.panels
    patching = labels(plan, Selection(stage="patching"))
    assert {label.stage for label in patching} == {"patching"}
    assert len(patching) == 2 * len(panels.jumper_port)
    task = int(work.jumper_task[0])
    own = labels(plan, Selection(task=task + 1))
    assert {label.cable for label in own} == {f"J{jumper + 1}" for jumper in np.flatnonzero(work.jumper_task == task)}
    by_crew = [label for crew in range(work.crews) for label in labels(plan, Selection(crew=crew + 1))]
    assert Counter(label.text for label in by_crew) == Counter(label.text for label in labels(plan))
    rows = Selection(task=task + 1).cables(plan)
    assert set(rows.tolist()) == set(panels.row[(work.jumper_task[panels.jumper] == task).any(axis=1)].tolist())


@pytest.mark.slow
def test_label_files_hold_them(tmp_path):
    plan = worked("trunk")
    text = write(plan, tmp_path, "labels_csv").read_text(encoding="utf-8")
    for label in labels(plan):
        assert label.text in text
    assert write(plan, tmp_path, "labels").stat().st_size > 10_000
