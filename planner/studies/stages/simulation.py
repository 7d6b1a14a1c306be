"""The stages `simulation` and `workload`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.core.section import Section, collected, parameters
from planner.design.failures import domains_of
from planner.domain.model import SimulationResult, Workload
from planner.simulation import GIVEN, PRESETS, RouterSettings, examine, simulate
from planner.simulation.given import network_given
from planner.simulation.outages import Outage, failure_cycles
from planner.simulation.workload import workload
from planner.studies.stage import Run, Stage


@dataclass(frozen=True)
class Simulated:
    """The network of a simulation or a workload.

    Attributes
    ----------
    network
        Name of the network in a study with tables ``[[network]]``; by default the first one.
    """

    network: str | None = None


def _arguments(run: Run, section: str) -> dict[str, Any]:
    """Return the arguments of a section other than its network."""
    return {key: value for key, value in run.arguments(section).items() if key != "network"}


def _unknown_network(section: str) -> Callable[[Mapping[str, Any]], list[Problem]]:
    """Return a function that returns the problem of a section whose network the study does not have."""

    def problems(sections: Mapping[str, Any]) -> list[Problem]:
        name = sections.get(section, {}).get("network")
        known = [network.name for network in sections.get("network", {}).get("network", ())]
        if name is None or name in known:
            return []
        if not known:
            return [Problem(f"{section}.network", "the only network of a study with [topology] has no name", "remove the key")]
        return [Problem(f"{section}.network", f"there is no network {name!r}", suggestion(name, known))]

    return problems


def _network(run: Run, section: str) -> dict[str, Any]:
    """Return the network arguments of a simulation; zero cable delays before cables are planned and in a network study."""
    physical = {"inventory": run.inventory} if run.study.physical else {}
    return network_given(
        run.topology,
        run.records.get("cables"),
        seed=run.study.seed,
        own_rates=bool(run.study.networks) and run.arguments(section)["link_gbps"] is None,
        **physical,
    )


def _embedded(run: Run, section: str) -> dict[str, Any]:
    return _network(run, section) | {"progress": run.progress, "executor": run.executor}


def _outage_cycles(run: Run, outages: tuple[Outage, ...]) -> dict[str, Any]:
    if not outages:
        return {}
    labels, domains = np.zeros((0, 2), str), tuple[Any, ...]()
    if run.study.physical:
        labels = np.column_stack([run.cables.label_a, run.cables.label_b])[run.inventory.connections()]
        domains = tuple(domains_of(run.inventory, run.room, run.placement, run.cables, segments=False))
    cables, routers = failure_cycles(run.topology, labels, domains, seed=run.study.seed, outages=outages)
    return {"cable_fails_at": cables, "router_fails_at": routers}


def _simulate(run: Run) -> SimulationResult:
    chosen = _arguments(run, "simulation")
    failed = _outage_cycles(run, chosen.pop("outages"))
    return simulate(**_embedded(run, "simulation"), **failed, **chosen)


def _work(run: Run) -> Workload:
    chosen = _arguments(run, "workload")
    failed = _outage_cycles(run, chosen.pop("outages"))
    return workload(**_embedded(run, "workload"), **failed, **chosen)


def _with_motifs(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a workload after checking the parameters of each job's motif."""
    problems: list[Problem] = []
    jobs = []
    for number, job in enumerate(arguments["jobs"]):
        with collected(problems, f"jobs.{number}"):
            jobs.append(replace(job, **parameters("motif", job.motif, job.motif_parameters)))
    if problems:
        raise InputError(problems)
    return arguments | {"jobs": tuple(jobs)}


def _undefined(arguments: dict[str, Any], missing: dict[str, str]) -> list[Problem]:
    """Return the keys that a simulation needs without cables and parts."""
    known = PRESETS[arguments["preset"]].keys() | {key for key, given in arguments.items() if given is not None}
    return [
        Problem(key, f"the {what} is undefined without catalog and room", f"set {key}, or add [catalog] and [room]")
        for key, what in missing.items()
        if key not in known
    ]


_DELAYS = {"link_cycles": "cable delay", "router_delay_cycles": "router delay"}

STAGES = (
    Stage(
        record=SimulationResult,
        of_one_network=True,
        run=_simulate,
        rank=130,
        section=Section(
            "simulation",
            (Simulated, RouterSettings, failure_cycles, simulate),
            given=(*GIVEN, "labels", "domains"),
            elements={"routing": "minimal", "traffic": "uniform"},
            optional=True,
            without_cables=lambda arguments: _undefined(arguments, _DELAYS),
        ),
        examine=lambda run: examine.simulation(**_network(run, "simulation"), **_arguments(run, "simulation")),
        between=_unknown_network("simulation"),
    ),
    Stage(
        record=Workload,
        of_one_network=True,
        run=_work,
        rank=140,
        section=Section(
            "workload",
            (Simulated, RouterSettings, failure_cycles, workload),
            given=(*GIVEN, "labels", "domains"),
            elements={"routing": "minimal"},
            optional=True,
            finish=_with_motifs,
            without_cables=lambda arguments: _undefined(arguments, _DELAYS | {"link_gbps": "link rate"}),
        ),
        examine=lambda run: examine.workload(**_network(run, "workload"), **_arguments(run, "workload")),
        between=_unknown_network("workload"),
    ),
)
