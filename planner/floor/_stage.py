"""The stage `room`."""

from planner.floor import Lengths, room
from planner.floor.existing.examine import examine
from planner.model import Room
from planner.section import Section
from planner.stage import Run, Stage


def room_with_kept(run: Run) -> Room:
    """Return the room, in which devices of a kept plan are like others that must not move."""
    kept = run.records.get("kept")
    return run.room if kept is None else kept.added_to(run.room)


def lengths(run: Run) -> Lengths:
    """Return the length rules of a study."""
    return Lengths(room_with_kept(run), run.catalog.cabinet, run.arguments("cabling")["slack"])


STAGES = (
    Stage(
        record=Room,
        run=lambda run: room(base=run.study.base, routers=run.topology.router_count, **run.arguments("room")),
        rank=30,
        needs=("topology",),
        section=Section("room", (room,), given=("routers", "base")),
        is_input=True,
        # Floor plans may change and are quick to read, so they are read on every run.
        stored=False,
        preview=lambda arguments, base: room(base=base, routers=1, **arguments),
        examine=lambda run: examine(run.room, run.catalog, run.inventory),
    ),
)
