"""A floor plan that is being edited, with undo, saved as the TOML of the room."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

from planner.core import children, reading, scratch
from planner.core.errors import InputError, Problem, suggestion
from planner.domain.model import Room
from planner.hall import floor
from planner.install.editing.room_steps import STEPS, Data, require_shape

MAX_STEPS, MAX_DXF_BYTES = 500, 30_000_000


def empty(title: str = "New room") -> Data:
    """Return the data of a room with neither outline nor rows."""
    return {
        "title": title,
        "source": "drawn in Planner",
        "confidence": "D",
        "estimates": ["outline_mm", "row", "tray", "power_mw", "load_g"],
        "tile_mm": 600,
        "power_mw": 30_000_000,
        "load_g": 1_500_000,
    }


def of_dxf(content: bytes) -> Data:
    """Return the data of the room in a DXF drawing with the layers that ``planner floor draw`` writes.

    Raises
    ------
    InputError
        With every problem of the drawing, or when it takes too much time or memory: it is read in a process of its own.
    """
    if len(content) > MAX_DXF_BYTES:
        raise InputError(Problem("drawing", f"has more than {MAX_DXF_BYTES:,} bytes", "leave out what is not the room"))
    with scratch.folder() as folder:
        drawing, plan = folder / "drawing.dxf", folder / "room.toml"
        drawing.write_bytes(content)
        try:
            return children.bounded(_imported, drawing, plan)
        except children.TooMuch as error:
            raise InputError(Problem("drawing", f"to read it {error}", "leave out what is not the room")) from None


def _imported(drawing: Path, plan: Path) -> Data:
    try:
        floor.import_dxf(drawing, plan)
    except InputError as error:
        if not plan.exists():
            raise InputError(Problem(each.place, each.message, each.remedy) for each in error.problems) from None
    return reading.read(plan).data


class RoomEditor:
    """A floor plan that is being edited.

    Steps may leave the room with problems, such as rows without trays; `problems` lists them, and `save` refuses.

    Attributes
    ----------
    data
        Keys of the floor plan file.
    """

    def __init__(self, data: Data):
        self.data = deepcopy(data)
        self._before: list[Data] = []
        self._after: list[Data] = []

    @classmethod
    def open(cls, plan: str, base: Path = Path()) -> RoomEditor:
        """Return an editor of a floor plan: the name of a shipped one, or a path from `base`.

        Raises
        ------
        InputError
            When there is none, or it is sized by a rule for its network.
        """
        data = floor.plan_data(plan, base)
        if "grid" in data:
            raise InputError(Problem("room", "is sized by a rule for its network", "begin a new room"))
        return cls(data)

    @property
    def can_undo(self) -> bool:
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        return bool(self._after)

    def do(self, step: Any) -> None:
        """Make a step given as plain data: ``{"do": key of STEPS, …}``.

        Raises
        ------
        InputError
            When there is no such step, or what it names is not there; nothing changes then.
        """
        if not isinstance(step, dict) or not isinstance(step.get("do"), str) or step["do"] not in STEPS:
            raise InputError(
                Problem("do", "is no step", suggestion(str(step.get("do") if isinstance(step, dict) else "")[:40], STEPS))
            )
        after = deepcopy(self.data)
        given = {key: deepcopy(entry) for key, entry in step.items() if key != "do"}
        STEPS[step["do"]](after, given)
        if given:
            raise InputError(Problem(f"{key}", f"has no meaning in a step {step['do']}", "leave it out") for key in given)
        require_shape(after)
        self._before = [*self._before, self.data][-MAX_STEPS:]
        self.data, self._after = after, []

    def undo(self) -> None:
        """Take back the last step.

        Raises
        ------
        InputError
            When there is none.
        """
        if not self._before:
            raise InputError(Problem("undo", "there is nothing to undo"))
        self._after.append(self.data)
        self.data = self._before.pop()

    def redo(self) -> None:
        """Make the step again that was undone last.

        Raises
        ------
        InputError
            When there is none.
        """
        if not self._after:
            raise InputError(Problem("redo", "there is nothing to redo"))
        self._before.append(self.data)
        self.data = self._after.pop()

    def room(self) -> Room:
        """Return the room.

        Raises
        ------
        InputError
            With every problem.
        """
        return floor.room_of(self.data)

    def problems(self) -> tuple[Problem, ...]:
        """Return every problem of the room as it is; none if it can be saved."""
        try:
            self.room()
        except InputError as error:
            return error.problems
        return ()

    def save(self, path: Path) -> Path:
        """Write the floor plan file and return its path.

        Raises
        ------
        InputError
            With every problem of the room; nothing is written then.
        """
        self.room()
        floor.write_plan(self.data, path)
        return path
