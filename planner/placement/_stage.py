"""The stage `placement`."""

from __future__ import annotations

from dataclasses import replace

from planner.cabling._stage import cabled
from planner.errors import Infeasible, InputError
from planner.floor._stage import lengths
from planner.model import Placement
from planner.near_misses import settled
from planner.placement import examine, place
from planner.placement.racks import place_racks, units_of
from planner.section import Section, Variant
from planner.stage import Run, Stage

_DRAFTS = 4
"""Maximum number of cable plans for choosing rack units; where trays are full, other units may change routes."""


RACKED = ("objective", "interior", "bounds", "moves", "seconds")
"""Keys of the section that apply to cabinets whose content the study fixes."""


def _place(run: Run) -> Placement:
    if run.study.networks:
        given = {key: value for key, value in run.arguments("placement").items() if key in RACKED}
        return place_racks(run.inventory, run.catalog, lengths(run), seed=run.study.seed, progress=run.progress, **given)
    placed = place(
        run.topology, run.catalog, lengths(run), seed=run.study.seed, progress=run.progress, **run.arguments("placement")
    )
    try:
        return _settled(run, placed)
    except (InputError, Infeasible):
        # The cabling stage reports the error.
        return placed
    except KeyboardInterrupt:
        return replace(placed, complete=False)


def _settled(run: Run, placed: Placement) -> Placement:
    """Return the placement with boxes moved to the rack units that minimize the cost of the routed cables."""
    prefer = run.arguments("cabling")["prefer"]
    known = (run.inventory, run.catalog)
    cables = cabled(run, placed)
    for _ in range(_DRAFTS):
        if not cables.complete:
            return replace(placed, complete=False)
        better = settled(*known, placed, cables, lengths(run), prefer=prefer, progress=run.progress)
        if better is placed:
            break
        again = cabled(run, better)
        if again.price_cents.sum() >= cables.price_cents.sum():
            break
        placed, cables = better, again
    return placed


def _examine(run: Run) -> None:
    examine(run.topology, run.room, **run.arguments("placement"))
    if run.study.networks:
        units_of(run.inventory, run.catalog, run.arguments("placement")["interior"])


STAGES = (
    Stage(
        record=Placement,
        run=_place,
        rank=40,
        needs=("topology", "inventory", "catalog", "room"),
        section=Section(
            "placement",
            (place,),
            given=("topology", "catalog", "lengths", "seed", "progress"),
            variant=Variant("placement", "algorithm", "auto"),
            elements={"packing": "auto"},
        ),
        reads=("cabling",),
        examine=_examine,
    ),
)
