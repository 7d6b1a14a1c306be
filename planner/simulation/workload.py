"""Jobs of a study: each runs its motif alone on the network; the result is its completion time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, MinLen

from planner.core.checking import checked
from planner.core.errors import InputError
from planner.core.progress import Progress, silent
from planner.domain.model import MotifResult, Topology, Workload
from planner.simulation.embedding import Embedding, embed_given
from planner.simulation.ports import PortRule, ports_of
from planner.simulation.replay import RESEND_US, run_job
from planner.simulation.routers import RouterSettings


@dataclass(frozen=True)
class Job:
    """One job of a workload.

    Attributes
    ----------
    motif
        Name of the motif.
    ranks
        Ranks of the job; one per endpoint, or node of several ports, if not given.
    placement
        How ranks are placed on nodes, see `planner.simulation.jobs.place`.
    motif_parameters
        Parameters of the motif.
    ports
        Ports of each rank's node: that many consecutive endpoints, by default 1. On planes that are not joined every network
        interface has a rank, and a port in each plane.
    port_rule
        Port of a message. ``rail``: the rail of the target, its rank modulo the ports, at both ends; ``hashed``: drawn from
        source and target, the same at both ends; ``any``: the ports in turn, at each end for itself; ``spray``: the packets of
        a message take the ports in turn, the same at both ends.
    """

    motif: str
    ranks: Annotated[int, Ge(1)] | None = None
    placement: Literal["linear", "random", "groups", "routers"] = "linear"
    motif_parameters: dict[str, Any] = field(default_factory=dict)
    ports: Annotated[int, Ge(1)] | None = None
    port_rule: PortRule = "rail"


@checked(RouterSettings)
def workload(
    topology: Topology,
    delay_ps: np.ndarray,
    *,
    owner: np.ndarray | None = None,
    seed: int,
    progress: Progress = silent,
    executor: Any = None,
    jobs: Annotated[tuple[Job, ...], MinLen(1)],
    resend_us: Annotated[float, Ge(0)] = RESEND_US,
    **routers: Any,
) -> Workload:
    """Run jobs one after the other, each alone on the network.

    Parameters
    ----------
    topology, delay_ps, owner, seed, progress, executor
        As for `planner.simulation.simulate`.
    jobs
        The jobs.
    resend_us
        Time in microseconds from the loss of a packet in an outage until its source sends it again.
    **routers
        Parameters of `planner.simulation.embed`, and fields of its settings.

    Returns
    -------
    Workload
        After Ctrl-C: results of the started jobs, if at least one finished.

    Raises
    ------
    InputError
        For a network, a routing or a job that cannot be simulated.
    """
    embedded = embed_given(topology, delay_ps, **routers)
    run = partial(_run, embedded, seed, owner, resend_us)
    if executor is not None:
        results = []
        for number, result in enumerate(executor.map(run, enumerate(jobs))):
            progress("workload", number + 1, len(jobs))
            results.append(result)
    else:
        results = _one_by_one(run, jobs, progress)
    return _record(embedded, jobs, results)


def _run(
    embedded: Embedding, seed: int, owner: np.ndarray | None, resend_us: float, numbered: tuple[int, Job],
    progress: Progress = silent,
) -> MotifResult:  # fmt: skip
    """Run one job; a plain function, so that it can run in another process."""
    number, job = numbered
    try:
        return run_job(
            embedded, job.motif, job.motif_parameters, ranks=job.ranks, placement=job.placement, ports=job.ports,
            port_rule=job.port_rule, owner=owner, seed=seed, progress=progress, resend_us=resend_us,
        )  # fmt: skip
    except InputError as error:
        raise error.located(section=f"jobs.{number}") from None


def _one_by_one(run: Any, jobs: Sequence[Job], progress: Progress) -> list[MotifResult]:
    results: list[MotifResult] = []
    for number, job in enumerate(jobs):

        def report(stage: str, done: int, total: int, **facts: Any) -> None:
            progress("workload", done, total, job=f"{number + 1} of {len(jobs)}", motif=job.motif)  # noqa: B023

        result = run((number, job), progress=report)
        if not result.complete and result.deadlock < 0:
            if not results:
                raise KeyboardInterrupt
            results.append(result)
            break
        results.append(result)
    return results


def _record(embedded: Embedding, jobs: Sequence[Job], results: Sequence[MotifResult]) -> Workload:
    jobs = jobs[: len(results)]
    return Workload(
        routing=embedded.case.routing,
        cycle_ps=embedded.cycle_ps,
        packet_phits=embedded.case.packet_phits,
        motifs=tuple(job.motif for job in jobs),
        placements=tuple(job.placement for job in jobs),
        ranks=np.array([result.ranks for result in results]),
        ports=np.array([ports_of(embedded.case.network.topology, job.ports) for job in jobs]),
        messages=np.array([len(result.bytes) for result in results]),
        bytes=np.array([int(result.bytes.sum()) for result in results]),
        completion_cycles=np.array([result.completion_cycles for result in results]),
        bound_cycles=np.array([result.bound_cycles for result in results]),
        delay_mean=np.array([result.delay.mean() if len(result.delay) else math.nan for result in results]),
        delay_max=np.array([result.delay.max(initial=0) for result in results]),
        busiest_link=np.array([float(result.link_load.max(initial=0)) for result in results]),
        steps=np.array([result.steps for result in results]),
        conflicts=np.array([result.conflicts for result in results]),
        deadlock=np.array([result.deadlock for result in results]),
        finished=np.array([result.complete for result in results]),
    )
