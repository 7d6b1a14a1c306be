"""Spread rules: kept by every packing and every search, checked from the records, refused where they cannot be kept."""

from dataclasses import replace

import numpy as np
import pytest

from planner.check import check
from planner.core import registry
from planner.core.errors import Infeasible, InputError
from planner.design.placement import Spread, place, problem
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology
from planner.studies import pipeline, study

TREE = topology.build("fattree", k=4, levels=2, clos=True, endpoints_per_leaf=4)
SPINES = np.flatnonzero(TREE.coords[:, TREE.coord_names.index("level")] == 1)


@pytest.fixture(scope="module")
def lengths(edr):
    return Lengths(floor.room("hall-a", routers=1), edr.cabinet, Slack())


def max_spines(placed):
    return int(np.bincount(placed.cabinet[SPINES]).max())


@pytest.mark.slow
@pytest.mark.parametrize("packing", registry.names("packing"))
@pytest.mark.parametrize("at_most", [1, 2, 3])
def test_every_packing_spreads(edr, lengths, packing, at_most):
    rules = {"spread": (Spread(at_most=at_most, where={"level": 1}),), "groups": "ignored", "packing": packing}
    posed = problem(TREE, edr, lengths, **rules)
    assert np.bincount(posed.packing.cabinet_of[SPINES]).max() <= at_most


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["auto", "anneal", "assignment", "random", "tabu"])
def test_every_search_keeps_the_rule(edr, lengths, algorithm):
    effort = {"moves": 5_000} if algorithm in ("auto", "anneal", "multilevel", "tabu") else {}
    spread = (Spread(at_most=2, routers=tuple(SPINES.tolist())), Spread(at_most=3, routers=(0, 1, 2, 3, 4)))
    groups = {"groups": "ignored"} if algorithm != "auto" else {}
    placed = place(TREE, edr, lengths, seed=1, algorithm=algorithm, bounds=False, spread=spread, **groups, **effort)
    assert max_spines(placed) <= 2
    assert np.bincount(placed.cabinet[:5]).max() <= 3


def test_members_of_a_set_still_change_places(edr, lengths):
    posed = problem(TREE, edr, lengths, groups="ignored", spread=(Spread(at_most=2, where={"level": 1}),))
    assert len(np.unique(posed.swap_class[SPINES])) == 1
    assert posed.swap_class[SPINES[0]] != posed.swap_class[0]


def test_each_group_of_a_level_is_a_set(edr, lengths):
    network = topology.build("dragonfly", a=4, h=1, endpoints_per_router=2)
    placed = place(
        network, edr, lengths, seed=1, algorithm="identity", groups="ignored", spread=(Spread(at_most=2, groups="group"),)
    )
    for number in np.unique(network.group[:, 0]):
        assert np.bincount(placed.cabinet[: network.router_count][network.group[:, 0] == number]).max() <= 2


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Spread(at_most=1), "gives no set"),
        (Spread(at_most=1, routers=(1, 2), groups="pod"), "several forms"),
        (Spread(at_most=1, routers=(1, 99)), "there is no router 99 in a network of 12"),
        (Spread(at_most=1, groups="pods"), "did you mean pod"),
        (Spread(at_most=1, where={"levle": 1}), "did you mean level"),
        (Spread(at_most=1, where={"level": 7}), "no router has these coordinates"),
    ],
)
def test_wrong_rules_are_refused(edr, lengths, rule, message):
    with pytest.raises(InputError, match=message):
        place(TREE, edr, lengths, seed=1, spread=(rule,))


def test_what_cannot_be_spread_is_refused(edr, lengths):
    few = replace(lengths, room=floor.room("spectralfly", routers=12, cabinets=2, cabinet_routers=6))
    with pytest.raises(Infeasible):
        place(TREE, edr, few, seed=1, algorithm="identity", groups="ignored", spread=(Spread(at_most=1, where={"level": 1}),))
    with pytest.raises(Infeasible, match="must stay whole"):
        place(
            TREE, edr, lengths, seed=1, algorithm="identity", groups="required", spread=(Spread(at_most=1, where={"level": 1}),)
        )


STUDY = {
    "name": "spread",
    "topology": {"family": "fattree", "k": 4, "levels": 2, "clos": True, "endpoints_per_leaf": 4},
    "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"},
    "room": {"plan": "lab", "cabinet_routers": 4},
}


@pytest.mark.slow
def test_the_verifier_counts_and_warns():
    """All spines in one cabinet: a warning by default, an error where the study states otherwise; none once they are spread."""
    whole = {"algorithm": "identity", "groups": "required", "endpoints": "together"}
    plan = pipeline.make(study.check(STUDY | {"placement": whole}), ["violations"])
    cut = [item for item in plan.violations.items if item.rule == "no_cabinet_parts_the_rest"]
    assert len(cut) == 1
    assert cut[0].severity == "warning"
    # Eight leaves of four servers each: without spines only the pairs of one leaf are left.
    leaves, servers = 8, 4
    left = leaves * servers * (servers - 1) / (leaves * servers * (leaves * servers - 1))
    assert cut[0].value == pytest.approx(100 * (1 - left))
    rules = [{"at_most": 2, "where": {"level": 1}}]
    asked = study.check(STUDY | {"placement": {"groups": "ignored", "endpoints": "together", "spread": rules}})
    spread = pipeline.make(asked, ["violations"])
    assert spread.violations.items == ()
    broken = replace(plan, study=spread.study)
    assert [item.rule for item in check(broken).errors] == ["routers_spread_as_configured"]
