"""Rules of workloads: jobs are those of the study, and their times and loads are possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from planner.check.basis.nodes import interfaces, link_rates, planes_of
from planner.check.basis.places import error, unequal, unlike
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation


@rule(600, networks=True, each="workload")
def jobs_as_configured(plan: Plan) -> Iterator[Violation]:
    """Motifs, ranks, placements, routing and cycle are those of the study."""
    found, settings, rule = plan.workload, plan.study.get("workload"), "jobs_as_configured"
    if found is None or settings is None:
        return
    count = len(found.motifs)
    jobs = settings["jobs"][:count]
    for field, key in (("motifs", "motif"), ("placements", "placement")):
        yield from unlike(
            rule, f"workload.{field}", getattr(found, field), tuple(job[key] for job in jobs), "are not the study's"
        )
    if found.complete and count != len(settings["jobs"]):
        yield error(rule, "workload.motifs", count, len(settings["jobs"]), "jobs", "jobs are missing")
    planes = int(planes_of(plan)[plan.topology.endpoint_router].max(initial=0)) + 1
    ports = [job.get("ports") or planes for job in jobs]
    yield from unequal(rule, found.ports, ports, _job(plan), "ports")
    # On planes every network interface has a rank.
    each = interfaces(plan)[0] if planes > 1 else 0
    ranks = [job.get("ranks") or each or plan.topology.endpoint_count // count for job, count in zip(jobs, ports, strict=True)]
    yield from unequal(rule, found.ranks, ranks, _job(plan), "ranks")
    for field in ("routing", "packet_phits"):
        yield from unlike(rule, f"workload.{field}", getattr(found, field), settings[field], "does not match the study")
    rate = settings.get("link_gbps") or (min(plan.inventory.of_routers("rate_gbps").tolist()) if plan.inventory else None)
    if rate and not np.isclose(found.cycle_ps, settings["phit_bytes"] * 8000 / rate):
        yield error(
            rule, "workload.cycle_ps", found.cycle_ps, settings["phit_bytes"] * 8000 / rate, "ps", "is not the time of a phit"
        )


@rule(610, networks=True, each="workload")
def jobs_take_possible_times(plan: Plan) -> Iterator[Violation]:
    """No job ends before its longest chain of messages could, no message takes longer than its job, no link carries too much."""
    found, rule = plan.workload, "jobs_take_possible_times"
    if found is None:
        return
    ended, fastest = found.finished, link_rates(plan, "workload").max(initial=1)
    for have, limit, message in (
        (found.bound_cycles, found.completion_cycles, "ends before its longest chain of messages could"),
        (found.delay_max, found.completion_cycles, "a message takes longer than the job"),
        (found.delay_mean, found.delay_max, "messages take longer in the mean than at most"),
        (found.busiest_link, np.full(len(ended), fastest), "a link carries more than its rate"),
        (found.ranks * found.ports, np.full(len(ended), plan.topology.endpoint_count), "more ports than endpoints"),
        (np.where(found.messages > 0, 1, 0), found.bytes, "messages without any bytes"),
        (found.steps, found.completion_cycles, "a time step takes less than a cycle"),
    ):
        for job in np.flatnonzero(ended & (have > limit)).tolist():
            yield error(rule, _job(plan)(job), have[job], limit[job], "", message)
    # A mean of whole cycles over whole messages, and whole phits on the busiest link.
    for have, count, message in (
        (found.delay_mean, found.messages, "is no mean over its messages"),
        (found.busiest_link, found.completion_cycles, "does not carry whole phits"),
    ):
        total = have * count
        wrong = ended & np.isfinite(total) & (np.abs(total - np.rint(total)) > 1e-3 + np.abs(total) * 1e-6)
        for job in np.flatnonzero(wrong).tolist():
            yield error(rule, _job(plan)(job), total[job], round(total[job]), "", message)
    for job in np.flatnonzero(ended & (found.deadlock >= 0)).tolist():
        yield error(rule, _job(plan)(job), found.deadlock[job], -1, "cycle", "is finished, and packets are stuck")


@rule(615, networks=True)
def schedules_as_published(plan: Plan) -> Iterator[Violation]:
    """Scheduled collectives take the time steps of the paper's formulas, without conflict; other jobs have no schedule.

    References
    ----------
    .. [1] R. Draper, "The swapped Dragonfly", 2022, section 9 and appendix.
    """
    found, settings, rule = plan.workload, plan.study.get("workload"), "schedules_as_published"
    if found is None or settings is None:
        return
    for number, job in enumerate(settings["jobs"][: len(found.motifs)]):
        # A motif of the user's own may have a schedule of its own.
        if "." in job["motif"]:
            continue
        minimum, maximum, conflicts = (0, 0, -1) if job["motif"] != "swapped_dragonfly" else (*_steps(job["motif_parameters"]), 0)
        steps = found.steps[number]
        if not minimum <= steps <= maximum:
            limit = minimum if steps < minimum else maximum
            yield error(rule, _job(plan)(number), steps, limit, "steps", "is not the number of time steps of its schedule")
        if found.conflicts[number] != conflicts:
            yield error(rule, _job(plan)(number), found.conflicts[number], conflicts, "packets", "is not its number of conflicts")


def _steps(job: dict[str, Any]) -> tuple[int, int]:
    """Return the minimum and the maximum time steps of a collective on its largest subnetwork D3(K, M)."""
    k = max(map(len, job.get("partitions") or [range(job["k"])]))
    m = len(job.get("positions") or range(job["m"]))
    root, rounds, collective = job.get("root", 1), job.get("rounds", 1), job.get("collective", "all_to_all")
    fixed = root // m % m == root % m
    if collective == "permutation":
        return 0, m + 2
    dimensions = k.bit_length() - 1 + 2 * (m.bit_length() - 1)
    steps = {
        "all_to_all": k * m * m + k * m + 2,
        "one_to_all": k * m + 2 + (m - 1 if fixed else 0),
        "one_to_all_by_columns": m * m + 3,
        "all_to_one": k * m + 6,
        "broadcast": ((rounds - 1) // 2 * 4 + (rounds - 1) % 2 if fixed else rounds - 1) + 3,
        "ascend": 4 * dimensions,
        "descend": 4 * dimensions,
        "ascend_descend": 8 * dimensions,
    }[collective]
    # In a single cabinet a source with d = p waits up to a step less: its last rounds meet no other.
    return steps - (2 if collective == "one_to_all" and fixed and k == 1 else 0), steps


def _job(plan: Plan) -> Callable[[int], str]:
    return lambda job: f"job {job + 1} ({plan.workload.motifs[job]})"
