"""Task sheets: the whole plan can be cabled from them alone, port by port, over panels too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pypdfium2
import pytest
from shared.bundled_plans import planned
from shared.paper import read as read_paper
from shared.task_sheets import jumpers, plugs, rows

from planner.design.work import work
from planner.domain.model import PanelPlan
from planner.formats import write
from planner.paper.document import Document
from planner.paper.jobs import job_sheets
from planner.view.legs import work_of
from planner.view.names import cabinet_names, device_names, printed_ports


def worked(plan, **options):
    panels = plan.panels if plan.panels is not None else PanelPlan.none()
    return replace(plan, work=work(plan.catalog, plan.cables, panels, plan.room.segment_mm, **options))


def sheets_of(plan, folder):
    """Return the sheets of all tasks, read back from the file."""
    path = folder / "tasks.pdf"
    works = work_of(plan, np.arange(plan.cables.cable_count))
    Document(job_sheets(plan, works, "All tasks")).save(plan, path, letter=False)
    return read_paper(path)


def planned_ends(plan):
    """Return both ends of each row of the cable plan: cabinet, unit, device, port as printed."""
    cables, names, cabinets = plan.cables, device_names(plan), cabinet_names(plan)
    ports = [printed_ports(plan, side) for side in (0, 1)]
    return [
        tuple(
            (cabinets[cables.cabinet[row, side]], int(cables.unit[row, side]), names[cables.device[row, side]], ports[side][row])
            for side in (0, 1)
        )
        for row in range(cables.cable_count)
    ]


@pytest.mark.slow
def test_a_plain_plan_is_cabled_from_its_task_sheets(plan, tmp_path):
    plan = worked(plan, crews=2)
    paper = sheets_of(plan, tmp_path)
    assert paper.faults == ()
    found = {row.number - 1: (row.a, row.b) for row in rows(paper)}
    assert len(rows(paper)) == len(found)
    assert found == dict(enumerate(planned_ends(plan)))
    # Every task once, in the order of work.
    tasks = list(dict.fromkeys(row.task for row in rows(paper)))
    assert tasks == list(range(1, plan.work.task_count + 1))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["trunk", "multicore", "shuffle"])
def test_a_plan_over_panels_is_cabled_from_its_task_sheets(kind, tmp_path):
    """Walk from each device over its jumper through the panels to the jumper at the far device; trunks join the panels."""
    bundled, _ = planned(kind, q=5)
    plan = worked(bundled)
    paper = sheets_of(plan, tmp_path)
    assert paper.faults == ()
    made = {frozenset((row.a, row.b)) for row in rows(paper)}
    at = {jumper.position: jumper for jumper in jumpers(paper)}
    assert len(at) == len(plan.panels.jumper_port)
    for jumper in at.values():
        far = at[jumper.far]
        assert far.far == jumper.position
        made.add(frozenset((jumper.device, far.device)))
    assert made == {frozenset(ends) for ends in planned_ends(plan)}
    # Every plug of every trunk from socket to socket, and frames that the jumpers reach.
    panels = plan.panels
    listed = plugs(paper)
    assert {(a, b) for _, a, b in listed} == set(zip(panels.rears(0), panels.rears(1), strict=True))
    assert len(listed) == len(panels.plug_trunk)
    joined = {frozenset((a.split(":")[0].rpartition("-")[0], b.split(":")[0].rpartition("-")[0])) for _, a, b in listed}
    for jumper in at.values():
        frames = frozenset(position.split(":")[0].rpartition("-")[0] for position in (jumper.position, jumper.far))
        # Inside the shuffle boxes of one area there is no trunk.
        assert frames in joined or len(frames) == 1


@pytest.mark.slow
def test_sheets_lead_to_the_ports_and_along_the_trays(plan, tmp_path):
    """The route of every task is printed from end to end, and each of its ports is lit on the faceplate of its device."""
    plan = worked(plan, crews=2)
    text = " ".join(" ".join(sheets_of(plan, tmp_path).pages).split())
    cabinets = cabinet_names(plan)
    outside = np.flatnonzero(plan.work.cabinet[:, 0] != plan.work.cabinet[:, 1])
    for task in outside.tolist():
        row = int(np.flatnonzero(plan.work.task == task)[0])
        a, b = (cabinets[cabinet] for cabinet in plan.cables.cabinet[row])
        trays = [plan.room.tray_names[tray] for tray in plan.room.segment_tray[plan.cables.route_of(row)]]
        assert f"{a} → {' → '.join(dict.fromkeys(trays))} → {b}" in text or (
            f"{b} → {' → '.join(dict.fromkeys(trays[::-1]))} → {a}" in text
        )


@pytest.mark.slow
def test_codes_are_as_chosen(plan, tmp_path):
    plan = worked(plan)
    for options, wanted in (({}, "T1"), ({"code": "end"}, "small/T1")):
        path = write(plan, tmp_path, "pdf", task=1, **options)
        first = path.read_bytes()
        assert write(plan, tmp_path, "pdf", task=1, **options).read_bytes() == first
        document = pypdfium2.PdfDocument(path)
        assert wanted in "".join(page.get_textpage().get_text_range() for page in document).split()
        document.close()


@pytest.mark.slow
def test_stages_are_numbered_as_they_are_executed(plan, tmp_path):
    for order, first in (("outside in", "in row"), ("inside out", "in cabinet")):
        made = worked(plan, order=order)
        text = "".join(sheets_of(made, tmp_path).pages)
        assert f"stage 1 {first}" in text
        starts = [text.index(f"stage {number} ") for number in (1, 2)]
        assert starts == sorted(starts)
