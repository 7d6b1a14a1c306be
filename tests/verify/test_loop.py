"""The loop with the real tools: errors are planted in a simulated fabric, found, and mended by the moves."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from shared.gallery import planned
from shared.simulated_fabric import SCANS, SimulatedFabric, plant
from shared.small_plans import make_plan

from planner.fabric.verify import verified
from planner.fabric.verify.outputs.json import text
from planner.formats import write
from planner.studies import pipeline, study

NODES = Path(__file__).parents[1] / "data/verify/cases/nodes-not-identified/study.toml"

SETS = [3, pytest.param(20, marks=pytest.mark.nightly)]
"""How many sets of errors are planted."""


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    """A Slim Fly, a fat tree, and nodes at one of several networks, with their schedules."""
    folder = tmp_path_factory.mktemp("loop")
    slimfly = planned("slimfly-200", folder / "slimfly")
    tree = make_plan(name="tree", family="fattree", k=4, simulate=False)
    nodes = pipeline.run(study.load(NODES, ["report.formats=[]"]), out=folder / "nodes")
    return {each.name: (each, write(each, folder, "csv")) for each in (slimfly, tree, nodes)}


@pytest.mark.slow
@pytest.mark.parametrize("sets", SETS)
@pytest.mark.parametrize("name", [pytest.param("slimfly-200", marks=pytest.mark.nightly), "tree", "mini"])
def test_planted_errors_are_found_and_mended(name, sets, plans, tools, tmp_path):
    plan, schedule = plans[name]
    fabric = SimulatedFabric.of(plan, tmp_path)
    first = verified(schedule, list(fabric.scanned().values()))
    assert first.clean, first.findings
    as_planned = dict(fabric.far)
    for seed in range(sets):
        rng = random.Random(seed)
        fabric.far = dict(as_planned)
        done = plant(fabric, rng, rng.randint(1, 6))
        # Strict, since one of the plans has parallel links.
        found = verified(schedule, list(fabric.scanned(rng.choice(sorted(SCANS))).values()), strict=True)
        wrong = links(fabric, fabric.far) - links(fabric, as_planned)
        stated = json.loads(text(found))["wrong"]
        assert {frozenset(map(tuple, pair)) for pair in stated} == wrong, (seed, done)
        assert not found.unknown
        mend(fabric, found)
        assert fabric.far == as_planned, (seed, done, found.moves)
    assert verified(schedule, list(fabric.scanned().values())).clean


def links(fabric, far):
    """Return the links by device and port."""
    names = fabric.names
    return {frozenset([(names[a], m), (names[b], n)]) for (a, m), (b, n) in far.items()}


def mend(fabric, found):
    """Carry out the removals, the moves in their order, and the additions, plug by plug."""
    node_of = {name: node for node, name in fabric.names.items()}

    def at(device, port):
        return node_of[device], port if fabric.is_switch(node_of[device]) else 1

    for removal in found.removals:
        assert fabric.unplug(at(*removal.ports[0])) == at(*removal.ports[1])
    cables = [list(pair) for pair in {tuple(sorted(pair)) for pair in fabric.far.items()}]
    plug_in = {port: (cable, end) for cable in cables for end, port in enumerate(cable)}
    held = {}
    moves = sorted(found.moves, key=lambda move: move.order)
    for move in moves:
        plug = plug_in.pop(at(move.device, move.from_port))
        target = at(move.to_device, move.to_port)
        if move.hold:
            held[move.component] = plug, target
        else:
            assert target not in plug_in, "a plug goes into a port that is in use"
            plug_in[target] = plug
        if move.component in held and not any(other.component == move.component for other in moves[moves.index(move) + 1 :]):
            plug, target = held.pop(move.component)
            assert target not in plug_in
            plug_in[target] = plug
    assert not held
    for port, (cable, end) in plug_in.items():
        cable[end] = port
    fabric.far = {}
    for one, other in cables:
        fabric.join(one, other)
    for addition in found.additions:
        fabric.join(*(at(*port) for port in addition.ports))
