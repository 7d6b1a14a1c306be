"""Directors: their links are on line cards in printed order, line cards that an attachment names serve it alone."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner.check.networks import line_cards_in_printed_order, links_follow_their_networks
from planner.studies import pipeline, study

# 16 leaves with 20 uplinks each to one director of 20 line cards with 40 ports: cards 1 to 8 are full, the others empty.
DIRECTOR = {
    "name": "director",
    "seed": 1,
    "catalog": {"cabinet": "hpe-10648-g2"},
    "room": {"plan": "hall-a"},
    "placement": {"moves": 1_000, "bounds": False},
    "node": [{"name": "n", "part": "server-one-unit-200g", "count": 320, "per_cabinet": 20}],
    "cabinets": [{"name": "core", "count": 2}],
    "network": [
        {
            "name": "ib",
            "topology": {"family": "leafspine", "leaves": 16, "spines": 1, "uplinks": 20, "endpoints_per_leaf": 20},
            "parts": {"leaf": "nvidia-qm8700", "spine": "nvidia-cs8500"},
            "place": {"leaf": "n", "spine": "core"},
            "attach": [{"node": "n", "ports": "ports", "rule": "near"}],
        }
    ],
}


@pytest.fixture(scope="module")
def plan():
    return pipeline.make(study.check(DIRECTOR, base=Path()), accepted=False)


@pytest.mark.slow
def test_links_of_a_director_are_on_its_line_cards_in_printed_order(plan):
    inventory, director = plan.inventory, 16
    at = inventory.ends == director
    assert np.bincount(inventory.port_group[at]).tolist() == [40] * 8
    # Ports are printed over all line cards: the first link is at leaf01/1, the 320th at leaf08/40.
    printed = [inventory.part_of(director).port_names[port - 1] for port in sorted(plan.cables.port[at].tolist())]
    assert printed == [f"leaf{card:02}/{port}" for card in range(1, 9) for port in range(1, 41)]
    assert [item for item in plan.violations.items if item.severity == "error"] == []


@pytest.mark.slow
def test_the_rule_finds_links_on_other_line_cards(plan):
    group = plan.inventory.port_group.copy()
    rows = np.flatnonzero((plan.inventory.ends == 16).any(axis=1))
    group[rows[[0, -1]], 1] = group[rows[[-1, 0]], 1]
    [found] = line_cards_in_printed_order(replace(plan, inventory=replace(plan.inventory, port_group=group)))
    assert found.where == "ib-spine1"
    assert not list(links_follow_their_networks(plan))


@pytest.mark.slow
def test_a_line_card_that_an_attachment_names_serves_it_alone():
    """Sixty nodes at one director and eight storage boxes at its second card: the nodes fill cards 1 and 3."""
    content = {
        **DIRECTOR,
        "node": [
            {"name": "n", "part": "server-one-unit-200g", "count": 60, "per_cabinet": 20},
            {"name": "disk", "part": "server-one-unit-200g", "count": 8, "cabinets": "core"},
        ],
        "network": [
            {
                "name": "ib",
                "topology": {"family": "leaves", "leaves": 1, "endpoints_per_leaf": 100},
                "parts": {"leaf": "nvidia-cs8500"},
                "place": {"leaf": "core"},
                "attach": [
                    {"node": "n", "ports": "ports", "rule": "fill"},
                    {"node": "disk", "ports": "ports", "rule": "fill", "router_ports": "leaf02"},
                ],
            }
        ],
    }
    plan = pipeline.make(study.check(content, base=Path()), accepted=False)
    at = plan.inventory.ends == 0
    assert np.bincount(plan.inventory.port_group[at], minlength=4).tolist() == [40, 8, 20, 0]
    assert [item for item in plan.violations.items if item.severity == "error"] == []
