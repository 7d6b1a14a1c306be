"""The embedded network: routers, queues, cables and faults for the packet engine."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from planner.core import registry
from planner.core.checking import faults
from planner.core.errors import InputError, PlannerWarning, Problem
from planner.domain.model import Topology
from planner.network.metrics import planes
from planner.simulation import deadlock
from planner.simulation.case import Case
from planner.simulation.dependencies import Dependencies
from planner.simulation.elements import element
from planner.simulation.faults import NEVER, stages
from planner.simulation.network import Network
from planner.simulation.queues import queues, virtual_channels
from planner.simulation.routers import ARBITRATIONS, RouterSettings, separated

_MAX_DELAY_CYCLES = 1_000_000


@dataclass(frozen=True)
class Embedding:
    """A network that can be simulated."""

    case: Case
    """Settings of all runs; traffic is added later."""
    cycle_ps: float
    """Time of one phit on a link."""
    phit_bytes: int
    checked: tuple[Dependencies, ...]
    """Results of the deadlock check, for the initial routing and those after faults; empty if deadlock is allowed."""


def embed(
    topology: Topology,
    delay_ps: np.ndarray,
    settings: RouterSettings | None = None,
    *,
    router_delay_ps: int,
    rate_gbps: float,
    link_rate: np.ndarray | None = None,
    cable_fails_at: np.ndarray | None = None,
    router_fails_at: np.ndarray | None = None,
) -> Embedding:
    """Return the network and its routers as settings of a run.

    A cycle is the time of one phit on a link. Delays are rounded up to whole cycles, at least one
    for a cable. The router model is described in ``docs/method/simulation.md``.

    Parameters
    ----------
    topology
        The network.
    delay_ps
        Delay of each cable, links first, then endpoints: int64 (L+H,).
    settings
        Settings of the routers; by default minimal routing with the usual queues.
    router_delay_ps
        Delay of a router, from the first phit in to the first phit out.
    rate_gbps
        Rate of all links.
    link_rate
        Rate of each cable as a multiple of `rate_gbps`, links first, then endpoints: float64 (L+H,); default 1.
    cable_fails_at
        Cycle at which each cable fails, links first, then endpoints: int32 (L+H,); 0 means failed from the start,
        `planner.simulation.faults.NEVER` never. Routing tables are recomputed at each such cycle.
    router_fails_at
        Cycle at which each router fails with all its cables, int32 (R,); values as for `cable_fails_at`.

    Raises
    ------
    InputError
        For a network or a parameter that cannot be simulated, or a routing with a cyclic channel dependency.

    References
    ----------
    .. [1] C. Camarero, C. Martínez, R. Beivide, "Polarized routing: an efficient and versatile algorithm for large
       direct networks", HOTI 2021 (the router model).
    """
    settings = settings or RouterSettings()
    timing = timed(
        topology, delay_ps, settings, router_delay_ps=router_delay_ps, rate_gbps=rate_gbps, link_rate=link_rate,
        cable_fails_at=cable_fails_at, router_fails_at=router_fails_at,
    )  # fmt: skip
    chosen, on_links, router_cycles = timing.chosen, timing.link_cycles, timing.router_cycles
    failed_cables = np.full(len(on_links), NEVER) if cable_fails_at is None else np.asarray(cable_fails_at)
    failed_routers = np.full(topology.router_count, NEVER) if router_fails_at is None else np.asarray(router_fails_at)
    prepare = element("routing", settings.routing, settings.routing_parameters)
    plane = planes(topology)
    if plane.any() and not getattr(registry.load("routing", settings.routing), "PLANES", False):
        message = f"{settings.routing} may leave the plane of a packet, and planes are not joined"
        raise InputError(Problem("routing", message, "use minimal, single_path, ecmp, valiant, ugal or, in trees, up_down"))
    network = Network(topology, on_links, link_rate, plane=plane if plane.any() else None)
    network, prepared, faults = stages(network, prepare, failed_cables, failed_routers)
    every = (prepared, *(fault.prepared for fault in faults))
    for limitation in dict.fromkeys(each.limitation for each in every if each.limitation):
        warnings.warn(limitation, PlannerWarning, stacklevel=3)
    needed = max(each.virtual_channels for each in every)
    channels = virtual_channels(settings, needed)
    case = Case(
        network=network,
        routing=settings.routing,
        prepared=prepared,
        channels=channels,
        packet_phits=settings.packet_phits,
        **queues(chosen, int(on_links.max()), router_cycles, channels)._asdict(),
        credit_cycles=chosen.credit_cycles,
        take_turns=int(chosen.injection == "turns"),
        arbitration=ARBITRATIONS.index(chosen.arbitration),
        crossbar_speedup=chosen.crossbar_speedup,
        input_speedup=chosen.input_speedup,
        faults=faults,
    )
    checked = () if settings.allow_deadlock else deadlock.checked(case)
    return Embedding(case, timing.cycle_ps, settings.phit_bytes, checked)


class Timing(NamedTuple):
    """Times of the cables and routers of a network."""

    chosen: Any
    """The settings with preset and defaults."""
    cycle_ps: float
    """Time of one phit on a link."""
    link_cycles: np.ndarray
    """Delay of each cable, links first, then endpoints, int32 (L+H,)."""
    router_cycles: int


def timed(
    topology: Topology,
    delay_ps: np.ndarray,
    settings: RouterSettings,
    *,
    router_delay_ps: int,
    rate_gbps: float,
    link_rate: np.ndarray | None = None,
    cable_fails_at: np.ndarray | None = None,
    router_fails_at: np.ndarray | None = None,
) -> Timing:
    """Return the times of cables and routers in cycles, for the arguments of `embed`.

    Raises
    ------
    InputError
        For a network or a parameter that cannot be simulated, whatever the routing.
    """
    problems = list(faults((RouterSettings,), vars(settings)))
    if problems:
        raise InputError(problems)
    # Values of the preset are in place of those that are not given.
    chosen: Any = settings.resolved(link_rate)
    rate_gbps = rate_gbps if settings.link_gbps is None else settings.link_gbps
    delay_ps = np.asarray(delay_ps, np.int64)
    failed_cables = np.full(len(delay_ps), NEVER) if cable_fails_at is None else np.asarray(cable_fails_at)
    failed_routers = np.full(topology.router_count, NEVER) if router_fails_at is None else np.asarray(router_fails_at)
    problems = settings.conflicts(chosen.flow_control)
    if chosen.flow_control == "wormhole":
        problems += _beyond_wormhole(link_rate, failed_cables, failed_routers)
    problems += _of_cables(topology, delay_ps, link_rate, failed_cables, failed_routers)
    problems += _of_rates(router_delay_ps, rate_gbps)
    if problems:
        raise InputError(problems)
    cycle_ps = settings.phit_bytes * 8000 / rate_gbps
    on_links = _cycles(delay_ps, cycle_ps, chosen.link_cycles, minimum=1)
    router_cycles = _cycles(np.array([router_delay_ps]), cycle_ps, chosen.router_delay_cycles, minimum=0)
    return Timing(chosen, cycle_ps, on_links, int(router_cycles[0]))


def embed_given(topology: Topology, delay_ps: np.ndarray, **given: Any) -> Embedding:
    """Return `embed` with the fields of `RouterSettings` among its keyword arguments."""
    settings, others = separated(given)
    return embed(topology, delay_ps, settings, **others)


def _beyond_wormhole(link_rate: np.ndarray | None, failed_cables: np.ndarray, failed_routers: np.ndarray) -> Iterator[Problem]:
    """Yield what wormhole switching does not support."""
    other = 'use flow_control = "cut_through"'
    if link_rate is not None and (np.asarray(link_rate) != 1).any():
        yield Problem("link_rate", "wormhole switching needs the same rate on all cables", other)
    if min(failed_cables.min(initial=NEVER), failed_routers.min(initial=NEVER)) < NEVER:
        yield Problem("faults", "wormhole switching does not support faults", other)


def _cycles(picoseconds: np.ndarray, cycle_ps: float, instead: int | None, minimum: int) -> np.ndarray:
    """Return delays in cycles, rounded up, int32; `instead` for all, if given."""
    # A rounding error of the division adds no cycle.
    rounded = np.ceil(picoseconds / cycle_ps - 1e-9) if instead is None else np.full(picoseconds.shape, instead)
    if rounded.max() > _MAX_DELAY_CYCLES:
        raise InputError(Problem("", f"a delay is longer than {_MAX_DELAY_CYCLES:,} cycles", "use a larger phit"))
    return np.maximum(rounded, minimum).astype(np.int32)


def _of_cables(
    topology: Topology,
    delay_ps: np.ndarray,
    link_rate: np.ndarray | None,
    failed_cables: np.ndarray,
    failed_routers: np.ndarray,
) -> Iterator[Problem]:
    """Yield what is wrong with the network and the values of its cables and routers."""
    if topology.endpoint_count == 0:
        yield Problem("topology", "no router has an endpoint", "attach endpoints")
    if delay_ps.shape != (topology.link_count + topology.endpoint_count,):
        yield Problem("delay_ps", f"has shape {delay_ps.shape}", "give one delay per link and endpoint")
    elif (delay_ps < 0).any():
        yield Problem("delay_ps", "is negative for a cable", "give delays of 0 or more")
    counts = {"link_rate": len(delay_ps), "cable_fails_at": len(delay_ps), "router_fails_at": topology.router_count}
    for (name, count), given in zip(counts.items(), (link_rate, failed_cables, failed_routers), strict=True):
        if given is not None and np.shape(given) != (count,):
            yield Problem(name, f"has shape {np.shape(given)}", f"give {count:,} values")
    if link_rate is not None and not (np.asarray(link_rate) > 0).all():
        yield Problem("link_rate", "must be above 0 for every cable")


def _of_rates(router_delay_ps: int, rate_gbps: float) -> Iterator[Problem]:
    """Yield what is wrong with the delay of a router and the rate of the links."""
    if not rate_gbps > 0:
        yield Problem("rate_gbps", f"must be above 0, not {rate_gbps}")
    if router_delay_ps < 0:
        yield Problem("router_delay_ps", f"must be at least 0, not {router_delay_ps}")
