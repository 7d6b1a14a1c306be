"""The stage `placement`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from planner.core.errors import Infeasible, InputError
from planner.core.section import Section, Variant
from planner.design.near_misses import justifies_plan, settled
from planner.design.placement import examine, given, place
from planner.design.placement.model.kept import in_their_units
from planner.design.placement.racks import place_racks, units_of
from planner.domain.model import Placement
from planner.studies.stage import Run, Stage
from planner.studies.stages.cabling import cabled
from planner.studies.stages.floor import lengths, room_with_kept

RACKED = ("objective", "interior", "bounds", "moves", "seconds")
"""Keys of the section that apply to cabinets whose content the study fixes."""


def _place(run: Run) -> Placement:
    chosen = run.arguments("placement")
    if _is_given(chosen):
        places, _ = given.read(chosen["layout"], run.inventory, run.room)
        return given.placement(places, run.topology, run.inventory, run.catalog, lengths(run), **chosen)
    if run.study.networks:
        racked = {key: value for key, value in chosen.items() if key in RACKED}
        if chosen["layout"] is not None:
            places, fixed = given.read(chosen["layout"], run.inventory, run.room)
            slots = places.fields(run.inventory.rack)["slot_of"]
            racked |= {"first": slots, "fixed": np.isin(np.arange(len(slots)), run.inventory.rack[fixed])}
        return place_racks(run.inventory, run.catalog, lengths(run), seed=run.study.seed, progress=run.progress, **racked)
    chosen, kept = dict(chosen), run.records.get("kept")
    if kept is not None:
        # Nodes of the kept plan are in the cabinets of their routers.
        chosen["endpoints"] = "together"
    supplied: dict[str, Any] = {"seed": run.study.seed, "progress": run.progress, "side_by_side": run.side_by_side}
    placed = place(run.topology, run.catalog, lengths(run), **supplied, **chosen)
    if kept is not None:
        placed = in_their_units(placed, run.inventory, run.catalog, room_with_kept(run), chosen["interior"])
    if not chosen["drafts"]:
        return placed
    try:
        return _settled(run, placed, chosen["drafts"])
    except (InputError, Infeasible):
        # The cabling stage reports the error.
        return placed
    except KeyboardInterrupt:
        return replace(placed, complete=False)


def _is_given(chosen: dict[str, Any]) -> bool:
    """Return whether the study gives the places of all devices."""
    return chosen["algorithm"] == "manual" and chosen["layout"] is not None and given.is_complete(chosen["layout"])


def _settled(run: Run, placed: Placement, drafts: int) -> Placement:
    """Return the placement with boxes moved to the rack units that minimize the cost of the routed cables."""
    prefer = run.arguments("cabling")["prefer"]
    known = (run.inventory, run.catalog)
    cables = cabled(run, placed)
    for _ in range(drafts):
        if not cables.complete:
            return replace(placed, complete=False)
        better, saved_cents = settled(*known, placed, cables, lengths(run), prefer=prefer, progress=run.progress)
        if better is placed or not justifies_plan(saved_cents, cables):
            break
        again = cabled(run, better)
        if again.price_cents.sum() >= cables.price_cents.sum():
            break
        placed, cables = better, again
    run.drafts[placed.fingerprint] = cables
    return placed


def _examine(run: Run) -> None:
    chosen = run.arguments("placement")
    if _is_given(chosen):
        given.read(chosen["layout"], run.inventory, run.room)
        return
    if run.study.networks and chosen["layout"] is not None:
        given.read(chosen["layout"], run.inventory, run.room)
        chosen = chosen | {"layout": None}
    examine(run.topology, run.room, **chosen)
    if run.study.networks:
        units_of(run.inventory, run.catalog, run.arguments("placement")["interior"])


STAGES = (
    Stage(
        record=Placement,
        run=_place,
        rank=40,
        optional_needs=("kept",),
        section=Section(
            "placement",
            (place,),
            given=("topology", "catalog", "lengths", "seed", "progress", "side_by_side", "phasing"),
            variant=Variant("placement", "algorithm", "auto"),
            elements={"packing": "auto"},
        ),
        reads=("cabling",),
        examine=_examine,
    ),
)
