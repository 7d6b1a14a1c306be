"""From a comparison to plain studies: a network that is written out, or the configuration chosen for a family, is a case."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from planner import flow
from planner.compare.choice import Choice, choose
from planner.compare.comparison import Comparison, Simulation
from planner.compare.studies import ANY, study_of
from planner.errors import Infeasible
from planner.model import Catalog
from planner.progress import Progress, silent
from planner.study import Study


@dataclass(frozen=True)
class Case:
    """One network of a comparison.

    Attributes
    ----------
    study
        None where the family has no configuration.
    choice
        How it was found; None for a network that is written out.
    reason
        Why there is no study.
    """

    label: str
    family: str
    study: Study | None = None
    choice: Choice | None = None
    reason: str = ""

    @property
    def parameters(self) -> dict[str, Any]:
        """What the family was built with; of a trimmed network its own parameters and the endpoints that are left."""
        given = dict(self.study.sections["topology"]) if self.study is not None else {}
        given |= given.pop("parameters", {}) if "network" in given else {}
        return {key: value for key, value in given.items() if key not in ("family", "network") and value is not None}


def cases(comparison: Comparison, *, progress: Progress = silent) -> list[Case]:
    """Return the networks to compare: those that are written out, then one for each family."""
    seen: dict[str, Any] = {}
    found = []
    for network in comparison.networks:
        made = study_of(comparison, network.sections, network.label, seen)
        found.append(Case(network.label, made.sections["topology"]["family"], made))
    if families := comparison.families:
        ports = shared(comparison).router.ports
        for number, family in enumerate(families):
            progress("choice", number, len(families), family=family)
            try:
                choice = choose(family, ports, comparison.demand)
            except Infeasible as error:
                found.append(Case(family, family, reason=str(error)))
                continue
            made = study_of(comparison, {"topology": choice.topology}, family, seen)
            found.append(Case(family, family, made, choice))
        progress("choice", len(families), len(families))
    return found


def shared(comparison: Comparison) -> Catalog:
    """Return the parts that all networks share."""
    return flow.make(study_of(comparison, ANY, "", {}), ["catalog"]).catalog


def simulated(comparison: Comparison, case: Case, simulation: Simulation, routing: str) -> Study:
    """Return the study of a case with one traffic under one routing."""
    own = {"simulation": simulation.section | {"routing": routing}}
    section = study_of(comparison, ANY | own, "", {}).sections["simulation"]
    return replace(case.study, sections=case.study.sections | {"simulation": section})
