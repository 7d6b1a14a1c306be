"""A placement that is being edited: moves with their consequences, undo and redo, and the full count behind them."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.design.placement.given import Places
from planner.domain.model import Placement, Plan
from planner.hall.floor import Lengths
from planner.install.editing import counting
from planner.install.editing.counting import BASIS, COUNTED
from planner.install.editing.current import Change, Current
from planner.install.editing.delays import Delays
from planner.install.editing.delta import SHOWN, Delta, Figures, changed_cables, changed_trays
from planner.install.editing.history import History, Step
from planner.install.editing.layouts import Floor, Layout
from planner.install.editing.moves import Move, moved, title_of
from planner.install.editing.proposals import Proposal, proposals, proposed
from planner.install.editing.rules import Broken
from planner.studies import pipeline
from planner.studies import study as studies
from planner.studies.folder import ReadOnlyFolder
from planner.studies.stage import Study


class Session:
    """A placement that is being edited.

    A move routes and buys again only the cables of the devices that it moves. All other cables keep their parts, lengths and
    routes. Where all cables have their shortest routes that is what a full count finds; where trays are full, `Delta.estimated`
    gives the reasons why it may not be. `recount` runs the stages of `planner run`.

    Parameters
    ----------
    study
        The study.
    plan
        Its plan, with at least the records of `BASIS`.

    Attributes
    ----------
    layout
        Places of all devices, and which are pinned.
    plan
        The last full count.
    """

    _figures: Figures

    def __init__(self, study: Study, plan: Plan):
        if not study.physical:
            raise InputError(Problem("study", "has no room, so nothing is placed", "add [catalog] and [room]"))
        self.study, self.plan = study, plan
        # Devices of a kept plan that stay are like others that must not move.
        self._room = plan.room if plan.kept is None else plan.kept.added_to(plan.room)
        self.floor = Floor(self._room, plan.inventory, plan.catalog)
        self.layout = Layout(places := Places.of(plan.placement), self.floor.stays(places))
        self._history = History()
        self._start()

    @classmethod
    def open(cls, path: Path | str, *, progress: Progress = silent) -> Session:
        """Return a session of a study file, or of a folder with a study and perhaps its plan, which is used as far as it is up
        to date.

        Raises
        ------
        InputError
            With all problems of the study.
        Infeasible
            When nothing fits.
        """
        study = studies.load(path)
        path = Path(path)
        store = ReadOnlyFolder(path if path.is_dir() else path.parent, study, resume=True)
        wanted = counting.of_all_networks(study, BASIS)
        return cls(study, pipeline.make(study, wanted, store=store, progress=progress, accepted=False))

    # --- figures

    @property
    def figures(self) -> Figures:
        """Figures of the layout as it is now."""
        return self._figures

    @property
    def broken(self) -> tuple[Any, ...]:
        """Violations of the rules that a move can break, as the layout is now; see `planner.install.editing.rules`."""
        return self._broken.items

    @property
    def estimated(self) -> tuple[str, ...]:
        """Reasons why a full count may find other figures."""
        return tuple(self._current.estimated())

    @property
    def current(self) -> Current:
        """All cables as they are now."""
        return self._current

    @property
    def history(self) -> tuple[list[str], list[str]]:
        """Titles of the steps that can be undone, and of those that can be redone; the next one is at the end of either."""
        return self._history.titles

    # --- moves

    def move(self, moves: Move | Iterable[Move]) -> Delta:
        """Make one move, or several as one step, and return what changes.

        Raises
        ------
        InputError
            When a move is impossible; nothing changes then.
        Infeasible
            When a cable would be longer than the reach of every part; nothing changes then.
        """
        wanted = (moves,) if isinstance(moves, Move) else tuple(moves)
        after = self.layout
        for each in wanted:
            after = moved(self.floor, after, each)
        return self._go(Step(title_of(wanted), self.layout, after))

    def take(self, places: Places, title: str) -> Delta:
        """Take over places from elsewhere, such as a variant or an optimizer, as one step.

        Raises
        ------
        Infeasible
            When a cable would be longer than the reach of every part; nothing changes then.
        """
        return self._go(Step(title, self.layout, replace(self.layout, places=places)))

    def undo(self) -> Delta:
        """Take back the last step.

        Raises
        ------
        InputError
            When there is none.
        """
        delta = self._back(self._history.last())
        self._history.undo()
        return delta

    def redo(self) -> Delta:
        """Make the step again that was undone last.

        Raises
        ------
        InputError
            When there is none.
        """
        old = self._history.next()
        step = Step(old.title, self.layout, old.after)
        delta = self._advance(step)
        self._history.redo(step)
        return delta

    def _go(self, step: Step) -> Delta:
        """Make a step."""
        delta = self._advance(step)
        self._history.add(step)
        return delta

    def _advance(self, step: Step) -> Delta:
        """Evaluate a step, which fills in what its undo needs, and take over its layout."""
        devices, before, old = step.after.moved_since(step.before), self._figures, self._broken.items
        if len(devices):
            placement = self._placed(step.after.places)
            step.placement = self._current.placement
            step.change = self._current.advance(placement, devices)
            step.broken = self._broken.update(self._current, self._touched(step, devices))
            self._figures = self._measured(devices)
        self.layout = step.after
        return self._delta(step, step.title, devices, before, old, step.change)

    def _back(self, step: Step) -> Delta:
        """Take a step back; exactly, unless a full count came in between."""
        title = f"undo: {step.title}"
        if step.change is None or step.placement is None:
            return self._advance(Step(title, step.after, step.before))
        devices, before, old = step.after.moved_since(step.before), self._figures, self._broken.items
        change = Change(step.change.rows, step.change.after, step.change.before, self._current.fill_um2, 0)
        self._current.restore(step.change, step.placement)
        self._broken.restore(step.broken, self._current)
        self.layout, step.change = step.before, None
        self._figures = self._measured(devices)
        return self._delta(step, title, devices, before, old, change)

    def _touched(self, step: Step, devices: np.ndarray) -> np.ndarray:
        slots = [layout.places.slot[devices] for layout in (step.before, step.after)]
        return np.unique(np.concatenate(slots))

    def _delta(self, step: Step, title: str, devices: np.ndarray, before: Figures, old: tuple, change: Change | None) -> Delta:
        cables, count = ((), 0) if change is None else changed_cables(self._current, change)
        trays = () if change is None else changed_trays(self._current, change.fill_um2)
        new = self._broken.items
        return Delta(
            title, tuple(self.plan.inventory.names[devices[:SHOWN]].tolist()), len(devices), before, self._figures, cables, count,
            trays, tuple(item for item in new if item not in old), tuple(item for item in old if item not in new), self.estimated,
            tuple(self._touched(step, devices).tolist()),
        )  # fmt: skip

    # --- without evaluation, to restore a session from its log

    def retrace(self, title: str, after: Layout) -> None:
        """Make a step of which `recount` finds the figures, together with those of others."""
        self._history.add(Step(title, self.layout, after))
        self.layout = after

    def retrace_history(self, do: str) -> None:
        """``undo`` or ``redo`` a step, if there is one, without its figures."""
        done, undone = self.history
        if do == "undo" and done:
            self.layout = self._history.undo().before
        if do == "redo" and undone:
            self.layout = self._history.redo().after

    # --- near misses

    def proposals(self) -> tuple[Proposal, ...]:
        """Return the moves that near misses of the last full count propose, as far as they still apply."""
        return proposals(self.plan, self.floor, self.layout, self._current)

    def proposed(self, number: int, by: str) -> Move:
        """Return the move of a proposal; parameters as for `planner.install.editing.proposals.proposed`."""
        return proposed(self.plan, number, by).move

    def accept(self, number: int, *, by: str = "unit") -> Delta:
        """Make the move that a near miss of the last full count proposes; parameters as for `proposed`."""
        return self.move(self.proposed(number, by))

    # --- the full count

    def snapshot(self) -> Session:
        """Return the session as it is now, for what takes long: steps of this one do not change its layout, study or plan."""
        return copy(self)

    def placement(self) -> Placement:
        """Return the placement as it is now, with its objective."""
        return counting.placement(self.study, self.plan, self._lengths, self.layout.places)

    def counted(self, wanted: Iterable[str] = COUNTED, *, places: Places | None = None, progress: Progress = silent) -> Plan:
        """Return the plan of some places, by default those of the layout as it is now, by the stages of `planner run`; the
        session stays as it is.

        Raises
        ------
        Infeasible
            When nothing fits.
        """
        places = self.layout.places if places is None else places
        return counting.counted(self.study, self.plan, self._lengths, places, wanted, progress=progress)

    def recount(self, wanted: Iterable[str] = COUNTED, *, progress: Progress = silent) -> Plan:
        """Count everything again by the stages of `planner run`, and go on from there.

        Raises
        ------
        Infeasible
            When nothing fits; the session stays as it is.
        """
        return self.adopt(self.counted({*wanted, *BASIS}, progress=progress))

    def adopt(self, plan: Plan) -> Plan:
        """Go on from a full count of the layout as it is now, such as one that ran in the background."""
        same = Places.of(plan.placement)
        if (same.slot != self.layout.places.slot).any() or (same.unit != self.layout.places.unit).any():
            raise InputError(Problem("plan", "is not that of the layout as it is now", "count again"))
        self.plan = plan
        self._history.forget_changes()
        self._start()
        return plan

    # --- evaluation

    def _start(self) -> None:
        """Take all figures from the last full count."""
        plan, study = self.plan, self.study
        self._lengths = Lengths(self._room, plan.catalog.cabinet, study.sections["cabling"]["slack"])
        self._current = Current.of(study, plan, self._lengths)
        self._broken = Broken(plan, self._current)
        self._delays = Delays(study, plan)
        self._figures = Figures.of(self._current, self._delays.counted_ps, self._delays.counted_is_bound)

    def _placed(self, places: Places) -> Placement:
        """Return the placement with all devices in some places; the objective follows at the next full count."""
        inventory = self.plan.inventory
        fixed = inventory.rack if self.plan.catalog.router is None else None
        return replace(self._current.placement, **places.fields(fixed))

    def _measured(self, devices: np.ndarray) -> Figures:
        return Figures.of(self._current, *self._delays.after(self._current, devices))
