"""Published figures next to those of a plan."""

import csv
import tomllib

import pytest
from shared.small_plans import make_plan

from planner import formats
from planner.commands.new import TEMPLATE
from planner.core.errors import InputError
from planner.studies import pipeline, study

GIVEN = {"figure": "a", "source": "b", "published": 1, "quantity": "routers"}


@pytest.fixture(scope="module")
def plan():
    return make_plan(family="hypercube", dimensions=3, endpoints_per_router=2, simulate=False)


def here(plan, folder, **figure):
    """The value of the plan for one figure, as text."""
    given = {"figure": "a", "source": "b", "published": 1} | figure
    path = formats.write(plan, folder, "published", figure=[given])
    assert path == folder / "published.csv"
    with path.open(encoding="utf-8", newline="") as file:
        header, row = csv.reader(file)
    assert header == ["figure", "source", "published", "here", "note"]
    assert row[:3] == [given["figure"], given["source"], str(given["published"])]
    return row[3]


def test_a_cube_of_eight_routers(plan, tmp_path):
    """A cube has 12 links; its 16 nodes have a cable each."""
    assert here(plan, tmp_path, table="cables") == "28"
    assert here(plan, tmp_path, table="cables", where={"kind": "endpoint"}) == "16"
    assert here(plan, tmp_path, table="cables", where={"kind": ["endpoint", "dim*"]}) == "28"
    assert here(plan, tmp_path, table="cables", where={"kind": "endpoint", "a_port": 999}) == "0"
    assert here(plan, tmp_path, quantity="routers") == "8"
    assert here(plan, tmp_path, quantity="routers", divisor=16) == "0.5"
    assert here(plan, tmp_path, quantity="routers", divisor=4) == "2"


def test_sum_and_maximum_of_a_column(plan, tmp_path):
    lengths = plan.cables.stock_mm
    assert here(plan, tmp_path, table="cables", sum="stock_mm") == str(lengths.sum())
    assert here(plan, tmp_path, table="cables", maximum="stock_mm") == str(lengths.max())
    assert here(plan, tmp_path, table="cables", maximum="stock_mm", where={"kind": "none of them"}) == "0"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("figure", "message"),
    [
        ({"quantity": "", "table": "cable"}, "a plan has no table 'cable'"),
        ({"table": "cables"}, "either a quantity or from a table"),
        ({"quantity": ""}, "either a quantity or from a table"),
        ({"quantity": "", "table": "cables", "where": {"knd": "endpoint"}}, "has no column 'knd'"),
        ({"quantity": "", "table": "cables", "sum": "kind"}, "holds no numbers"),
        ({"quantity": "", "table": "cables", "sum": "stock_mm", "maximum": "run_mm"}, "is next to sum"),
        ({"quantity": "", "table": "cables", "divisor": 0}, "divisor"),
        ({"quantity": "", "table": "cables", "unit": "m"}, "unit"),
    ],
)
def test_wrong_figures_are_found_before_anything_runs(figure, message, tmp_path):
    data = tomllib.loads(TEMPLATE.format(name="tiny"))
    data["report"] = {"formats": ["published"], "published": {"figure": [GIVEN, GIVEN | figure]}}
    with pytest.raises(InputError) as caught:
        pipeline.run(study.check(data), out=tmp_path)
    (problem,) = caught.value.problems
    assert message in f"{problem}"
    assert problem.place.startswith("report.published.figure.1")
    assert not list(tmp_path.iterdir())


def test_figures_that_the_plan_does_not_have(plan, tmp_path):
    figures = [
        {"figure": "a", "source": "b", "published": 1, "quantity": "routrs"},
        {"figure": "a", "source": "b", "published": 1, "table": "cables", "where": {"network": "compute"}},
        {"figure": "a", "source": "b", "published": 1, "table": "devices"},
    ]
    with pytest.raises(InputError) as caught:
        formats.write(plan, tmp_path, "published", figure=figures)
    assert len(caught.value.problems) == 3
    assert [problem.place for problem in caught.value.problems] == [
        "report.published.figure.0.quantity",
        "report.published.figure.1.table",
        "report.published.figure.2.table",
    ]
    assert not list(tmp_path.iterdir())
