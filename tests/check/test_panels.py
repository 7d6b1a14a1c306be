"""Rules of panels: sound plans break none, and no field of the record is changed without a rule that notices."""

from dataclasses import replace

import pytest
from shared.bundled_plans import KINDS, OVER_PANELS, planned
from shared.mutations import changes

from planner.check import panel_jumpers, panels
from planner.check.basis.rule import declared_rules
from planner.check.references import references_resolve

RULES = [rule for rule in declared_rules() if rule.__module__ in (panels.__name__, panel_jumpers.__name__)]
QUICK = (("trunk", True), ("multicore", False))
PLANS = [*((kind, False) for kind in OVER_PANELS), ("trunk", True), ("trunk by cabinets", True), ("shuffle", True)]


def small(kind, duplex):
    """Return a small plan; one of more cabinets, so that both zones have some, where panels are those of zones."""
    return planned(kind, q=7 if "zones" in kind else 5, duplex=duplex)[0]


def found(plan):
    broken = [item.rule for item in references_resolve(plan)]
    return broken or [item for rule in RULES for item in rule(plan)]


def some(plans, quick):
    return [plan if plan in quick else pytest.param(*plan, marks=pytest.mark.slow) for plan in plans]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "duplex"), some([*((kind, False) for kind in KINDS), *PLANS[-3:]], [*QUICK, ("trunk", False), ("shuffle", False)])
)
def test_sound_panels_break_no_rule(kind, duplex):
    plan = small(kind, duplex)
    assert len(RULES) == 7
    assert found(plan) == []
    assert len(plan.panels.row) == plan.cables.carried.sum()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "duplex"), some(PLANS, QUICK))
def test_every_change_is_found(kind, duplex):
    plan = small(kind, duplex)
    unseen, seen = [], 0
    for field, what, changed in changes(plan.panels):
        if isinstance(changed, Exception):
            continue
        seen += 1
        if not found(replace(plan, panels=changed)):
            unseen.append(f"{field}: {what}")
    assert seen > 40
    assert unseen == []
