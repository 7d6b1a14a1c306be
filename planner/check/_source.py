"""Reference of a plan: the records that depend on its study alone, and the rows of the catalogs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from planner.model import Catalog, Room, Topology
from planner.parts import Row


@dataclass(frozen=True, eq=False)
class Source:
    """Built from the study, not taken from the plan.

    Attributes
    ----------
    topology, catalog, room
        As the study describes them; a network study has neither catalog nor room.
    rows
        From the name of a kind of catalog row to all its rows, those of the study's own files among them.
    """

    topology: Topology
    catalog: Catalog | None
    room: Room | None
    rows: Callable[[str], Iterable[Row]]
