"""The declared tables: names, places, and values against the records."""

from __future__ import annotations

import numpy as np
import pytest
from shared.plain_schedule import COLUMNS, schedule
from shared.small_plans import lonely, make_plan

from planner.domain.model import Plan
from planner.view.tables import TABLES
from planner.view.tables.table import Column, Table, each

CABLES = TABLES["cables"]


def column(plan: Plan, table: str, name: str) -> list:
    declared = TABLES[table]
    chosen = [each for each in declared.columns if each.name == name]
    return declared.cells(declared.data(plan), chosen)[0]


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
def test_names_are_distinct_and_every_column_is_described(table):
    names = [each.name for each in table.columns]
    assert len(set(names)) == len(names)
    assert all(each.heading and each.meaning and each.shown for each in table.columns)
    headers = [each.header for each in table.on("file")]
    assert len(set(headers)) == len(headers)
    keys = table.planned[: table.keys]
    assert keys == table.columns[: table.keys]


def test_the_schedule_is_that_of_the_plain_twin(plan):
    columns = [each for each in CABLES.planned if each.name in COLUMNS]
    assert tuple(each.name for each in columns) == COLUMNS
    rows = [tuple("" if cell is None else cell for cell in row) for row in CABLES.rows(plan, columns)]
    assert rows == schedule(plan)


def test_the_parts_of_the_run_length_add_up(plan):
    parts = [each for each in CABLES.columns if each.run_part]
    total = np.sum(CABLES.cells(CABLES.data(plan), parts), axis=0)
    assert total.tolist() == plan.cables.run_mm.tolist()
    assert len({each.run_part for each in parts}) == len(parts) == 9


def test_connectors_are_those_of_the_devices(plan):
    first, second = (column(plan, "cables", name) for name in ("connector_a", "connector_b"))
    links, catalog = plan.topology.link_count, plan.catalog
    assert set(first) == set(second[:links]) == {catalog.router.connector}
    assert set(second[links:]) == {catalog.endpoint.connector}


def test_cabinets_count_their_cables(plan):
    order = np.argsort(plan.placement.slot_of)
    here = [int((plan.cables.cabinet == number).any(axis=1).sum()) for number in order]
    assert column(plan, "cabinets", "cables_here") == here
    assert sum(column(plan, "cabinets", "cables_listed")) == plan.cables.cable_count


def test_ports_of_routers_are_used_or_free(plan):
    used, free = (column(plan, "routers", name) for name in ("used_ports", "free_ports"))
    assert {one + other for one, other in zip(used, free, strict=True)} == {plan.catalog.router.ports}
    ends = np.bincount(plan.cables.device.ravel(), minlength=plan.topology.router_count)
    assert used == ends[: plan.topology.router_count].tolist()


def test_cells_are_those_that_a_workbook_gives_back():
    kinds = {"text": [None, "a"], "whole": [None, np.int32(3)], "number": [None, np.nan, 1 / 3], "figure": [2, 0.1, None]}
    found = {
        kind: Table("t", "", lambda plan: ..., ()).cells(values, (Column("c", "c", "c", each(lambda v: v), kind),))[0]
        for kind, values in kinds.items()
    }
    assert found == {
        "text": ["", "a"],
        "whole": [None, 3],
        "number": [None, "nan", 0.333333333333333],
        "figure": [2, 0.1, ""],
    }


def test_printed_cells_have_the_common_unit_of_the_title():
    run = Column("run_mm", "run length", "", content="whole", unit="mm", short="run")
    assert (run.header, run.title, run.printed(1234567)) == ("run length (m)", "run (m)", "1,234.567")
    power = Column("power_mw", "power", "", content="whole", unit="mW", decimals=1)
    assert (power.title, power.printed(12_345_678), power.printed(None)) == ("power (kW)", "12.3", "")
    assert Column("name", "name", "").printed("=1+1") == "=1+1"


@pytest.mark.parametrize("plan", [Plan("bare", "", {}), make_plan(simulate=False, network=lonely())], ids=["bare", "lonely"])
def test_a_plan_without_cables_has_empty_tables(plan):
    assert CABLES.rows(plan) == []
    assert CABLES.count(plan) == 0
    assert dict(TABLES["plan"].rows(plan))["rows: cables"] == 0
