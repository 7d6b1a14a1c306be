"""Cases of a comparison: explicit networks, and the chosen configuration of each family, as studies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from planner.core.errors import Infeasible
from planner.core.progress import Progress, silent
from planner.core.record import plain
from planner.domain.model import Catalog
from planner.studies import pipeline
from planner.studies.compare.comparison import Comparison, Simulation
from planner.studies.compare.studies import ANY, phased_of, study_of
from planner.studies.explore.choice import Choice, better_outside, choose
from planner.studies.explore.members import PART, members
from planner.studies.study import Study


@dataclass(frozen=True)
class Case:
    """One network of a comparison.

    Attributes
    ----------
    study
        None if the family has no fitting configuration.
    choice
        Chosen configuration; None for an explicit network.
    reason
        Reason if there is no study.
    phased
        Study with all phases; None for a machine that is bought at once.
    note
        What a range of endpoints excludes, "" if nothing better.
    """

    label: str
    family: str
    study: Study | None = None
    choice: Choice | None = None
    reason: str = ""
    phased: Study | None = None
    note: str = ""

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters of the family; for a trimmed network including the remaining endpoints."""
        given = dict(self.study.sections["topology"]) if self.study is not None else {}
        given |= given.pop("parameters", {}) if "network" in given else {}
        return {key: plain(value) for key, value in given.items() if key not in ("family", "network") and value is not None}


def cases(comparison: Comparison, *, progress: Progress = silent) -> list[Case]:
    """Return the networks to compare: explicit ones, then one per family."""
    seen: dict[str, Any] = {}
    found = []
    for network in comparison.networks:
        made = study_of(comparison, network.last, network.label, seen)
        phased = None
        if comparison.phases:
            phased = phased_of(comparison, network.sections, network.changes, network.label, seen)
        found.append(Case(network.label, made.sections["topology"]["family"], made, phased=phased))
    if families := comparison.families:
        ports = shared(comparison).router_part.ports
        for number, family in enumerate(families):
            progress("choice", number, len(families), family=family)
            try:
                found.append(_of_family(comparison, family, ports, seen))
            except Infeasible as error:
                found.append(Case(family, family, reason=str(error)))
        progress("choice", len(families), len(families))
    return found


def _of_family(comparison: Comparison, family: str, ports: int, seen: dict[str, Any]) -> Case:
    """Return the case of a family: its best-fitting configuration, in the last phase if there are several."""
    if not comparison.phases:
        choice = choose(family, ports, comparison.demand)
        note = better_outside(choice, ports, comparison.demand)
        return Case(family, family, study_of(comparison, {"topology": choice.topology}, family, seen), choice, note=note)
    sizes = [phase.endpoints or 1 for phase in comparison.phases]
    reserve = comparison.growth.get("ports") == "reserve"
    own = members(family, ports, sizes, oversubscription=comparison.head.oversubscription, reserve=reserve)
    made = study_of(comparison, {"topology": own.last.topology}, family, seen)
    sections: list[dict[str, Any]] = [{"topology": section} for section in own.sections]
    # A dense part of the last network grows inside it.
    method = {"method": "inside"} if PART in (section["family"] for section in own.sections) else {}
    grown = replace(comparison, growth=method | comparison.growth)
    return Case(family, family, made, own.last, phased=phased_of(grown, {}, sections, family, seen))


def shared(comparison: Comparison) -> Catalog:
    """Return the catalog shared by all networks."""
    return pipeline.make(study_of(comparison, ANY, "", {}), ["catalog"]).catalog


def simulated(comparison: Comparison, study: Study, simulation: Simulation, routing: str) -> Study:
    """Return the study of a case with one traffic pattern and one routing."""
    own = {"simulation": simulation.section | {"routing": routing}}
    section = study_of(comparison, ANY | own, "", {}).sections["simulation"]
    return replace(study, sections=study.sections | {"simulation": section})
