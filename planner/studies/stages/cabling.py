"""The stages `cables`, `panels` and `bundlings`."""

from __future__ import annotations

from planner.core.section import Section
from planner.design.cabling import cable, examine
from planner.design.cabling.bundling import bundlings
from planner.design.cabling.panels import panels
from planner.domain.model import Bundlings, CablePlan, PanelPlan, Placement
from planner.hall.floor import Slack
from planner.studies.stage import Run, Stage
from planner.studies.stages.floor import lengths

_TABLES = {"slack": Slack}


def cabled(run: Run, placed: Placement) -> CablePlan:
    """Return the cable plan of a placement."""
    given = {key: value for key, value in run.arguments("cabling").items() if key not in _TABLES}
    kept = run.records.get("kept")
    return cable(run.inventory, run.catalog, placed, lengths(run), kept=kept, progress=run.progress, **given)


def _cables(run: Run) -> CablePlan:
    # Placement has cabled its final layout already, to choose rack units.
    return run.drafts.pop(run.placement.fingerprint, None) or cabled(run, run.placement)


def _bundlings(run: Run) -> Bundlings:
    chosen = run.arguments("cabling")
    own = chosen["bundling"], chosen["bundling_parameters"] or {}
    return bundlings(run.inventory, run.catalog, run.placement, run.cables, lengths(run), *own)


def _panels(run: Run) -> PanelPlan:
    chosen = run.arguments("cabling")
    own = chosen["bundling"], chosen["bundling_parameters"] or {}
    return panels(run.catalog, run.room, run.placement, run.cables, *own)


STAGES = (
    Stage(
        record=CablePlan,
        run=_cables,
        rank=50,
        optional_needs=("kept",),
        section=Section(
            "cabling",
            (cable,),
            given=("inventory", "catalog", "placement", "lengths", "kept", "cages", "taken_um2", "progress"),
            elements={"bundling": "loom"},
            tables=_TABLES,
        ),
        examine=lambda run: examine(run.inventory, run.catalog, run.room, **run.arguments("cabling")),
    ),
    Stage(
        record=PanelPlan,
        run=_panels,
        rank=55,
        reads=("cabling",),
    ),
    Stage(
        record=Bundlings,
        run=_bundlings,
        rank=80,
        reads=("cabling",),
    ),
)
