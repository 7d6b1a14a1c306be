"""The stage `topology`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

from planner.core.errors import InputError
from planner.core.section import Section, Variant
from planner.design.inventory.attached import Endpoints, endpoints_of
from planner.design.inventory.boxes import Boxes, boxes
from planner.design.inventory.built import Built
from planner.design.keep import continued
from planner.domain.model import Topology
from planner.network.topology import build
from planner.studies.old_plans import read
from planner.studies.stage import Run, Stage
from planner.studies.stages.catalog import devices_of

SECTION = Section("topology", (build,), given=("progress",), variant=Variant("topology", "family"))


def bare(run: Run, number: int) -> Topology:
    """Return a network of the study without attached nodes: in a study that keeps a plan, as it continues the kept one."""
    try:
        network = build(**run.study.of(number).sections["topology"], progress=run.progress)
    except InputError as error:
        if not run.study.networks:
            raise
        # Others may attach their routers to it: whichever needs it first, the place is the same.
        raise error.located(run.study.file, f"network.{number}.topology", run.study.lines) from None
    keep = run.arguments("keep")
    if not keep or not run.study.physical:
        return network
    expanded, name = run.study.expanded(), run.study.network_names[number]
    given = expanded["network"][number]["topology"] if name else expanded["topology"]
    try:
        return continued(read(keep["plan"]), name, network, given, keep["growth"], run.progress)
    except InputError as error:
        raise error.located(run.study.file, lines=run.study.lines) from None


def endpoints(run: Run, number: int) -> Endpoints:
    """Return the endpoints of one of several networks."""
    graph = cache(partial(bare, run))
    networks, nodes = run.study.networks, run.study.nodes
    return endpoints_of(number, networks, nodes, graph, devices_of(run), cache(partial(placed, run, graph)))


def placed(run: Run, graph: Callable[[int], Topology]) -> Boxes:
    """Return the devices of several networks and their cabinets, given the topologies of the networks without endpoints."""
    study, keep = run.study, run.arguments("keep")
    low, high = run.arguments("placement")["interior"].span(run.catalog)
    units = high - low + 1 - run.room.existing.keep_free.of("units", run.catalog.cabinet.units)
    old = read(keep["plan"]) if keep else None
    return boxes(
        study.networks,
        study.nodes,
        run.arguments("cabinets").get("cabinets", ()),
        [graph(number) for number in range(len(study.networks))],
        run.catalog.cabinet,
        {name: replace(part, units=units) if part.freestanding else part for name, part in devices_of(run).items()},
        units=units,
        power_mw=int(run.room.power_left_mw.max()),
        built=None if old is None else Built(old.cabinets, old.far, old.inventory, keep["overflow"]),
        wanted=None if old is None else old.parts(keep["replace"]),
    )


def _topology(run: Run) -> Topology:
    network = bare(run, run.network)
    if run.study.networks:
        return replace(network, endpoint_router=endpoints(run, run.network).router, endpoint_names=())
    return network


STAGES = (
    Stage(
        record=Topology,
        run=_topology,
        rank=10,
        section=SECTION,
        preview=lambda arguments, _: build(**arguments),
        # Of several networks: the ports that are attached to each. A kept plan continues in the network.
        reads=("network", "node", "cabinets", "placement", "keep"),
        is_input=True,
        seeded=False,
        of_each_network=True,
        # Ports that are attached near their devices need the content of cabinets.
        attached_needs=("catalog", "room"),
    ),
)
