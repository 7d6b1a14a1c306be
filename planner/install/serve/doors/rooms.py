"""Rooms in the browser: rows, trays and obstacles edited, a room from nothing or from a drawing, and the network in it."""

from __future__ import annotations

import threading
from typing import Any

from planner.core.errors import InputError, Problem
from planner.install.editing import view
from planner.install.editing.rooms import MAX_DXF_BYTES, RoomEditor, empty, of_dxf
from planner.install.serve.desks import Open, changing
from planner.install.serve.door import Answer, Call, Denied, Door
from planner.install.serve.doors.planning import table
from planner.install.serve.pages import page
from planner.install.serve.served import Served
from planner.studies.stage import Study


class Edited:
    """The room that is being edited; at first that of the plan, or an empty one where that is sized by a rule."""

    def __init__(self, served: Served):
        self.lock = threading.RLock()
        self._open = served.kept(Open)
        self._of: Study | None = None
        self._editor, self._begun = RoomEditor(empty()), False

    @property
    def editor(self) -> RoomEditor:
        """The room of the plan that is open; one with steps, a new one and that of a drawing stay when another plan is opened."""
        study = self._open.desk.session.study
        with self.lock:
            if self._of is not study and not (self._begun or self._editor.can_undo or self._editor.can_redo):
                try:
                    self._editor = RoomEditor.open(study.sections["room"]["plan"], study.base)
                except InputError:
                    self._editor = RoomEditor(empty())
            self._of = study
            return self._editor

    @editor.setter
    def editor(self, editor: RoomEditor) -> None:
        self._editor, self._begun = editor, True


def shown(served: Served, call: Call) -> Answer:
    """Return the page of rooms."""
    return page("rooms")


def state(served: Served, call: Call) -> dict[str, Any]:
    """Return the room as it is edited."""
    return view.edited_room(served.kept(Edited).editor)


def step(served: Served, call: Call) -> dict[str, Any]:
    """Make a step; ``new`` begins an empty room."""
    own, given = served.kept(Edited), table(call)
    with own.lock:
        if given.get("do") == "new":
            own.editor = RoomEditor(empty())
        elif given.get("do") in ("undo", "redo"):
            getattr(own.editor, given["do"])()
        else:
            own.editor.do(given)
        return view.edited_room(own.editor)


def drawing(served: Served, call: Call) -> dict[str, Any]:
    """Begin with the room of a DXF drawing."""
    own = served.kept(Edited)
    if not call.uploads:
        raise InputError(Problem("drawing", "is missing", "choose a DXF file"))
    editor = RoomEditor(of_dxf(call.uploads[0].content))
    with own.lock:
        own.editor = editor
        return view.edited_room(editor)


def save(served: Served, call: Call) -> dict[str, Any]:
    """Save the floor plan next to the plan, and return its name."""
    own = served.kept(Edited)
    with own.lock:
        place = served.kept(Open).desk.place("room", ".toml")
        own.editor.save(place)
    served.journal.note(call.crew, f"rooms: saved as {place.name}")
    return {"saved": place.name}


def plan(served: Served, call: Call) -> dict[str, Any]:
    """Start to plan the network in the room."""
    return changing(served, call).work.in_room(served.kept(Edited).editor).plain()


def planned(served: Served, call: Call) -> dict[str, Any]:
    """Return how far that is, and in the end the figures and the places of the cabinets."""
    desk = served.kept(Open).desk
    if desk.work.job is None:
        raise Denied(404, Problem("work", "nothing was started", "plan the network first"))
    found: dict[str, Any] = {"work": desk.work.job.plain(), "cabinets": None, "sides": None}
    if desk.work.job.kind == "what-if" and not (found["work"]["running"] or found["work"]["error"]):
        made = desk.work.result()
        found["cabinets"] = [made.room.slot_names[slot] for slot in made.placement.slot_of.tolist()]
        found["sides"] = view.side_by_side({"the plan": desk.session.plan, "here": made})
    return found


def keep(served: Served, call: Call) -> dict[str, Any]:
    """Save the study in the room next to the plan, or keep its plan as a variant, and return the name."""
    desk, name = served.kept(Open).desk, table(call).get("name")
    if name is not None:
        desk.keep_result(name)
        served.journal.note(call.crew, "rooms: the plan is kept as a variant")
        return {"kept": name}
    place = desk.save_result()
    served.journal.note(call.crew, f"rooms: study saved as {place.name}")
    return {"saved": place.name}


ROUTES = [
    Door("GET", "/rooms", shown),
    Door("GET", "/api/rooms", state),
    Door("POST", "/api/rooms", step, "planner"),
    Door("POST", "/api/rooms/drawing", drawing, "planner", body_bytes=MAX_DXF_BYTES, body_s=120, form=True, threads="heavy"),
    Door("POST", "/api/rooms/save", save, "planner"),
    Door("POST", "/api/rooms/plan", plan, "planner", threads="heavy"),
    Door("GET", "/api/rooms/plan", planned, threads="heavy"),
    Door("POST", "/api/rooms/plan/save", keep, "planner", threads="heavy"),
]
