"""Near misses of the last full count, and the moves that they propose."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.errors import InputError, Problem
from planner.domain.model import NearMiss, Plan
from planner.install.editing.current import Current
from planner.install.editing.layouts import Floor, Layout
from planner.install.editing.moves import Move, moved


@dataclass(frozen=True)
class Proposal:
    """A move that a near miss proposes.

    Attributes
    ----------
    number
        Position of the near miss in those of the last full count.
    by
        ``"unit"`` for the move of a box to another unit, ``"slot"`` for that of its cabinet.
    cable
        Number of the cable, from 1, which is `over_mm` too long for a cheaper part.
    ends
        Names of the devices that it connects.
    move
        The move.
    saving_cents
        What the move saves by all cables that it changes.
    """

    number: int
    by: str
    cable: int
    over_mm: int
    ends: tuple[str, str]
    move: Move
    saving_cents: int


def proposed(plan: Plan, number: int, by: str) -> Proposal:
    """Return the move that a near miss of a plan proposes; parameters as the attributes of `Proposal`.

    Raises
    ------
    InputError
        When there is no such near miss, or it proposes no such move.
    """
    items = misses_of(plan)
    if not 0 <= number < len(items):
        raise InputError(Problem("number", f"there is no near miss {number}", f"there are {len(items):,}"))
    miss, placement, names = items[number], plan.placement, plan.inventory.names
    ends = plan.inventory.ends[miss.cable]
    if by == "unit" and miss.unit_saving_cents > 0:
        device = int(ends[miss.end])
        move, saving = Move("device", str(names[device]), unit=int(placement.unit[device]) + miss.units), miss.unit_saving_cents
    elif by == "slot" and miss.slot_saving_cents > 0:
        home = int(placement.slot[ends[miss.slot_end]])
        move, saving = Move("cabinet", plan.room.slot_names[home], miss.slot), miss.slot_saving_cents
    else:
        raise InputError(Problem("by", f"near miss {number} proposes no move to another {by}", "choose another near miss"))
    return Proposal(number, by, miss.cable + 1, miss.over_mm, (str(names[ends[0]]), str(names[ends[1]])), move, saving)


def proposals(plan: Plan, floor: Floor, layout: Layout, current: Current) -> tuple[Proposal, ...]:
    """Return the moves that near misses propose, each move once, largest savings first.

    Left out are those whose cable is no near miss any more after the moves since the count, those of devices that moved, and
    impossible ones.
    """
    found: dict[Move, Proposal] = {}
    counted, places = plan.placement.slot, layout.places
    for number, miss in enumerate(misses_of(plan)):
        ends = plan.inventory.ends[miss.cable]
        if current.columns["saving_cents"][miss.cable] <= 0 or (places.slot[ends] != counted[ends]).any():
            continue
        for by, saving in (("unit", miss.unit_saving_cents), ("slot", miss.slot_saving_cents)):
            if saving <= 0 or (by == "unit" and places.unit[ends[miss.end]] != plan.placement.unit[ends[miss.end]]):
                continue
            proposal = proposed(plan, number, by)
            if proposal.move not in found and _is_possible(floor, layout, proposal.move):
                found[proposal.move] = proposal
    return tuple(sorted(found.values(), key=lambda each: (-each.saving_cents, each.number)))


def misses_of(plan: Plan) -> tuple[NearMiss, ...]:
    """Return the near misses of a plan that were examined in detail."""
    return plan.near_misses.items if plan.near_misses is not None else ()


def _is_possible(floor: Floor, layout: Layout, move: Move) -> bool:
    try:
        moved(floor, layout, move)
    except InputError:
        return False
    return True
