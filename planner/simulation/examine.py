"""Validation of a simulation or a workload before any cable is planned."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.simulation import effort, injection, lock_step
from planner.simulation.elements import element
from planner.simulation.embedding import Embedding, embed_given
from planner.simulation.outages import Outage
from planner.simulation.patterns import pattern
from planner.simulation.ports import parts, rank_ports
from planner.simulation.spread import PlaneRule
from planner.simulation.workload import Job


def simulation(
    topology: Topology,
    delay_ps: np.ndarray,
    *,
    owner: np.ndarray | None = None,
    seed: int,
    traffic: str = "uniform",
    traffic_parameters: dict[str, Any] | None = None,
    planes: PlaneRule = "endpoint",
    loads: Sequence[float] = (),
    process: str = "bernoulli",
    burst_packets: float = 8.0,
    burst_load: float = 1.0,
    outages: Sequence[Outage] = (),
    warmup: int | None = None,
    cycles: int | None = None,
    precision: float | None = None,
    max_cycles: int = 0,
    max_hours: float = effort.MAX_HOURS,
    saturation: bool = False,
    occupancy: bool = False,
    **routers: Any,
) -> None:
    """Refuse a routing, traffic, virtual channels or outages that do not fit the network.

    Parameters
    ----------
    topology
        The network.
    delay_ps
        Delay of each cable, links first, then endpoints; the values do not matter.
    owner, seed, traffic, traffic_parameters, planes, loads, process, burst_packets, burst_load, outages, **routers
        As for `planner.simulation.simulate` and `planner.simulation.embed`.
    warmup, cycles, precision, max_cycles, max_hours
        Used to estimate and limit the run time.
    saturation, occupancy
        Not checked beyond their types.

    Raises
    ------
    InputError
        With all problems.
    """
    _, problems = _routers(topology, delay_ps, routers)
    rates, packet_phits = np.ones(1), routers.get("packet_phits", 16)
    try:
        _, spread = pattern(traffic, traffic_parameters, topology, seed, planes, owner)
        if spread is not None:
            rates = np.array([1.0, spread.share.max()])
    except InputError as error:
        problems += error.problems
    for load in loads:
        try:
            injection.numbers(process, load, rates, packet_phits, burst_packets, burst_load)
        except InputError as error:
            problems += error.problems
    estimate = effort.hours(
        topology, loads, warmup=warmup, cycles=cycles, precision=precision, max_cycles=max_cycles,
        packet_phits=packet_phits, flow_control=routers.get("flow_control"),
    )  # fmt: skip
    problems += effort.excess(topology, loads, estimate, max_hours)
    problems += _unknown_routers(topology, outages)
    if problems:
        raise InputError(dict.fromkeys(problems))


def _unknown_routers(topology: Topology, outages: Sequence[Outage]) -> list[Problem]:
    return [
        Problem(f"outages.{number}.routers", f"there is no router {router}", f"use 0 to {topology.router_count - 1}")
        for number, outage in enumerate(outages)
        for router in outage.routers
        if router >= topology.router_count
    ]


def workload(
    topology: Topology,
    delay_ps: np.ndarray,
    *,
    owner: np.ndarray | None = None,
    seed: int,
    jobs: Sequence[Job],
    outages: Sequence[Outage] = (),
    resend_us: float = 0.0,
    **routers: Any,
) -> None:
    """Refuse jobs that the network cannot run.

    Parameters
    ----------
    topology, delay_ps, owner, seed
        As for `simulation`.
    jobs, **routers
        As for `planner.simulation.workload.workload`.
    outages
        As for `simulation`.
    resend_us
        Not checked beyond its type.

    Raises
    ------
    InputError
        With all problems.
    """
    embedded, problems = _routers(topology, delay_ps, routers)
    problems += _unknown_routers(topology, outages)
    for number, job in enumerate(jobs):
        try:
            _job(topology, job, seed, owner, embedded)
        except InputError as error:
            problems += error.located(section=f"jobs.{number}").problems
    if problems:
        raise InputError(problems)


def _job(topology: Topology, job: Job, seed: int, owner: np.ndarray | None, embedded: Embedding | None) -> None:
    port = rank_ports(topology, job.ranks, job.placement, seed, job.ports, job.port_rule, owner)
    messages = element("motif", job.motif, job.motif_parameters)(len(port))
    packets = np.ones(len(messages.bytes), np.int64)
    if embedded is not None:
        packets = np.maximum(1, -(-messages.bytes // (embedded.case.packet_phits * embedded.phit_bytes)))
        lock_step.of_job(embedded.case, messages, packets, port[:, 0])
    parts(messages, packets, port.shape[1], job.port_rule)


def _routers(topology: Topology, delay_ps: np.ndarray, routers: dict[str, Any]) -> tuple[Embedding | None, list[Problem]]:
    """Return the embedded network, or the problems."""
    try:
        with warnings.catch_warnings():
            # The delays are not the planned ones: ignore warnings of short queues.
            warnings.simplefilter("ignore")
            return embed_given(topology, delay_ps, **routers), []
    except InputError as error:
        return None, list(error.problems)
