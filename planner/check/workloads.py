"""Rules of workloads: jobs are those of the study, and their times and loads are possible."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check._places import error, unequal, unlike
from planner.check._rule import rule
from planner.model import Plan, Violation


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
    ranks = [job.get("ranks") or plan.topology.endpoint_count for job in jobs]
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
    ended = found.finished
    for have, limit, message in (
        (found.bound_cycles, found.completion_cycles, "ends before its longest chain of messages could"),
        (found.delay_max, found.completion_cycles, "a message takes longer than the job"),
        (found.delay_mean, found.delay_max, "messages take longer in the mean than at most"),
        (found.busiest_link, np.ones(len(ended)), "a link carries more than its rate"),
        (found.ranks, np.full(len(ended), plan.topology.endpoint_count), "more ranks than endpoints"),
        (np.where(found.messages > 0, 1, 0), found.bytes, "messages without any bytes"),
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


def _job(plan: Plan):
    return lambda job: f"job {job + 1} ({plan.workload.motifs[job]})"
