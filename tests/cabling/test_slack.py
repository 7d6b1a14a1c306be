"""Slack serves the purchase: less than nominal only where that saves, never less than the minimum, and in full otherwise."""

from dataclasses import replace

import numpy as np
import pytest
from shared.plans import STUDIES, planned, source

from planner.check import check
from planner.check.lengths import lengths_explained
from planner.check.purchase import cheapest_part_bought, shortest_length_bought, slack_given_up_saves
from planner.core.errors import InputError
from planner.design.cabling.examine import examine
from planner.domain.pricelist import length_bought
from planner.hall.floor import Slack
from planner.studies import pipeline, study

STUDY = {
    "name": "small",
    "topology": {"family": "slimfly", "q": 3, "endpoints_per_router": 2},
    "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"},
    "room": {"plan": "lab"},
    "placement": {"algorithm": "identity", "interior": {"reserve_top_units": 32}},
    "near_misses": {"within_mm": 1500, "detailed": 4},
}


def made(slack, **sections):
    cabling = {"slack": slack, **sections.pop("cabling", {})}
    return pipeline.make(study.check(STUDY | sections | {"cabling": cabling}))


@pytest.fixture(scope="module")
def nominal():
    return made({})


@pytest.fixture(scope="module")
def less():
    return made({"end_min_mm": 100, "loop_min_mm": 100})


@pytest.mark.slow
def test_without_minimum_every_cable_has_its_nominal_slack(nominal):
    cables = nominal.cables
    between = cables.cabinet[:, 0] != cables.cabinet[:, 1]
    assert (cables.slack_mm.sum(axis=1) == np.where(between, 1600, 600)).all()
    assert not cables.slack_below_mm.any()
    assert not cables.slack_above_mm.any()


@pytest.mark.slow
def test_slack_is_between_minimum_and_nominal(less):
    cables = less.cables
    between = cables.cabinet[:, 0] != cables.cabinet[:, 1]
    ends, loops, share = cables.slack_mm.T
    assert ((ends >= 200) & (ends <= 600)).all()
    assert (np.where(between, (loops >= 200) & (loops <= 1000), loops == 0)).all()
    assert not share.any()
    assert (cables.slack_mm.sum(axis=1) + cables.slack_below_mm == np.where(between, 1600, 600)).all()
    assert (cables.run_mm <= cables.stock_mm).all()


@pytest.mark.slow
def test_a_cable_with_less_slack_costs_less_than_with_nominal_slack(less):
    """Recomputed from the price list of its part alone; a cable that would save nothing keeps its slack."""
    cables = less.cables
    reduced = np.flatnonzero(cables.slack_below_mm)
    assert 0 < len(reduced) < cables.cable_count
    for row in reduced.tolist():
        part = cables.assemblies[cables.assembly[row]]
        stock, price = length_bought(part, cables.run_mm[row] + cables.slack_below_mm[row])
        assert stock == 0 or price > cables.price_cents[row]
        assert cables.run_mm[row] == cables.stock_mm[row]


@pytest.mark.slow
def test_less_slack_costs_less_where_nothing_else_changes(nominal, less):
    assert (nominal.placement.slot_of == less.placement.slot_of).all()
    assert (nominal.cables.run_mm == less.cables.run_mm + less.cables.slack_below_mm).all()
    assert less.cables.price_cents.sum() < nominal.cables.price_cents.sum()
    assert (less.cables.price_cents <= nominal.cables.price_cents).all()
    assert less.bill.cents("cables") < nominal.bill.cents("cables")


def test_near_misses_are_counted_from_the_minimum(less):
    """A cable that less slack brings within the shorter length is none."""
    for found in less.near_misses.items:
        row = found.cable
        minimum = less.cables.run_mm[row] - less.cables.slack_above_mm[row]
        assert minimum - found.over_mm in {stock for part in less.inventory.joints[less.inventory.joint[row]].single
                                           for stock in part.stock_mm}  # fmt: skip


def test_the_verifier_accepts_it(less, nominal):
    assert less.violations.items == nominal.violations.items == ()
    assert less.quantities["cables_less_slack"]["value"] == (less.cables.slack_below_mm > 0).sum()
    assert "cables_less_slack" not in nominal.quantities


TWIN = {key: STUDIES["twin ports"][key] for key in ("topology", "catalog", "room", "placement")}


@pytest.mark.slow
def test_twin_cables_share_their_slack():
    plan = made({"end_min_mm": 100, "loop_min_mm": 100}, **TWIN)
    cables = plan.cables
    assert len(cables.first_of_piece) < cables.cable_count
    assert cables.slack_above_mm.any()
    assert plan.violations.errors == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["in use", "two halls"])
def test_it_is_verified_against_the_study(name):
    plan = planned(name)
    assert check(plan, source(name)).errors == ()
    assert plan.cables.slack_above_mm.any()


def changed(plan, **arrays):
    return replace(plan, cables=replace(plan.cables, **arrays))


def test_the_verifier_finds_slack_that_is_given_up_for_nothing(less):
    cables = less.cables
    row = int(np.flatnonzero((cables.slack_below_mm == 0) & (cables.slack_above_mm > 0))[0])
    one = np.arange(cables.cable_count) == row
    wrong = changed(
        less,
        run_mm=cables.run_mm - one, slack_below_mm=cables.slack_below_mm + one, slack_above_mm=cables.slack_above_mm - one,
        slack_mm=cables.slack_mm - one[:, None] * np.array([1, 0, 0]),
    )  # fmt: skip
    assert [found.rule for found in slack_given_up_saves(wrong)] == ["slack_given_up_saves"]
    assert list(lengths_explained(wrong))


def test_the_verifier_finds_slack_below_the_minimum(less):
    cables = less.cables
    wrong = changed(less, slack_mm=cables.slack_mm - np.array([500, 0, 0]), run_mm=cables.run_mm - 500)
    assert list(lengths_explained(wrong))


def test_the_verifier_finds_a_length_that_less_slack_would_avoid(nominal, less):
    """The plan with nominal slack is not the best under a study that allows less."""
    spare = np.where(nominal.cables.cabinet[:, 0] != nominal.cables.cabinet[:, 1], 1200, 400)
    allowed = replace(changed(nominal, slack_above_mm=spare), study=less.study)
    assert list(cheapest_part_bought(allowed))
    assert not list(shortest_length_bought(less))


@pytest.mark.slow
def test_flat_prices_give_no_reason_for_less_slack(tmp_path):
    rows = tmp_path / "flat.toml"
    rows.write_text(
        '[[cable]]\nid = "flat"\nmedium = "copper"\nkind = "DAC"\nrate_gbps = 100\n'
        'connector_a = "QSFP28"\nconnector_b = "QSFP28"\n'
        f"stock_mm = {list(range(500, 30_500, 500))}\nprice_cents = {[5000] * 60}\nreach_mm = 30_000\npower_mw = 100\n"
        'diameter_um = 4500\nbend_mm = 45\nmass_g_per_m = 40\ndelay_ps_per_m = 4500\nsource = "a shop"\nconfidence = "C"\n'
    )
    plan = made({"end_min_mm": 0, "loop_min_mm": 0}, catalog=STUDY["catalog"] | {"files": [str(rows)], "cables": ["flat"]})
    assert not plan.cables.slack_below_mm.any()
    assert plan.violations.items == ()


@pytest.mark.slow
def test_overridden_lengths_keep_their_slack(tmp_path):
    lines = tmp_path / "lengths.csv"
    lines.write_text("cable,run_mm,add_mm\n1,4000,\n2,,10\n")
    plan = made({"end_min_mm": 0, "loop_min_mm": 0}, cabling={"overrides": str(lines)})
    assert plan.cables.run_mm[0] == 4000
    assert not plan.cables.slack_below_mm[:2].any()
    assert not plan.cables.slack_above_mm[:2].any()
    assert plan.violations.items == ()


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"custom_lengths": True}, {"prefer": "delay"}, {"prefer": "power"}])
def test_it_agrees_with_other_purchases(settings):
    plan = made({"end_min_mm": 100, "loop_min_mm": 100, "percent": 3.0}, cabling=settings)
    assert plan.violations.items == ()


@pytest.mark.slow
def test_a_limit_of_link_lengths_holds(nominal):
    links = nominal.inventory.is_link
    limit = int(nominal.cables.run_mm[links].max()) - 100
    plan = made({"end_min_mm": 0, "loop_min_mm": 0}, placement=STUDY["placement"] | {"longest_mm": limit})
    assert plan.cables.run_mm[links].max() <= limit
    assert plan.violations.items == ()


def test_a_minimum_above_nominal_is_refused_before_anything_runs(nominal):
    slack = Slack(end_min_mm=400, loop_mm=100, loop_min_mm=101)
    with pytest.raises(InputError) as refused:
        examine(nominal.inventory, nominal.catalog, nominal.room, slack=slack)
    places = [(problem.place, problem.message) for problem in refused.value.problems]
    assert places == [
        ("slack.end_min_mm", "400 is more than end_mm = 300"),
        ("slack.loop_min_mm", "101 is more than loop_mm = 100"),
    ]


@pytest.mark.slow
def test_trunks_keep_nominal_slack():
    plan = planned("trunks")
    assert not plan.cables.slack_below_mm[plan.cables.carried].any()
