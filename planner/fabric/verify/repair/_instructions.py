"""Moves as instructions for crews."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

from planner.fabric.verify.repair._jobs import Job
from planner.fabric.verify.repair._readings import Judge, Step
from planner.fabric.verify.repair._site import Site
from planner.fabric.verify.result import Move, Plugged


class Crews:
    """Crews by cabinet: each has consecutive cabinets with about the same number of moves."""

    def __init__(self, crews: int, site: Site):
        self.crews, self.site = crews, site

    def of_jobs(self, jobs: Sequence[Job]) -> list[int]:
        """Return the crew of each job, from 1: that of the first cabinet where a plug moves."""
        cabinets = [min((self._rank(port) for step in job.reading.steps for port in step[:2]), default=-1) for job in jobs]
        moves: Counter[int] = Counter()
        for job, cabinet in zip(jobs, cabinets, strict=True):
            moves[cabinet] += len(job.reading.steps)
        total, before, crew = max(1, sum(moves.values())), 0, {}
        for cabinet in sorted(moves):
            crew[cabinet] = 1 + min(self.crews - 1, (before + moves[cabinet] // 2) * self.crews // total)
            before += moves[cabinet]
        return [crew[cabinet] for cabinet in cabinets]

    def _rank(self, port: Plugged) -> int:
        return self.site.rank.get(self.site.cabinet(port), -1)


def instructions(jobs: Sequence[Job], judge: Judge, crews: Crews) -> list[Move]:
    """Return the moves of jobs, numbered in their order."""
    order = count(1)
    return [move for job, crew in zip(jobs, crews.of_jobs(jobs), strict=True) for move in _of_job(job, crew, order, judge)]


def _of_job(job: Job, crew: int, order: Iterator[int], judge: Judge) -> Iterator[Move]:
    for number, step in enumerate(job.reading.steps):
        row, side = judge.difference.row[step.target]
        end = row.ends[side]
        yield Move(
            next(order),
            step.source.device,
            step.source.port,
            step.target.device,
            step.target.port,
            row.number,
            "ab"[side],
            end.label or f"{end.device} {end.printed}",
            _otherwise(job) + _occupied(step, judge),
            job.number,
            job.holds and number == 0,
            job.reading.certainty,
            crew,
            tuple((lane.steps[number].source.port, lane.steps[number].target.port) for lane in job.lanes[1:]),
        )


def _otherwise(job: Job) -> str:
    if job.choices == 1:
        return "If it holds another label, scan it and do not move it: report the label."
    return f"If it holds another label, scan it and do not move it: then the other plugs of chain or cycle {job.number} move."


def _occupied(step: Step, judge: Judge) -> str:
    """Return what to do about a plug without light in the port where this one belongs."""
    written, foreign = judge.site.written(step.target), judge.difference.foreign
    if step.target in judge.lit:
        return ""
    if step.target in foreign:
        return f" First take the cable to {foreign[step.target]} out of {written}."
    if step.target in judge.evidence.plugs:
        return f" {written} reports a plug without light: scan its label, and take it out first."
    return ""
