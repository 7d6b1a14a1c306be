"""Networks that are bought in phases: settings, cost over the years, and what the outputs show."""

import csv
import json

import pytest

from planner.core.errors import InputError
from planner.core.executors import executor
from planner.network.growth import plan as grow
from planner.studies import compare, study
from planner.studies.compare import outputs
from planner.studies.compare.comparison import Rates, changed
from planner.studies.compare.measures import groups
from planner.studies.compare.phase_costs import NOT_COUNTED, PhaseCost, growth_figures
from planner.studies.compare.table import verdicts
from planner.studies.phased import phased

GROWING = """\
name = "years"
families = ["slimfly", "quadrangle"]

[[phase]]
year = 2026
endpoints = 20
[[phase]]
year = 2028
endpoints = 32

[catalog]
router = "nvidia-sb7800"
endpoint = "server-half-unit"
cabinet = "apc-ar3300"

[room]
plan = "lab"

[placement]
algorithm = "anneal"
moves = 500

[[network]]
label = "HX"
topology = { family = "hyperx", endpoints_per_router = 2 }
changes = [{ "topology.sizes" = [4, 3] }, { topology = { sizes = [4, 4] } }]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("growing")
    (folder / "comparison.toml").write_text(GROWING, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def result(folder):
    with executor(1) as workers:
        return compare.run(compare.load(folder, ['formats=["csv", "json", "md"]']), folder / "out", executor=workers)


def _cost(year, parts, labor, **more):
    usual = {"endpoints": 100, "routers": 10, "links": 20, "labor_s": 0, "moved": 0, "moved_at_least": 0, "windows": 0}
    usual |= {"replugged": 0, "reused": 0, "left_over": 0, "mean_hops": 1.5, "mean_hops_ideal": 1.5}
    return PhaseCost(year=year, parts_cents=parts, labor_cents=labor, **(usual | more))


def test_present_values():
    """1,000 after two years at 5 %: 907.03; if prices fall by 3 % a year 853.42; if labor rises by 2 % 943.67."""
    rates = Rates(discount=0.05, price_change=-0.03, labor_change=0.02)
    assert Rates(discount=0.05).present(1000, 2) == pytest.approx(907.03, abs=5e-3)
    assert rates.present(1000, 2) == pytest.approx(853.42, abs=5e-3)
    assert rates.present(1000, 2, labor=True) == pytest.approx(943.67, abs=5e-3)
    assert rates.present(1000, 0) == 1000


def test_figures_of_phases():
    phases = [_cost(2026, 1000, 100, labor_s=None), _cost(2028, 500, 40, moved=7, labor_s=3600, endpoints=200, replugged=3)]
    plan = {"cost_cents": 2000, "cost_spares_cents": 30, "cost_energy_cents": 20}
    found = growth_figures(phases, Rates(), plan)
    assert found["growth_cost_cents"] == 1640
    assert found["growth_cost_per_endpoint_cents"] == 1640 / 200
    assert (found["growth_parts_cents"], found["growth_labor_cents"], found["growth_change_labor_cents"]) == (1500, 140, 40)
    assert (found["day_one_cost_cents"], found["growth_saved_cents"]) == (1950, 310)
    assert (found["growth_moved_links"], found["growth_replugged_cables"], found["growth_labor_s"]) == (7, 3, 3600)
    discounted = growth_figures(phases, Rates(discount=0.1), plan)
    assert discounted["growth_cost_cents"] == pytest.approx(1100 + 540 / 1.21)
    assert "growth_labor_s" not in growth_figures([phases[0], _cost(2028, 1, 1, labor_s=None)], Rates(), plan)


def test_changes_of_a_phase():
    assert changed({"topology": {"a": 4}}, {"topology.parameters.q": 5, "seed": 2}) == {
        "topology": {"a": 4, "parameters": {"q": 5}},
        "seed": 2,
    }


@pytest.mark.slow
def test_costs_are_those_of_the_plans_of_all_phases(folder, result):
    """The same study planned by itself: its bills and changes add up to the figures."""
    entry = result.done[0]
    found = phased(entry.case.phased, out=folder / "again", until="bill")
    assert entry.figures["growth_cost_cents"] == found.cost_cents
    assert [phase.year for phase in entry.phases] == [2026, 2028]
    assert [phase.routers for phase in entry.phases] == [12, 16]
    first, last = found.plans
    assert entry.phases[0].parts_cents + entry.phases[0].labor_cents == first.bill.cents() - sum(
        first.bill.cents(category) for category in NOT_COUNTED
    )
    assert entry.phases[1].parts_cents < last.bill.cents()
    # Nothing moves in a HyperX, so that the phases cost what the last one costs: cables and cabinets are the same.
    assert entry.figures["growth_moved_links"] == entry.figures["growth_replugged_cables"] == 0


@pytest.mark.slow
def test_moved_links_are_those_of_growth(result):
    entry = result.done[1]
    assert entry.label == "slimfly"
    change = grow([one.topology for one in _plans(entry)], method="inside").steps[0]
    assert entry.figures["growth_moved_links"] == len(change.moved)
    assert entry.phases[1].links == change.new.link_count


def _plans(entry):
    from planner.studies import pipeline

    return [pipeline.make(one, ["topology"]) for one in entry.case.phased.phases.values()]


@pytest.mark.slow
def test_outputs_have_the_columns(folder, result):
    paths = {path.suffix: path for path in outputs.write(result, folder / "out", result.comparison.head.formats)}
    rows = list(csv.DictReader(paths[".csv"].read_text(encoding="utf-8").splitlines()))
    assert [row["network"] for row in rows] == ["HX", "slimfly", "quadrangle"]
    assert float(rows[0]["growth_cost_cents"]) == result.done[0].figures["growth_cost_cents"]
    assert {"phase_2026_cost_cents", "phase_2028_moved_links", "day_one_cost_cents"} <= rows[0].keys()
    data = json.loads(paths[".json"].read_text(encoding="utf-8"))
    assert [phase["year"] for phase in data["phases"]] == [2026, 2028]
    assert data["growth"] == {"discount": 0, "price_change": 0, "labor_change": 0}
    assert data["networks"][0]["phases"][1]["endpoints"] == 32
    assert data["objectives"][0] == "growth_cost_per_endpoint_cents"
    assert "Cost over the years" in [group.title for group in groups(result)]
    assert "## Moves over the years" in paths[".md"].read_text(encoding="utf-8")
    lines = list(verdicts(result))
    ranked = [line.split(":")[0].strip() for line in lines[lines.index(_title(lines)) + 1 :][:2]]
    cost = {entry.label: entry.figures["growth_cost_per_endpoint_cents"] for entry in result.done}
    assert ranked == sorted(cost, key=cost.get)


def _title(lines):
    return next(line for line in lines if line.startswith("Cost per endpoint 2026–2028, moves included"))


@pytest.mark.slow
def test_a_family_without_networks_has_a_reason(result):
    assert "quadrangle" in [entry.label for entry in result.entries if not entry.done]


def test_a_network_that_cannot_be_planned_in_phases_is_not_ranked():
    """The room of one cabinet row cannot hold the last phase: its reason is in the verdicts, not in a traceback."""
    from planner.studies.compare.entries import Entry
    from planner.studies.compare.phase_costs import Growing
    from planner.studies.compare.running import with_growth

    made = Entry(None, "done", figures={"cost_cents": 5})
    found = with_growth(compare.Comparison(None, None), made, Growing(reason="no slot is left"))
    assert found.no_growth == "no slot is left"
    assert "growth_cost_cents" not in found.figures


ROOM = '{ "topology.sizes" = [4, 4], "room.plan" = "hall-a" }'


@pytest.mark.parametrize(
    ("old", "new", "messages"),
    [
        ("year = 2028", "year = 2025", ["phase.1.year: 2025 follows 2026"]),
        ("year = 2028", 'year = "x"', ["phase.1.year", "write year = 2026"]),
        ("endpoints = 32", "endpoints = 20", ["phase.1.endpoints: 20 endpoints follow 20"]),
        ("endpoints = 32", "", ["phase.1.endpoints: families need a number of endpoints"]),
        ('name = "years"', 'name = "years"\nendpoints = 50', ["endpoints: each phase has its own number"]),
        ('name = "years"', 'name = "years"\ntrimmed = true', ["trimmed: does not apply to phases"]),
        ("[catalog]", "[growth]\ndiscount = -2\nmethod = 'blok'\n[catalog]", ["growth.discount", "did you mean block"]),
        (
            "[catalog]",
            "[growth]\nweights = [1]\nalone = true\n[catalog]",
            ["1 weights for 2 phases", "growth.alone"],
        ),
        ("[catalog]", "[growth]\ndiscont = 0.1\n[catalog]", ["did you mean discount"]),
        (", { topology = { sizes = [4, 4] } }]", "]", ["network.0.changes: 1 changes for 2 phases"]),
        ("{ topology = { sizes = [4, 4] } }", "{ topology = { size = 4 } }", ["network.0"]),
        ("{ topology = { sizes = [4, 4] } }", ROOM, ["network.0.changes.1", "must be the same in all phases"]),
        ("changes = [", "changes = [5, ", ["must be a list with a table for each phase"]),
        ("[[phase]]\nyear = 2028\nendpoints = 32\n", "", ["phase: one phase is no growth"]),
    ],
)
def test_bad_settings_are_refused(folder, tmp_path, old, new, messages):
    text = GROWING.replace(old, new)
    assert text != GROWING
    path = tmp_path / "comparison.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        compare.load(path)
    assert all(message in str(caught.value) for message in messages), str(caught.value)


def test_growth_without_phases_is_refused(tmp_path):
    path = tmp_path / "comparison.toml"
    text = GROWING.replace("[[phase]]\nyear = 2026\nendpoints = 20\n[[phase]]\nyear = 2028\nendpoints = 32\n", "")
    path.write_text(f'endpoints = 20\nobjectives = ["growth"]\n{text}\n[growth]\ndiscount = 0.1\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        compare.load(path)
    places = {problem.place for problem in caught.value.problems}
    assert {"objectives", "network.0.changes", "growth"} <= places


@pytest.mark.slow
def test_phases_of_a_comparison_are_a_study(result):
    """The study that is planned may be written down and checked by itself."""
    own = result.done[0].case.phased
    assert list(own.phases) == ["2026", "2028"]
    assert own.growth["alone"] is False
    assert isinstance(own, study.Study)
