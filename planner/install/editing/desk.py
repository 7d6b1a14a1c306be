"""A session with its log, variants, comparisons and long work: what a page, or a script, needs to plan together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem, suggestion
from planner.core.progress import Progress, silent
from planner.domain import stored
from planner.domain.model import Plan
from planner.fabric.baseline import Planned
from planner.install.editing import replay, save
from planner.install.editing.delta import Delta
from planner.install.editing.layouts import Layout
from planner.install.editing.log import LOG, Log
from planner.install.editing.moves import checked
from planner.install.editing.session import Session
from planner.install.editing.variants import NOW, START, Variants
from planner.install.editing.work import Work
from planner.studies.diff import Comparison
from planner.studies.diff.run import comparison
from planner.view import schedule

MAX_SIDES = 6
"""Maximum number of plans side by side."""


class Desk:
    """A session that is kept in a folder next to its plan; one thread at a time.

    Attributes
    ----------
    session
        The session.
    variants
        Kept layouts and what-if plans.
    work
        Long work in the background.
    lock
        Held by one thread at a time, which may hold it already.
    version
        Number that grows with every step.
    """

    def __init__(self, session: Session, folder: Path):
        self.session, self.folder = session, folder
        self.variants = Variants(session, folder)
        self.lock = threading.RLock()
        self.work = Work(session, self.lock)
        self._key = replay.key_of(session)
        self._log = Log(folder / LOG)
        self.version = replay.replay(self._log.entries(self._key), session, self.variants)

    @classmethod
    def open(cls, path: Path | str, *, progress: Progress = silent) -> Desk:
        """Return the desk of a study or of the folder of a plan, as it was left.

        Raises
        ------
        InputError
            With all problems of the study, or when the log in the folder is damaged or of another plan.
        Infeasible
            When nothing fits.
        """
        session = Session.open(path, progress=progress)
        path = Path(path)
        return cls(session, path if path.is_dir() else path.parent)

    def close(self) -> None:
        """End long work and remove its files."""
        with self.lock:
            self.work.close()

    # --- steps

    def move(self, given: Any) -> Delta:
        """Make moves given as plain data, as one step.

        Raises
        ------
        InputError
            With all that is wrong; nothing changes then.
        Infeasible
            When a cable would be longer than the reach of every part; nothing changes then.
        """
        moves = checked(given)
        with self.lock:
            delta = self.session.move(moves)
            self._note({"do": "move", "moves": [each.plain() for each in moves]})
            return delta

    def undo(self) -> Delta:
        """Take back the last step."""
        with self.lock:
            delta = self.session.undo()
            self._note({"do": "undo"})
            return delta

    def redo(self) -> Delta:
        """Make the step again that was undone last."""
        with self.lock:
            delta = self.session.redo()
            self._note({"do": "redo"})
            return delta

    def accept(self, number: int, by: str) -> Delta:
        """Make the move that a near miss proposes."""
        with self.lock:
            move = self.session.proposed(number, by)
            delta = self.session.move(move)
            self._note({"do": "move", "moves": [move.plain()]})
            return delta

    # --- variants

    def keep(self, name: Any, layout: Layout | None = None) -> None:
        """Keep a layout, by default that as it is now, as a variant.

        Raises
        ------
        InputError
            When the name is taken or no name, or there are too many.
        """
        with self.lock:
            self.variants.require_new(name)
            self.variants.keep(name, layout or self.session.layout)
            self._note({"do": "variant", "name": name})

    def keep_result(self, name: Any) -> None:
        """Keep the plan that the last what-if found as a variant.

        Raises
        ------
        InputError
            When none has ended, or the name is taken or no name.
        """
        with self.lock:
            self.keep_plan(name, self.work.ended())

    def keep_plan(self, name: Any, folder: Path) -> None:
        """Keep the plan in a folder, which is copied, as a variant; problems as for `keep`."""
        with self.lock:
            self.variants.require_new(name)
            self.variants.keep_plan(name, folder)
            self._note({"do": "variant", "name": name, "kind": "what-if"})

    def take(self, name: Any) -> Delta:
        """Go to a kept layout, as one step."""
        with self.lock:
            delta = self.session.take(self.variants.layout(name).places, f"variant {name}")
            self._note({"do": "take", "name": name})
            return delta

    def compare(self, one: Any = START, other: Any = NOW) -> Comparison:
        """Return the difference of two variants or revisions, or of the layout of the plan and the one as it is.

        Raises
        ------
        InputError
            When there is no such variant.
        """
        plans = self._counted([one, other])
        names = str(one), str(other)
        return comparison(*(Planned(schedule.of_plan(plans[name]), Path(name), plans[name]) for name in names))

    def side_by_side(self, names: Iterable[Any]) -> dict[str, Plan]:
        """Return the plans of some variants and revisions by name, each counted in full.

        Raises
        ------
        InputError
            When there is no such variant, or there are too many.
        """
        wanted = [*dict.fromkeys(str(name) for name in names)]
        if not 1 <= len(wanted) <= MAX_SIDES:
            raise InputError(Problem("names", f"are {len(wanted)}", f"choose 1 to {MAX_SIDES} variants"))
        return self._counted(wanted)

    def _counted(self, names: Iterable[Any]) -> dict[str, Plan]:
        """Return plans by name, counted in full; steps go on meanwhile."""
        with self.lock:
            counts = {str(name): self.variants.count(name) for name in names}
        return {name: count() for name, count in counts.items()}

    def with_result(self) -> dict[str, Plan]:
        """Return the plans of the layout as it is now, and of the last what-if, by name.

        Raises
        ------
        InputError
            When none has ended.
        """
        with self.lock:
            folder, title = self.work.ended(), self.work.title
        return {**self._counted([NOW]), title: stored.restore(folder)}

    def save_result(self) -> Path:
        """Save the study of the last what-if next to the plan, and return its folder.

        Raises
        ------
        InputError
            When none has ended.
        """
        with self.lock:
            return save.copied(self.session, self.work.ended(), self.place("study", ""))

    def save_variant(self, name: Any) -> Path:
        """Save a variant as a study next to the plan, and return its folder.

        Raises
        ------
        InputError
            When there is no such variant.
        """
        with self.lock:
            place, variant = self.place("study", ""), self.variants[name]
            if variant.folder is not None:
                return save.copied(self.session, variant.folder, place)
            assert variant.layout is not None
            return save.study(self.session, place, variant.layout).parent

    # --- long work

    def best(self) -> Delta:
        """Take over the best layout of the search so far, as one step, and keep it as a variant.

        Raises
        ------
        InputError
            When there is none.
        """
        with self.lock:
            places, number = self.work.best()
            name = self.variants.free_name(f"improved, round {number}")
            layout = replace(self.session.layout, places=places)
            delta = self.session.take(layout.places, f"variant {name}")
            self.variants.keep(name, layout)
            self._note({"do": "variant", "name": name})
            self._note({"do": "take", "name": name})
            return delta

    # --- saving

    def save(self, kind: Any, *, progress: Progress = silent) -> Path:
        """Save the layout as it is as ``layout``, ``keep`` or ``study`` in the folder of the plan, and return the file.

        Raises
        ------
        InputError
            When there is no such kind.
        """
        kinds: dict[str, Callable[..., Any]] = {"layout": save.layout, "study": save.study, "keep": save.keep}
        if not isinstance(kind, str) or kind not in kinds:
            raise InputError(Problem("as", f"there is no kind {kind!r:.40}", suggestion(str(kind)[:40], kinds)))
        with self.lock:
            place = self.place(kind, ".csv" if kind == "layout" else "")
            if kind != "keep":
                return kinds[kind](self.session, place)
            session = self.session.snapshot()
            place.mkdir()
        # It is planned as a whole: steps go on meanwhile.
        return save.keep(session, place, progress=progress)

    def place(self, kind: str, ending: str) -> Path:
        """Return the next free path for something to save."""
        number = 1
        while (place := self.folder / f"planned-{kind}-{number}{ending}").exists():
            number += 1
        return place

    # --- the log

    def _note(self, entry: dict[str, Any]) -> None:
        self._log.append(self._key, entry)
        self.version += 1
