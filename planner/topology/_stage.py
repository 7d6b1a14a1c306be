"""The stage `topology`."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

from planner.catalog._stage import devices_of
from planner.errors import InputError
from planner.inventory.attached import Endpoints, endpoints_of
from planner.keep import continued, read
from planner.model import Topology
from planner.section import Section, Variant
from planner.stage import Run, Stage
from planner.topology import build

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
    return endpoints_of(number, run.study.networks, run.study.sections["node"]["node"], graph, devices_of(run))


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
        network_needs=(),
        section=SECTION,
        preview=lambda arguments, _: build(**arguments),
        # Of several networks: the ports that are attached to each. A kept plan continues in the network.
        reads=("network", "node", "keep"),
        is_input=True,
        seeded=False,
        of_each_network=True,
        attached_needs=("catalog",),
    ),
)
