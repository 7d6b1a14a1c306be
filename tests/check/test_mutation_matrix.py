"""No field of a finished plan is changed without a rule that notices, but for the short list of the page, with its reasons."""

from itertools import islice

import pytest
from shared.matrix import BUILT_AGAIN, SIMULATED, mutants, noticed, noticed_by, table
from shared.plans import STUDIES, planned, source

from planner.check import AGAINST_SOURCE, RULES, check

EXCEPTED = {(record, field) for record, field, _ in table("Fields without a rule")}
GUARDS = {(record, field): rule for record, field, rule in table("Rules by field")}


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_plans_as_they_are_break_no_rule(name):
    assert check(planned(name), source(name)).items == ()


EVERY = {name: 2 if name == "plain" else 6 for name in STUDIES}
"""Which of its changes are made to a plan daily: every second, or every sixth. Nightly all are made."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "every"),
    [*EVERY.items(), *(pytest.param(name, 1, marks=pytest.mark.nightly) for name in STUDIES if EVERY[name] > 1)],
)
def test_every_change_is_found(name, every):
    """By the rule that guards the field, by one that found another change of it, or else by any other."""
    unseen = []
    guards = {key: {rule} for key, rule in GUARDS.items()}
    for mutant in islice(mutants(name), 0, None, every):
        key = (mutant.record, mutant.field)
        own = guards.setdefault(key, set())
        if key not in EXCEPTED and not any(noticed_by(rule, name, mutant) for rule in sorted(own)):
            rules = noticed(name, mutant)
            own |= rules
            if not rules:
                unseen.append(f"{mutant.record}.{mutant.field}: {mutant.what}")
    assert unseen == []


def test_few_fields_outside_simulations_are_excepted():
    assert len({field for field in EXCEPTED if field[0] not in SIMULATED}) <= 10


@pytest.mark.slow
def test_every_field_is_on_the_page():
    fields = {(mutant.record, mutant.field) for name in STUDIES for mutant in mutants(name) if mutant.record not in BUILT_AGAIN}
    assert fields - GUARDS.keys() - EXCEPTED == set()
    assert all(GUARDS[record, "every field"] == "records_follow_the_study" for record in BUILT_AGAIN)


@pytest.mark.slow
def test_the_rule_on_the_page_notices_a_change_of_its_field():
    rules = {rule.__name__: rule for rule in RULES} | {
        rule.__name__: lambda plan, rule=rule: rule(plan, source_of[plan.name]) for rule in AGAINST_SOURCE
    }
    source_of = {planned(name).name: source(name) for name in STUDIES}
    waiting = {key: rule for key, rule in GUARDS.items() if rule in rules and key[0] not in BUILT_AGAIN}
    for name in STUDIES:
        for mutant in mutants(name):
            rule = waiting.get((mutant.record, mutant.field))
            if rule and mutant.plan is not None and _finds(rules[rule], mutant.plan):
                del waiting[mutant.record, mutant.field]
    assert waiting == {}


def _finds(rule, plan):
    try:
        return any(True for _ in rule(plan))
    except Exception:  # the verifier reports such plans as ones that the rule cannot evaluate
        return True
