"""The stage `room`."""

from dataclasses import replace

from planner.core.section import Section
from planner.domain.model import Room
from planner.hall.floor import Lengths, room
from planner.hall.floor.existing.examine import examine
from planner.studies.stage import Run, Stage
from planner.studies.stages.topology import bare


def room_with_kept(run: Run) -> Room:
    """Return the room, in which devices of a kept plan are like others that must not move.

    Routers that must not move and have the name of a file are named by their number there, as placement knows them.
    """
    kept = run.records.get("kept")
    room = run.room if kept is None else kept.added_to(run.room)
    number = {} if run.study.networks else {name: place for place, name in enumerate(run.topology.router_names)}
    if not any(each.name in number for each in room.existing.fixed):
        return room
    fixed = (
        replace(each, name=f"R{number[each.name]}", number=number[each.name]) if each.name in number else each
        for each in room.existing.fixed
    )
    return replace(room, existing=replace(room.existing, fixed=tuple(fixed)))


def lengths(run: Run) -> Lengths:
    """Return the length rules of a study."""
    return Lengths(room_with_kept(run), run.catalog.cabinet, run.arguments("cabling")["slack"])


def _room(run: Run) -> Room:
    study = run.study
    # Ports of several networks are attached once cabinets are filled, and these must fit the room.
    routers = bare(run, 0).router_count if study.networks else run.topology.router_count
    return room(base=study.base, routers=routers, **run.arguments("room"))


STAGES = (
    Stage(
        record=Room,
        run=_room,
        rank=30,
        attached_needs=(),
        section=Section("room", (room,), given=("routers", "base")),
        is_input=True,
        # Floor plans may change and are quick to read, so they are read on every run.
        stored=False,
        preview=lambda arguments, base: room(base=base, routers=1, **arguments),
        examine=lambda run: examine(run.room, run.catalog, run.inventory),
    ),
)
