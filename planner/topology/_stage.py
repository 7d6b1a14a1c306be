"""The stage `topology`."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from planner.catalog._stage import devices_of
from planner.inventory.attached import Endpoints, endpoints_of
from planner.model import Topology
from planner.section import Section, Variant
from planner.stage import Run, Stage
from planner.topology import build

SECTION = Section("topology", (build,), given=("progress",), variant=Variant("topology", "family"))


def endpoints(run: Run, number: int) -> Endpoints:
    """Return the endpoints of one of several networks."""

    @cache
    def graph(other: int) -> Topology:
        return build(**run.study.networks[other].topology)

    return endpoints_of(number, run.study.networks, run.study.sections["node"]["node"], graph, devices_of(run))


def _topology(run: Run) -> Topology:
    network = build(**run.arguments("topology"), progress=run.progress)
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
        # Of several networks: the ports that are attached to each.
        reads=("network", "node"),
        is_input=True,
        seeded=False,
        of_each_network=True,
        attached_needs=("catalog",),
    ),
)
