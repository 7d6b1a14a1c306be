"""Plans as folders, schedules and workbooks."""

import csv

import pytest
from shared.small_plans import make_plan

from planner import formats
from planner.core.errors import InputError
from planner.fabric import baseline
from planner.formats import Selection
from planner.view.schedule import of_plan

COLUMNS = "cable,a_cabinet,a_unit,a_device,a_port,b_cabinet,b_unit,b_device,b_port,part,stock_mm,run_mm,trays"


@pytest.fixture(scope="module")
def plan():
    return make_plan(q=5, endpoints_per_router=2)


def schedule(tmp_path, *rows):
    path = tmp_path / "plan.csv"
    path.write_text("\n".join((COLUMNS, *rows)) + "\n")
    return path


def test_ports_that_two_rows_use_are_refused(tmp_path):
    path = schedule(
        tmp_path,
        "1,A01,1,R1,1,A01,2,R2,1,dac,1000,900,",
        "2,A01,1,R1,1,A01,3,R3,1,dac,1000,900,",
        "2,A01,1,R1,2,A01,3,R3,2,dac,1000,900,",
    )
    with pytest.raises(InputError) as caught:
        baseline.read(path)
    assert [problem.message for problem in caught.value.problems] == [
        "R1 port 1 is used by cable 1 and cable 2",
        "cable 2 occurs twice",
    ]


def test_parts_of_a_schedule(tmp_path):
    path = schedule(tmp_path, "1,A01,1,R1,1,A01,2,R2,1,dac,1000,900,", "2,A01,1,R1,2,B02,3,R3,1,dac,1000,900,")
    found = baseline.read(path)
    assert found.chosen(Selection()) is None
    assert found.chosen(Selection(row="B")) == {2}
    assert found.chosen(Selection(cabinet="A01")) == {1, 2}
    assert found.chosen(Selection(router="R2")) == {1}
    with pytest.raises(InputError, match="did you mean B02"):
        found.chosen(Selection(cabinet="B2"))
    with pytest.raises(InputError, match="give the folder of the plan"):
        found.chosen(Selection(crew=1))


@pytest.mark.slow
def test_schedule_and_workbook_of_a_plan_are_the_same(plan, tmp_path):
    rows = of_plan(plan)
    by_csv = baseline.read(formats.write(plan, tmp_path, "csv"))
    by_book = baseline.read(formats.write(plan, tmp_path, "xlsx"))
    assert by_csv.rows == rows
    assert by_book.rows == rows
    cabinet = rows[0].a.cabinet
    assert by_csv.chosen(Selection(cabinet=cabinet)) == {
        int(row["cable"])
        for row in csv.DictReader((tmp_path / f"{plan.name}.csv").read_text().splitlines())
        if cabinet in (row["a_cabinet"], row["b_cabinet"])
    }


def test_a_folder_without_a_plan_is_refused(tmp_path):
    with pytest.raises(InputError):
        baseline.read(tmp_path)
