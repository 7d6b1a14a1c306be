"""Parquet: the cells of the schedule in CSV, typed, whatever part of it is chosen."""

import csv

import pytest
from pyarrow import parquet
from shared.small_plans import make_plan

from planner.core.errors import InputError
from planner.domain.model import Plan
from planner.formats import write
from planner.view.tables import tables_of


@pytest.fixture(scope="module")
def plan():
    return make_plan(family="slimfly", q=3, simulate=False)


@pytest.mark.parametrize("selection", [{}, {"router": "R003"}], ids=["whole", "one router"])
def test_cells_are_those_of_the_csv(plan, tmp_path, selection):
    with write(plan, tmp_path, "csv", **selection).open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    table = parquet.read_table(write(plan, tmp_path, "parquet", **selection))
    assert table.column_names == names
    assert table.num_rows == len(rows) > 0
    written = [["" if cell is None else str(cell) for cell in row.values()] for row in table.to_pylist()]
    assert written == rows


def test_columns_have_the_type_of_their_content(plan, tmp_path):
    schema = parquet.read_schema(write(plan, tmp_path, "parquet"))
    for column in tables_of(plan)["cables"].planned:
        found = str(schema.field(column.name).type)
        assert found == {"whole": "int64", "text": "dictionary<values=string, indices=int32, ordered=0>"}[column.content], (
            column.name
        )


def test_a_plan_without_cables_has_no_schedule(tmp_path):
    with pytest.raises(InputError, match="cables"):
        write(Plan("bare", "", {}), tmp_path, "parquet")
    assert not list(tmp_path.iterdir())
