"""Stages are declared once, in their folders; records, sections, rules and quantities follow."""

import dataclasses

import pytest

from planner.check import AGAINST_SOURCE, RULES
from planner.core.errors import CheckFailed
from planner.core.record import Record
from planner.core.registry import KINDS
from planner.domain.model import Plan
from planner.domain.model.plan import RECORDS
from planner.domain.quantities import QUANTITIES
from planner.studies.stages import NETWORK_STAGES, SECTIONS, STAGES, ordered


def test_each_stage_comes_after_those_that_it_needs():
    for known in (STAGES, NETWORK_STAGES):
        names = list(known)
        for name, stage in known.items():
            assert all(names.index(need) < names.index(name) for need in stage.needs)


def test_each_stage_has_a_record_of_the_plan_and_each_record_a_stage():
    assert {name: stage.record for name, stage in STAGES.items()} == RECORDS
    plan = Plan("empty", "", {})
    assert all(getattr(plan, name) is None for name in STAGES)
    own = {"name", "title", "study", "others", "network", "quantities", "provenance"}
    assert {field.name for field in dataclasses.fields(Plan)} == own | {*STAGES}


def test_a_plan_has_no_other_records():
    with pytest.raises(AttributeError):
        Plan("empty", "", {}).placment  # noqa: B018
    with pytest.raises(TypeError):
        Plan("empty", "", {}, placment=None)


def test_ranks_leave_no_order_open():
    assert len({stage.rank for stage in STAGES.values()}) == len(STAGES)
    assert list(STAGES)[-1] == "violations", "the verifier reads all other records"


def test_stages_read_sections_that_exist():
    for stage in STAGES.values():
        assert set(stage.sections) <= set(SECTIONS)
    for section in SECTIONS.values():
        assert {*section.elements, *([section.variant.kind] if section.variant else [])} <= set(KINDS)


def test_needs_that_cannot_be_met():
    class One(Record, name="one"):
        pass

    class Two(Record, name="two"):
        pass

    stage = STAGES["bisection"]
    one = dataclasses.replace(stage, record=One, rank=1, needs=("two",))
    two = dataclasses.replace(stage, record=Two, rank=2, needs=())
    assert list(ordered({one.name: one, two.name: two})) == ["two", "one"]
    with pytest.raises(CheckFailed, match="one, two cannot be met"):
        ordered({"one": one, "two": dataclasses.replace(two, needs=("one",))})


def test_rules_have_an_order_a_meaning_and_a_name_of_their_own():
    for rules in (RULES, AGAINST_SOURCE):
        assert len({rule.order for rule in rules}) == len(rules)
    assert len({rule.__name__ for rule in (*RULES, *AGAINST_SOURCE)}) == len(RULES) + len(AGAINST_SOURCE)
    assert all(rule.__doc__ for rule in (*RULES, *AGAINST_SOURCE))


def test_quantities_need_records_that_exist_and_have_names_of_their_own():
    assert len({quantity.name for quantity in QUANTITIES}) == len(QUANTITIES)
    assert all(set(quantity.needs.split()) <= STAGES.keys() for quantity in QUANTITIES)
