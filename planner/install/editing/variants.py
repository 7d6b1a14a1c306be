"""Variants of a plan by name: layouts that were kept, and what-if plans with studies of their own."""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.core import names
from planner.core.errors import InputError, Problem, suggestion
from planner.design.placement.given import Places, read
from planner.domain import stored
from planner.domain.model import Plan
from planner.install.editing import save
from planner.install.editing.counting import COUNTED
from planner.install.editing.layouts import Layout
from planner.install.editing.session import Session

MAX_VARIANTS, LONGEST_NAME = 200, 80
NOW, START = "now", "start"
"""Names of the layout as it is, and of that of the plan, in comparisons."""

_CABLES = 400_000
"""Maximum number of cables of the plans of variants in memory, of which two always stay."""

_PROVENANCE = "provenance.json"
"""The file that makes a folder that of a plan."""


@dataclass(frozen=True, eq=False)
class Variant:
    """A kept layout, or the folder of a what-if plan; either is None."""

    layout: Layout | None = None
    folder: Path | None = None

    @property
    def kind(self) -> str:
        """``layout`` or ``what-if``."""
        return "what-if" if self.layout is None else "layout"


class Variants:
    """Variants in the order in which they were made, each with its files next to the plan: `planning-1.csv`, `planning-2/`.

    Attributes
    ----------
    items
        Variants by name.
    start
        The layout of the plan when the session began.
    """

    def __init__(self, session: Session, folder: Path):
        self.session, self.folder = session, folder
        self.items: dict[str, Variant] = {}
        self.start = session.layout
        self._plans: dict[str, Plan] = {}
        self._counting = threading.Lock()

    def __getitem__(self, name: Any) -> Variant:
        if not isinstance(name, str) or name not in self.items:
            raise InputError(Problem("name", f"there is no variant {name!r:.80}", suggestion(str(name)[:80], self.items)))
        return self.items[name]

    @property
    def revisions(self) -> dict[str, Path]:
        """Folders of other plans of the machine by name: those saved next to this one, and the one that the study keeps."""
        found = {
            path.parent.relative_to(self.folder).as_posix(): path.parent
            for pattern in ("planned-*", f"planned-*/{save.BUILT}")
            for path in sorted(self.folder.glob(f"{pattern}/{_PROVENANCE}"))
        }
        kept = self.session.study.sections.get("keep", {}).get("plan")
        if kept is not None and (Path(kept) / _PROVENANCE).is_file():
            found[f"kept {Path(kept).name}"] = Path(kept)
        return found

    def layout(self, name: Any) -> Layout:
        """Return a kept layout.

        Raises
        ------
        InputError
            When there is no such variant, or it is a what-if plan.
        """
        found = self[name].layout
        if found is None:
            raise InputError(Problem("name", f"{name!r} has a study of its own", "open it, or compare it"))
        return found

    def count(self, name: Any) -> Callable[[], Plan]:
        """Return a function that counts a variant, a revision, or the layout at the start or as it is now, in full.

        The function takes long; it may run while the session goes on, and returns the plan as of now.

        Raises
        ------
        InputError
            When there is none; the function, when its files are damaged.
        Infeasible
            From the function, when nothing fits.
        """
        if name not in (NOW, START) and name in (revisions := self.revisions):
            return lambda: self._cached(f"folder {name}", lambda: stored.restore(revisions[name]))
        if name not in (NOW, START) and (folder := self[name].folder) is not None:
            return lambda: self._cached(f"folder {name}", lambda: stored.restore(folder))
        places = (self.session.layout if name == NOW else self.start if name == START else self.layout(name)).places
        session = self.session.snapshot()
        counted = session.plan
        if counted.violations is not None and counted.bill is not None and _same(Places.of(counted.placement), places):
            return lambda: counted
        key = hashlib.sha256(places.slot.tobytes() + places.unit.tobytes()).hexdigest()
        return lambda: self._cached(key, lambda: session.counted(COUNTED, places=places))

    def _cached(self, key: str, made: Callable[[], Plan]) -> Plan:
        """Return a plan that is in memory, or make it; one at a time, so that two who wait for the same count it once."""
        with self._counting:
            if key not in self._plans:
                self._plans[key] = made()
                while len(self._plans) > max(2, _CABLES // max(self.session.current.cable_count, 1)):
                    del self._plans[next(iter(self._plans))]
            return self._plans[key]

    # --- keeping

    def require_new(self, name: Any) -> None:
        """Check that a variant can be kept under a name.

        Raises
        ------
        InputError
            When the name is taken or no name, or there are too many.
        """
        problem = None
        if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or names.fault(name):
            problem = Problem("name", f"{name!r:.80} is no name", f"write up to {LONGEST_NAME} characters")
        elif name in self.items or name in (NOW, START) or name in self.revisions:
            problem = Problem("name", f"{name!r} is taken", "choose another name")
        elif len(self.items) >= MAX_VARIANTS:
            problem = Problem("name", f"there are {MAX_VARIANTS} variants already", "save some as studies and begin a new log")
        if problem is not None:
            raise InputError(problem)

    def free_name(self, name: str) -> str:
        """Return a name that is not taken: the given one, or with a number."""
        found, number = name, 1
        while found in self.items:
            number += 1
            found = f"{name} ({number})"
        return found

    def keep(self, name: str, layout: Layout) -> None:
        """Keep a layout; its places are a table of its own."""
        plan = self.session.plan
        layout.places.write(self._table(), plan.inventory.names.tolist(), plan.room, layout.pinned.tolist())
        self.items[name] = Variant(layout)

    def keep_plan(self, name: str, folder: Path) -> None:
        """Keep the what-if plan in a folder, which is copied."""
        place = self._place()
        # What a crash left there was never acknowledged.
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folder, place)
        self.items[name] = Variant(folder=place)

    def restore(self, name: str, kind: str) -> None:
        """Find a variant again that was kept next.

        Raises
        ------
        InputError
            When its files are missing or damaged.
        """
        if kind == "what-if":
            place = self._place()
            if not (place / save.STUDY).is_file():
                raise InputError(Problem("", f"the plan of the variant {name!r} is missing", "restore it", str(place)))
            self.items[name] = Variant(folder=place)
            return
        places, pinned = read(self._table(), self.session.plan.inventory, self.session.plan.room)
        self.items[name] = Variant(Layout(places, pinned))

    def _table(self) -> Path:
        return self._place().with_suffix(".csv")

    def _place(self) -> Path:
        return place(self.folder, len(self.items) + 1)


def place(folder: Path, number: int) -> Path:
    """Return where a variant is: the folder of a what-if plan, or, with the ending ``.csv``, the table of a layout."""
    return folder / f"planning-{number}"


def _same(one: Places, other: Places) -> bool:
    return bool((one.slot == other.slot).all() and (one.unit == other.unit).all())
