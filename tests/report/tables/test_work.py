"""The sheet of work: every cable, trunk and jumper once, in the order of the tasks, and the part of it that a selection means."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from shared.bundled_plans import OVER_PANELS, planned

from planner.design.work import work
from planner.formats import Selection
from planner.view.rows import sheets
from planner.view.tables import TABLES


@pytest.fixture(scope="module", params=["loom", *OVER_PANELS])
def plan(request):
    plan, _ = planned(request.param, q=7 if "zones" in request.param else 5)
    return replace(plan, work=work(plan.catalog, plan.cables, plan.panels, plan.room.segment_mm, crews=3))


@pytest.fixture(scope="module")
def rows(plan):
    return listed(TABLES["work"].rows(plan))


def listed(rows):
    return [dict(zip((column.name for column in TABLES["work"].planned), row, strict=True)) for row in rows]


@pytest.mark.slow
def test_every_piece_of_work_is_listed_once_in_the_order_of_its_tasks(plan, rows):
    kinds = Counter(row["kind"] for row in rows)
    carried, panels = plan.cables.carried, plan.panels
    over = set(panels.row.tolist())
    assert kinds["cable"] == plan.cables.cable_count - len(over)
    assert kinds["trunk"] == len(panels.trunk_names)
    assert kinds["jumper"] == len(panels.jumper_port)
    assert carried.sum() == len(over)
    tasks = [row["task"] for row in rows]
    assert tasks == sorted(tasks)
    assert [row["order"] for row in rows] == list(range(1, len(rows) + 1))
    done = Counter(tasks)
    expected = Counter((plan.work.task[~carried] + 1).tolist())
    expected += Counter((plan.work.jumper_task + 1).tolist())
    used = panels.trunk[panels.trunk >= 0]
    _, first = np.unique(used, return_index=True)
    expected += Counter((plan.work.task[panels.row[panels.trunk >= 0][first]] + 1).tolist())
    assert done == expected
    for row in rows:
        task = row["task"] - 1
        assert row["stage"] == plan.work.stage_names[plan.work.stage[task]]
        assert row["crew"] == plan.work.crew[task] + 1
        assert row["stock_mm"] > 0
        assert row["part"]


def test_links_lead_over_the_listed_pieces_from_port_to_port(plan, rows):
    """Jumpers by their panel position, trunks by the frames at their ends."""
    jumpers = {f"{row['b_device']}:{row['b_port_name']}": row for row in rows if row["kind"] == "jumper"}
    names, ports = plan.inventory.names, plan.panels.ports()
    trunks = {row["bundle"]: row for row in rows if row["kind"] == "trunk"}
    for place, cable in enumerate(plan.panels.row.tolist()):
        ends = [jumpers[ports[jumper]] for jumper in plan.panels.jumper[place].tolist()]
        for end, row in enumerate(ends):
            assert row["a_device"] == str(names[plan.cables.device[cable, end]])
            assert row["a_cabinet"] == plan.room.slot_names[plan.placement.slot_of[plan.cables.cabinet[cable, end]]]
        if plan.panels.plug[place] >= 0:
            trunk = trunks[int(plan.cables.bundle[cable]) + 1]
            assert {trunk["a_cabinet"], trunk["b_cabinet"]} == {row["b_cabinet"] for row in ends}
        else:
            assert ends[0]["b_cabinet"] == ends[1]["b_cabinet"]


@pytest.mark.slow
def test_tasks_and_crews_share_the_work(plan, rows):
    """Each selection has its own work and nothing else; the schedule has the cables that it serves."""
    for key, numbers in (("task", range(1, plan.work.task_count + 1)), ("crew", range(1, 4))):
        for number in list(numbers)[:: max(1, len(numbers) // 5)]:
            found = {sheet.table.name: sheet.rows for sheet in sheets(plan, Selection(**{key: number}))}
            own = [row for row in rows if row[key] == number]
            assert listed(found["work"]) == own, (key, number)
            cables = {row[0] for row in found["cables"]}
            assert {row["cable"] for row in own if row["cable"]} <= cables
    stage = plan.work.stage_names[-1]
    found = {sheet.table.name: sheet.rows for sheet in sheets(plan, Selection(stage=stage))}
    assert listed(found["work"]) == [row for row in rows if row["stage"] == stage]
