"""A placement that is being edited: moves with their consequences, undo and redo, variants, and the full count behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from planner import flow, registry
from planner import study as studies
from planner.cabling import cable
from planner.catalog import rows
from planner.errors import InputError, Problem
from planner.floor import Lengths
from planner.folder import ReadOnlyFolder
from planner.latency import worst_ps
from planner.model import NearMiss, Placement, Plan
from planner.placement import given, place
from planner.placement.given import Places
from planner.planning.current import Change, Current
from planner.planning.delta import SHOWN, Delta, Figures, changed_cables, changed_trays
from planner.planning.moves import Floor, Layout, Move, moved
from planner.planning.rules import Broken
from planner.progress import Progress, silent
from planner.reading import parameters
from planner.stage import Study
from planner.stages import stages

BASIS = ("cables", "panels", "latency", "near_misses")
"""Stages whose records a session needs to start."""

COUNTED = (*BASIS, "bundlings", "work", "bill", "cooling", "violations")
"""Stages of a full count; reports, failures and simulations are left to `planner run`."""

VISITS = 2_000_000
"""Maximum product of sources and ports of routers for the delay after a move, about 20 ms of one core."""


@dataclass(eq=False)
class _Step:
    """One step of the history: what was done, the layouts before and after, and the rows that it changed, if still known."""

    title: str
    before: Layout
    after: Layout
    change: Change | None = None
    placement: Placement | None = None
    broken: dict = field(default_factory=dict)


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

    def __init__(self, study: Study, plan: Plan):
        if not study.physical:
            raise InputError(Problem("study", "has no room, so nothing is placed", "add [catalog] and [room]"))
        self.study, self.plan = study, plan
        self.floor = Floor(plan.room, plan.inventory, plan.catalog)
        self.layout = Layout(Places.of(plan.placement), np.zeros(plan.inventory.device_count, bool))
        self._undone: list[_Step] = []
        self._done: list[_Step] = []
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
        return cls(study, flow.make(study, BASIS, store=store, progress=progress, accepted=False))

    # --- figures

    @property
    def figures(self) -> Figures:
        """Figures of the layout as it is now."""
        return self._figures

    @property
    def broken(self) -> tuple[Any, ...]:
        """Violations of the rules that a move can break, as the layout is now; see `planner.planning.rules`."""
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
        return [step.title for step in self._done], [step.title for step in self._undone]

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
        return self._go(_Step(title_of(wanted), self.layout, after))

    def take(self, places: Places, title: str) -> Delta:
        """Take over places from elsewhere, such as a variant or an optimizer, as one step.

        Raises
        ------
        Infeasible
            When a cable would be longer than the reach of every part; nothing changes then.
        """
        return self._go(_Step(title, self.layout, replace(self.layout, places=places)))

    def undo(self) -> Delta:
        """Take back the last step.

        Raises
        ------
        InputError
            When there is none.
        """
        if not self._done:
            raise InputError(Problem("undo", "there is nothing to undo"))
        step = self._done[-1]
        delta = self._back(step)
        self._undone.append(self._done.pop())
        return delta

    def redo(self) -> Delta:
        """Make the step again that was undone last.

        Raises
        ------
        InputError
            When there is none.
        """
        if not self._undone:
            raise InputError(Problem("redo", "there is nothing to redo"))
        step, rest = self._undone[-1], self._undone[:-1]
        delta = self._go(_Step(step.title, self.layout, step.after))
        self._undone = rest
        return delta

    def _go(self, step: _Step) -> Delta:
        """Make a step."""
        delta = self._advance(step)
        self._done.append(step)
        self._undone = []
        return delta

    def _advance(self, step: _Step) -> Delta:
        """Evaluate a step, which fills in what its undo needs, and take over its layout."""
        devices, before, old = step.after.moved_since(step.before), self._figures, self._broken.items
        if len(devices):
            placement = self._placed(step.after.places)
            step.placement = self._current.placement
            step.change = self._current.advance(placement, devices)
            step.broken = self._broken.update(self._current, self._touched(step, devices))
            self._figures = self._measured(devices)
        self.layout = step.after
        return self._delta(step.title, devices, before, old, step.change)

    def _back(self, step: _Step) -> Delta:
        """Take a step back; exactly, unless a full count came in between."""
        title = f"undo: {step.title}"
        if step.change is None:
            return self._advance(_Step(title, step.after, step.before))
        devices, before, old = step.after.moved_since(step.before), self._figures, self._broken.items
        change = Change(step.change.rows, step.change.after, step.change.before, self._current.fill_um2, 0)
        self._current.restore(step.change, step.placement)
        self._broken.restore(step.broken, self._current)
        self.layout, step.change = step.before, None
        self._figures = self._measured(devices)
        return self._delta(title, devices, before, old, change)

    def _touched(self, step: _Step, devices: np.ndarray) -> np.ndarray:
        slots = [layout.places.slot[devices] for layout in (step.before, step.after)]
        return np.unique(np.concatenate(slots))

    def _delta(self, title: str, devices: np.ndarray, before: Figures, old: tuple, change: Change | None) -> Delta:
        cables, count = ((), 0) if change is None else changed_cables(self._current, change)
        trays = () if change is None else changed_trays(self._current, change.fill_um2)
        new = self._broken.items
        return Delta(
            title, tuple(self.plan.inventory.names[devices[:SHOWN]].tolist()), len(devices), before, self._figures, cables, count,
            trays, tuple(item for item in new if item not in old), tuple(item for item in old if item not in new), self.estimated,
        )  # fmt: skip

    # --- without evaluation, to restore a session from its log

    def retrace(self, title: str, after: Layout) -> None:
        """Make a step of which `recount` finds the figures, together with those of others."""
        self._done.append(_Step(title, self.layout, after))
        self.layout, self._undone = after, []

    def retrace_undo(self) -> None:
        """Take back the last step, if there is one, without its figures."""
        if self._done:
            self._undone.append(step := self._done.pop())
            step.change, self.layout = None, step.before

    def retrace_redo(self) -> None:
        """Make the step again that was undone last, if there is one, without its figures."""
        if self._undone:
            self._done.append(step := self._undone.pop())
            step.change, self.layout = None, step.after

    # --- near misses

    def near_misses(self) -> tuple[NearMiss, ...]:
        """Return the near misses of the last full count, with the moves that would help; count again after moves."""
        return self.plan.near_misses.items if self.plan.near_misses is not None else ()

    def accept(self, number: int, *, by: str = "unit") -> Delta:
        """Make the move that a near miss of the last full count proposes; parameters as for `proposed`."""
        return self.move(self.proposed(number, by))

    def proposed(self, number: int, by: str) -> Move:
        """Return the move that a near miss of the last full count proposes.

        Parameters
        ----------
        number
            Position in `near_misses`.
        by
            ``"unit"`` for the move of a box to another unit, ``"slot"`` for that of its cabinet.

        Raises
        ------
        InputError
            When there is no such near miss, or it proposes no such move.
        """
        items = self.near_misses()
        if not 0 <= number < len(items):
            raise InputError(Problem("number", f"there is no near miss {number}", f"there are {len(items):,}"))
        miss, placement = items[number], self.plan.placement
        ends = self.plan.inventory.ends[miss.cable]
        if by == "unit" and miss.unit_saving_cents > 0:
            device = int(ends[miss.end])
            unit = int(placement.unit[device]) + miss.units
            return Move("device", str(self.plan.inventory.names[device]), unit=unit)
        if by == "slot" and miss.slot_saving_cents > 0:
            home = int(placement.slot[ends[miss.slot_end]])
            return Move("cabinet", self.plan.room.slot_names[home], miss.slot)
        raise InputError(Problem("by", f"near miss {number} proposes no move to another {by}", "choose another near miss"))

    # --- the full count

    def placement(self) -> Placement:
        """Return the placement as it is now, with its objective."""
        run = {name: arguments for name, arguments in self.study.sections["placement"].items() if name != "layout"}
        return given.placement(
            self.layout.places, self.plan.topology, self.plan.inventory, self.plan.catalog, self._lengths, **run
        )

    def counted(self, wanted: Iterable[str] = COUNTED, *, progress: Progress = silent) -> Plan:
        """Return the plan of the layout as it is now by the stages of `planner run`; the session stays as it is.

        Raises
        ------
        Infeasible
            When nothing fits.
        """
        inputs = {name: each for name, each in flow.records_of(self.plan).items() if name.partition("@")[0] in _INPUTS}
        chosen = set(wanted)
        todo = [name for name in stages(self.study) if name.partition("@")[0] in chosen]
        study = replace(self.study, sections=self.study.sections | {"placement": self.as_given()})
        return flow.follow(study, inputs | {"placement": self.placement()}, todo, progress=progress)

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
        # What undo knows of rows is from before the count.
        for step in (*self._done, *self._undone):
            step.change = None
        self._start()
        return plan

    def as_given(self) -> dict[str, Any]:
        """Return the section ``[placement]`` for places given by hand, without what only a search has."""
        accepted = {name for function in _PLACEMENT for name in parameters(function)}
        kept = {name: each for name, each in self.study.sections["placement"].items() if name in accepted}
        return kept | {"algorithm": "manual", "layout": None}

    # --- evaluation

    def _start(self) -> None:
        """Take all figures from the last full count."""
        plan, study = self.plan, self.study
        chosen = dict(study.sections["cabling"])
        room = plan.room if plan.kept is None else plan.kept.added_to(plan.room)
        self._lengths = Lengths(room, plan.catalog.cabinet, chosen.pop("slack"))
        accepted = parameters(cable)
        options = {name: each for name, each in chosen.items() if name in accepted}
        within = study.sections["near_misses"]["within_mm"]
        self._current = Current(
            plan.inventory, plan.catalog, self._lengths, plan.placement, plan.cables,
            options=options, within_mm=within, kept=plan.kept,
        )  # fmt: skip
        self._broken = Broken(plan, self._current)
        files = tuple(str(study.base / file) for file in study.sections["catalog"]["files"])
        self._delay_models = rows("delay_model", files)
        latencies = [plan.of(name).latency for name in plan.network_names]
        self._sources = [int(each.worst_path[0]) if each is not None and len(each.worst_path) else 0 for each in latencies]
        known = max((each.worst_ps for each in latencies if each is not None), default=0)
        self._figures = Figures.of(self._current, known, any(each is not None and each.sampled for each in latencies))

    def _placed(self, places: Places) -> Placement:
        """Return the placement with all devices in some places; the objective follows at the next full count."""
        inventory = self.plan.inventory
        fixed = inventory.rack if self.plan.catalog.router is None else None
        return replace(self._current.placement, **places.fields(fixed))

    def _measured(self, devices: np.ndarray) -> Figures:
        delay, is_bound = self._delay(devices)
        return Figures.of(self._current, delay, is_bound)

    def _delay(self, devices: np.ndarray) -> tuple[int, bool]:
        """Return the maximum delay between two routers of any network, and whether only some sources count.

        Where all routers are too many, those of the worst pair so far and those that moved count first.
        """
        worst, is_bound = 0, False
        fec = self.study.sections["latency"]["fec"]
        for number, name in enumerate(self.plan.network_names):
            plan, first = self.plan.of(name), self.plan.inventory.routers(number).start
            routers = plan.topology.router_count
            if not routers:
                continue
            wanted = max(8, VISITS // max(len(plan.topology.indices), 1))
            chosen = np.arange(routers)
            if wanted < routers:
                own = devices[(devices >= first) & (devices < first + routers)] - first
                order = np.concatenate([[self._sources[number]], own, np.linspace(0, routers - 1, wanted).astype(np.int64)])
                chosen = np.sort(order[np.sort(np.unique(order, return_index=True)[1])][:wanted])
                is_bound = True
            worst = max(worst, worst_ps(plan.topology, plan.inventory, self._current, self._delay_models, chosen, fec=fec))
        return worst, is_bound


def title_of(moves: Sequence[Move]) -> str:
    """Return a title of a step."""
    if len(moves) != 1:
        return f"{len(moves)} moves"
    move = moves[0]
    if move.kind in ("pin", "unpin"):
        return f"{move.kind} {move.what}"
    unit = f" unit {move.unit}" if move.unit is not None else ""
    return f"{move.kind} {move.what} to {move.to}{unit}".replace(" to  unit", " to unit")


_PLACEMENT = (place, registry.function("placement", "manual"))
_INPUTS = ("topology", "catalog", "room", "inventory", "kept", "bisection")
