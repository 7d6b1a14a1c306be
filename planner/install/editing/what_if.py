"""What-if switches: the study with other trays, reserves, power, parts or bundling, planned in full."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le

from planner.core import reading, registry, storage
from planner.core.errors import InputError, Problem, suggestion
from planner.domain.catalog import rows
from planner.hall import floor
from planner.install.editing import save
from planner.install.editing.rooms import RoomEditor
from planner.install.editing.session import Session

Share = Annotated[float, Gt(0), Le(1)]


@dataclass(frozen=True, kw_only=True)
class Switches:
    """What is different; None leaves it as in the study.

    Parameters
    ----------
    tray_width_percent
        Width of all trays in per cent of today's.
    design_fill, max_fill
        Limits of the share of a tray's cross-section.
    keep_free
        Share of the fill limits of trays that stays free.
    row_without_power
        Name of a row whose slots carry nothing.
    router
        Id of another part for the routers, in a study with one network.
    bundling
        Another kind of bundling.
    """

    __pydantic_config__ = {"extra": "forbid", "allow_inf_nan": False}

    tray_width_percent: Annotated[int, Ge(10), Le(1000)] | None = None
    design_fill: Share | None = None
    max_fill: Share | None = None
    keep_free: Annotated[float, Ge(0), Le(1)] | None = None
    row_without_power: str | None = None
    router: str | None = None
    bundling: str | None = None

    @property
    def moves_cabinets(self) -> bool:
        """Whether the layout cannot stay as it is, so that the algorithm of the study places everything again."""
        return self.row_without_power is not None or self.router is not None

    @property
    def title(self) -> str:
        """What is different, in words."""
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in vars(self).items() if value is not None)


def choices(session: Session) -> dict[str, list[str]]:
    """Return the values that may be given to switches with names: rows, router parts and kinds of bundling."""
    catalog, files = session.plan.catalog, session.study.sections["catalog"]["files"]
    known = rows("router", tuple(str(session.study.base / file) for file in files)) if catalog.router is not None else ()
    parts = [row.id for row in known if row.ports >= catalog.router.ports and row.id != catalog.router.id]
    bundling = session.study.sections["cabling"].get("bundling", "loom")
    return {
        "row_without_power": list(session.plan.room.row_names),
        "router": parts,
        "bundling": [name for name in registry.names("bundling") if name != bundling],
    }


def switches(given: Any, session: Session) -> Switches:
    """Return checked switches from plain data; names are among the `choices`, since they come from others.

    Raises
    ------
    InputError
        With all unknown keys, wrong values and names that cannot be chosen, or when nothing is different.
    """
    if not isinstance(given, dict):
        raise InputError(Problem("what-if", "is no table", 'write {"design_fill": 0.3}'))
    found: Switches = reading.construct(Switches, given, section="what-if")
    if not found.title:
        raise InputError(Problem("what-if", "nothing is different", "set one of the switches"))
    problems = [
        Problem(
            f"what-if.{key}", f"{getattr(found, key)!r:.80} is not among the choices", suggestion(getattr(found, key)[:80], known)
        )
        for key, known in choices(session).items()
        if getattr(found, key) is not None and getattr(found, key) not in known
    ]
    if problems:
        raise InputError(problems)
    return found


def write(session: Session, chosen: Switches, folder: Path) -> Path:
    """Write the study with some switches into a new folder and return its file; the layout stays where it can.

    Raises
    ------
    InputError
        When there is no such row, or the room of the study is made for the size of its network.
    """
    content = session.study.expanded() if chosen.moves_cabinets else save.expanded(session)
    if chosen.moves_cabinets:
        content["placement"]["layout"] = None
        if content["placement"]["algorithm"] == "manual":
            content["placement"]["algorithm"] = "auto"
    else:
        content["placement"]["layout"] = save.LAYOUT
    room = content["room"]
    for name in ("design_fill", "max_fill"):
        if getattr(chosen, name) is not None:
            room[name] = getattr(chosen, name)
    if chosen.keep_free is not None:
        existing = room.get("existing") or {}
        room["existing"] = existing | {"keep_free": (existing.get("keep_free") or {}) | {"trays": chosen.keep_free}}
    if chosen.router is not None:
        content["catalog"]["router"] = chosen.router
    if chosen.bundling is not None:
        content["cabling"] |= {"bundling": chosen.bundling, "bundling_parameters": None}
    content["report"] = {"formats": []}
    folder.mkdir(parents=True)
    if chosen.tray_width_percent is not None or chosen.row_without_power is not None:
        plan = floor.plan_data(room["plan"], session.study.base)
        floor.write_plan(changed_room(plan, chosen), folder / save.ROOM)
        room["plan"] = f"./{save.ROOM}"
    if not chosen.moves_cabinets:
        save.layout(session, folder / save.LAYOUT)
    storage.write_toml(content, folder / save.STUDY)
    return folder / save.STUDY


def write_in_room(session: Session, editor: RoomEditor, folder: Path) -> Path:
    """Write the study with another room into a new folder and return its file; its algorithm places everything there."""
    content = session.study.expanded()
    content["placement"]["layout"] = None
    if content["placement"]["algorithm"] == "manual":
        content["placement"]["algorithm"] = "auto"
    # What is in the old room, and what is built there, is not in this one.
    content.pop("keep", None)
    content["room"] = {"plan": f"./{save.ROOM}"}
    content["report"] = {"formats": []}
    folder.mkdir(parents=True)
    editor.save(folder / save.ROOM)
    storage.write_toml(content, folder / save.STUDY)
    return folder / save.STUDY


def changed_room(plan: dict[str, Any], chosen: Switches) -> dict[str, Any]:
    """Return the data of a floor plan with wider or narrower trays, and a row without power.

    Raises
    ------
    InputError
        When there is no such row.
    """
    if "grid" in plan:
        raise InputError(Problem("room", "is sized by a rule for its network", "choose a room with rows and trays of its own"))
    plan = deepcopy(plan)
    if chosen.tray_width_percent is not None:
        for tray in plan.get("tray", []):
            tray["width_mm"] = max(1, tray["width_mm"] * chosen.tray_width_percent // 100)
    if (name := chosen.row_without_power) is not None:
        rows = {row["name"]: row for row in plan.get("row", [])}
        if name not in rows:
            raise InputError(Problem("row_without_power", f"there is no row {name!r}", suggestion(name, rows)))
        # Limits are positive; no cabinet draws so little.
        rows[name]["power_mw"] = 1
    return plan
