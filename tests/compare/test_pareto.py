"""Fronts against the definition, for random figures with many ties."""

from random import Random
from types import SimpleNamespace

import pytest

from planner.studies.compare.measures import Measure, best
from planner.studies.compare.pareto import Objective, front, ranking

OBJECTIVES = (Objective("cost", "cost"), Objective("speed", "speed", -1), Objective("delay", "delay"))


def networks(seed):
    draw = Random(seed)
    return [
        SimpleNamespace(label=f"n{number}", figures={each.figure: draw.randint(1, 4) for each in OBJECTIVES})
        for number in range(20)
    ]


def beats(one, other):
    worse = [sign * one.figures[name] > sign * other.figures[name] for name, sign in (("cost", 1), ("speed", -1), ("delay", 1))]
    return not any(worse) and one.figures != other.figures


@pytest.mark.parametrize("seed", range(10))
def test_dominated_is_what_another_beats(seed):
    known = networks(seed)
    found = ranking(known, OBJECTIVES)
    for one in known:
        better = [other.label for other in known if beats(other, one)]
        assert found.dominated.get(one.label, []) == sorted(better, key=lambda label: label in found.dominated)
    on_front = {one.label for one in known if one.label not in found.dominated}
    assert {one.label for one in front(known, OBJECTIVES)} == on_front
    # Whoever is beaten is beaten by one on the front.
    assert all(on_front & set(better) for better in found.dominated.values())


def test_a_network_without_a_figure_is_not_ranked():
    known = networks(1)
    del known[3].figures["speed"]
    found = ranking(known, OBJECTIVES)
    assert list(found.unranked) == ["n3"]
    assert found.verdict("n3") == "not ranked: no speed"
    assert all("n3" not in better for better in found.dominated.values())


def test_a_plan_that_breaks_rules_is_neither_ranked_nor_the_best():
    known = [SimpleNamespace(label=f"n{cost}", figures={"cost": cost, "errors": 2 - cost}) for cost in range(1, 4)]
    known[1].figures["errors"] = known[2].figures["errors"] = 0
    found = ranking(known, [Objective("cost", "cost")])
    assert found.verdict("n1") == "not ranked: 1 design rule violated"
    assert found.verdict("n2") == "on the front"
    assert best(Measure("cost", "cost", "", "", "lower"), known) == 2
    assert best(Measure("errors", "rules broken", "", "", "lower"), known) == 0


def test_many_that_dominate_are_counted():
    known = [SimpleNamespace(label=f"n{cost}", figures={"cost": cost}) for cost in range(6)]
    found = ranking(known, [Objective("cost", "cost")])
    assert found.verdict("n5") == "dominated by n0, n1, n2 and 2 more"
    assert found.verdict("n0") == "on the front"
