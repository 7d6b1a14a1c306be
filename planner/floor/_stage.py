"""The stage `room`."""

from planner.floor import Lengths, room
from planner.floor.existing.examine import examine
from planner.model import Room
from planner.section import Section
from planner.stage import Run, Stage
from planner.topology._stage import bare


def room_with_kept(run: Run) -> Room:
    """Return the room, in which devices of a kept plan are like others that must not move."""
    kept = run.records.get("kept")
    return run.room if kept is None else kept.added_to(run.room)


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
        needs=("topology",),
        attached_needs=(),
        section=Section("room", (room,), given=("routers", "base")),
        is_input=True,
        # Floor plans may change and are quick to read, so they are read on every run.
        stored=False,
        preview=lambda arguments, base: room(base=base, routers=1, **arguments),
        examine=lambda run: examine(run.room, run.catalog, run.inventory),
    ),
)
