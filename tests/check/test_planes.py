"""A plan with a network of planes that are not joined, which is simulated: figures, verifier, and what is refused."""

from copy import deepcopy
from dataclasses import replace
from itertools import permutations

import networkx
import numpy as np
import pytest
from shared.plans import STUDIES, planned, source

from planner.check import check
from planner.check.bisection import bisection_bounds_hold
from planner.check.failures import failures_of_the_plan
from planner.core.errors import InputError
from planner.core.progress import silent
from planner.design.failures.pairs import separated
from planner.domain.model import Domain
from planner.studies import pipeline, study
from planner.studies.stage import Run
from planner.studies.stages import STAGES


@pytest.fixture(scope="module")
def planes():
    return planned("planes")


@pytest.mark.slow
def test_the_simulation_is_of_the_named_network(planes):
    """The compute network has eight links, two planes of sixteen endpoints each; the first network four links."""
    assert (planes.topology.link_count, planes.of_section("simulation").topology.link_count) == (4, 8)
    assert planes.simulation.link_load.shape[1] == 2 * 8
    # Each of four nodes has eight ports, four in each plane: four interfaces.
    assert (planes.workload.ranks.tolist(), planes.workload.ports.tolist()) == ([16, 12], [2, 2])
    assert check(planes, source("planes")).items == ()


@pytest.mark.slow
def test_the_order_of_networks_does_not_matter_to_the_simulation(planes):
    turned = deepcopy(STUDIES["planes"])
    turned["network"].reverse()
    again = pipeline.make(study.check({"name": "planes", "seed": 1, **turned}), ("simulation", "workload"))
    # Cables are of the same kinds; lengths depend on the placement, and delays on lengths.
    assert again.simulation.virtual_channels == planes.simulation.virtual_channels
    assert again.simulation.generated.tolist() == planes.simulation.generated.tolist()
    assert again.workload.ranks.tolist() == planes.workload.ranks.tolist()
    assert again.workload.messages.tolist() == planes.workload.messages.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("section", ["simulation", "workload"])
def test_unknown_networks_are_refused_before_anything_runs(section):
    wrong = deepcopy(STUDIES["planes"])
    wrong[section] |= {"network": "comput"}
    with pytest.raises(InputError, match=rf"{section}\.network: there is no network 'comput'; did you mean compute"):
        study.check({"name": "planes", "seed": 1, **wrong})
    alone = deepcopy(STUDIES["plain"])
    alone[section] |= {"network": "compute"}
    with pytest.raises(InputError, match=rf"{section}\.network: the only network of a study with \[topology\] has no name"):
        study.check({"name": "plain", "seed": 1, **alone})


def test_planes_that_do_not_fit_are_refused_before_anything_runs():
    wrong = deepcopy(STUDIES["planes"])
    wrong["simulation"] |= {"network": "inband"}
    with pytest.raises(InputError, match=r"simulation\.planes: leafspine has no planes to distribute packets over"):
        pipeline.make(study.check({"name": "planes", "seed": 1, **wrong}), accepted=False)


def test_failures_of_planes_are_those_of_nodes(planes):
    """No cabinet of switches separates nodes while the other plane is left: by NetworkX, node by node."""
    compute = planes.of("compute")
    found, inventory, topology = compute.failures, compute.inventory, compute.topology
    assert found.nodes == 4
    assert (found.pairs_failed[0], found.pairs_disconnected[0]) == (0, 0)
    slots = planes.placement.slot[: inventory.device_count]
    for number in np.flatnonzero(found.kind == found.kinds.index("cabinet")).tolist():
        failed = slots == planes.room.slot_names.index(found.names[number])
        graph = networkx.Graph()
        routers = np.arange(inventory.device_count)[inventory.routers()]
        graph.add_nodes_from(device for device in routers.tolist() if not failed[device])
        graph.add_edges_from((a, b) for a, b in inventory.ends[inventory.links()].tolist() if not (failed[a] or failed[b]))
        nodes = np.unique(inventory.ends[inventory.endpoints(), 1]).tolist()
        graph.add_edges_from(
            (leaf, (node, leaf))
            for leaf, node in inventory.ends[inventory.endpoints()].tolist()
            if not (failed[leaf] or failed[node])
        )
        homes = {node: {leaf for leaf in routers.tolist() if graph.has_node((node, leaf))} for node in nodes}
        alive = [node for node in nodes if homes[node]]
        apart = [
            (one, two)
            for one, two in permutations(alive, 2)
            if not any(networkx.has_path(graph, a, b) for a in homes[one] for b in homes[two])
        ]
        assert found.pairs_failed[number] == 4 * 3 - len(alive) * (len(alive) - 1)
        assert found.pairs_disconnected[number] == len(apart)
    # One plane without any router: every node has its ports in the other one.
    one = [Domain("plane", "0", routers=np.flatnonzero(compute.bisection.plane == 0)), Domain("leaf", "0", routers=np.array([0]))]
    assert separated(topology, one, found.node).tolist() == [[0, 0], [0, 0]]


def test_the_bisection_of_planes_is_that_of_each(planes):
    """Two leaves with a link to each of two spines: halves of a leaf and a spine cut two of four links."""
    found = planes.of("compute").bisection
    assert (found.lower, found.upper, found.plane.tolist()) == (4, 4, [0] * 4 + [1] * 4)
    wrong = replace(found, side=np.array([0, 0, 0, 0, 1, 1, 1, 1], np.uint8), upper=0, lower=0, spectral=0.0, found={"cut": 0})
    one = replace(planes, quantities={}, others=planes.others | {"compute": planes.others["compute"] | {"bisection": wrong}})
    assert {item.where for item in bisection_bounds_hold(one.of("compute"))} >= {"the halves of plane 0", "spectral bound"}


def test_nodes_of_failures_are_verified(planes):
    found = planes.of("compute").failures
    for node in (np.arange(32), np.roll(found.node, 1)):
        wrong = replace(found, node=node.astype(np.int32))
        one = replace(planes, others=planes.others | {"compute": planes.others["compute"] | {"failures": wrong}})
        assert list(failures_of_the_plan(one.of("compute")))


@pytest.mark.slow
def test_cables_have_the_rate_of_their_slower_port(planes):
    """The compute ports of the nodes at half the rate of the leaves: no endpoint accepts more than half a phit per cycle."""
    inventory = planes.inventory
    assert set(inventory.rates_gbps(1).tolist()) == {400}
    part = next(part for part in inventory.parts if part.id == "dgx-h100")
    slow = replace(part, port=tuple(replace(group, rate_gbps=200) if group.name == "compute" else group for group in part.port))
    changed = replace(inventory, parts=tuple(slow if each is part else each for each in inventory.parts))
    assert changed.rates_gbps(1).tolist() == [400] * 8 + [200] * 32
    given = deepcopy(STUDIES["planes"])
    given["simulation"] |= {"loads": [0.9], "traffic": "permutation", "warmup": 4000, "cycles": 4000}
    checked = study.check({"name": "planes", "seed": 1, **given})
    accepted = []
    for one in (inventory, changed):
        records = {name: getattr(planes.of("compute"), name) for name in ("topology", "cables", "room", "placement")}
        run = Run(checked, silent, None, records | {"inventory": one.of(1)})
        accepted.append(float(STAGES["simulation"].run(run).accepted[0]))
    assert accepted[1] <= 0.505 < 0.8 * accepted[0]
    assert accepted[1] > 0.4
