"""A session with its log, variants, comparisons and long work: what a page, or a script, needs to plan together."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from planner import flow, names
from planner import study as studies
from planner.diff import Comparison
from planner.diff.run import comparison
from planner.errors import InputError, Problem, suggestion
from planner.model import Plan
from planner.placement.given import Places, read
from planner.planned import Planned
from planner.planning import jobs, save, what_if
from planner.planning.delta import Delta
from planner.planning.jobs import Job
from planner.planning.log import Log
from planner.planning.moves import Layout, Move, moved
from planner.planning.rooms import RoomEditor
from planner.planning.session import BASIS, Session, title_of
from planner.progress import Progress, silent
from planner.report import schedule

MAX_VARIANTS, LONGEST_NAME, MAX_MOVES = 200, 80, 500
NOW, START = "now", "start"
"""Names of the layout as it is, and of that of the plan, in comparisons."""


class Desk:
    """A session that is kept in a folder next to its plan; one thread at a time.

    Attributes
    ----------
    session
        The session.
    variants
        Named layouts in the order in which they were made.
    """

    def __init__(self, session: Session, folder: Path):
        self.session, self.folder = session, folder
        self.variants: dict[str, Layout] = {}
        self._plans: dict[str, Plan] = {}
        self._start, self._first = session.layout, session.plan
        self._job: Job | None = None
        self._lock = threading.RLock()
        self._key = _key(session)
        self._log = Log(folder / "planning.jsonl")
        self._work = Path(tempfile.mkdtemp(prefix="planner-"))
        self._works = 0
        self._restore()

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
        with self._lock:
            if self._job is not None:
                self._job.stop()
            shutil.rmtree(self._work, ignore_errors=True)

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
        if not isinstance(given, list) or not given or len(given) > MAX_MOVES:
            raise InputError(Problem("moves", f"must be a list of 1 to {MAX_MOVES} moves", 'write [{"kind": …, "what": …}]'))
        problems: list[Problem] = []
        moves: list[Move] = []
        for number, each in enumerate(given):
            try:
                moves.append(Move.of(each, f"moves.{number}"))
            except InputError as error:
                problems += error.problems
        if problems:
            raise InputError(problems)
        with self._lock:
            delta = self.session.move(moves)
            self._note({"do": "move", "moves": [each.plain() for each in moves]})
            return delta

    def undo(self) -> Delta:
        """Take back the last step."""
        with self._lock:
            delta = self.session.undo()
            self._note({"do": "undo"})
            return delta

    def redo(self) -> Delta:
        """Make the step again that was undone last."""
        with self._lock:
            delta = self.session.redo()
            self._note({"do": "redo"})
            return delta

    def accept(self, number: int, by: str) -> Delta:
        """Make the move that a near miss proposes."""
        with self._lock:
            move = self.session.proposed(number, by)
            delta = self.session.move(move)
            self._note({"do": "move", "moves": [move.plain()]})
            return delta

    # --- variants

    def keep(self, name: Any) -> None:
        """Keep the layout as it is as a variant.

        Raises
        ------
        InputError
            When the name is taken or no name, or there are too many.
        """
        with self._lock:
            self._require_new(name)
            self._add(name, self.session.layout)

    def take(self, name: Any) -> Delta:
        """Go to a variant, as one step."""
        with self._lock:
            delta = self.session.take(self._variant(name).places, f"variant {name}")
            self._note({"do": "take", "name": name})
            return delta

    def compare(self, one: Any = START, other: Any = NOW) -> Comparison:
        """Return the difference of two variants, or of the layout of the plan and the one as it is.

        Raises
        ------
        InputError
            When there is no such variant.
        """
        with self._lock:
            return comparison(*(Planned(schedule.of_plan(plan), Path(name), plan) for name, plan in (
                (str(name), self._counted(name)) for name in (one, other)
            )))  # fmt: skip

    def counted(self) -> Plan:
        """Return the plan of the layout as it is with its bill."""
        with self._lock:
            return self._counted(NOW)

    def _counted(self, name: Any) -> Plan:
        """Return the plan of a variant with its bill."""
        layout = self.session.layout if name == NOW else self._start if name == START else self._variant(name)
        key = hashlib.sha256(layout.places.slot.tobytes() + layout.places.unit.tobytes()).hexdigest()
        if key not in self._plans:
            other = Session.__new__(Session)
            other.__dict__ |= self.session.__dict__ | {"layout": layout}
            self._plans[key] = other.counted(("cables", "panels", "work", "bill"))
            while len(self._plans) > 4:
                del self._plans[next(iter(self._plans))]
        return self._plans[key]

    def _variant(self, name: Any) -> Layout:
        if not isinstance(name, str) or name not in self.variants:
            raise InputError(Problem("name", f"there is no variant {name!r:.80}", suggestion(str(name)[:80], self.variants)))
        return self.variants[name]

    def _require_new(self, name: Any) -> None:
        problem = None
        if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or names.fault(name):
            problem = Problem("name", f"{name!r:.80} is no name", f"write up to {LONGEST_NAME} characters")
        elif name in self.variants or name in (NOW, START):
            problem = Problem("name", f"{name!r} is taken", "choose another name")
        elif len(self.variants) >= MAX_VARIANTS:
            problem = Problem("name", f"there are {MAX_VARIANTS} variants already", "save some as studies and begin a new log")
        if problem is not None:
            raise InputError(problem)

    def _add(self, name: str, layout: Layout) -> None:
        """Add a variant; its places are a table of its own in the folder."""
        number = len(self.variants) + 1
        plan = self.session.plan
        layout.places.write(self._table(number), plan.inventory.names.tolist(), plan.room, layout.pinned.tolist())
        self.variants[name] = layout
        self._note({"do": "variant", "name": name})

    def _table(self, number: int) -> Path:
        return self.folder / f"planning-{number}.csv"

    # --- long work

    @property
    def job(self) -> Job | None:
        """The long work that runs, or ran last."""
        return self._job

    def improve(self) -> Job:
        """Search for a better layout from here, in the background; `best` takes the best so far over."""
        with self._lock:
            return self._run(lambda folder: jobs.improve(self.session, folder))

    def best(self) -> Delta:
        """Take over the best layout of the search so far, as one step, and keep it as a variant.

        Raises
        ------
        InputError
            When there is none.
        """
        with self._lock:
            places = self._found()
            if self._job is None or places is None:
                raise InputError(Problem("improve", "there is no better layout yet", "wait for the first round"))
            name = self._free_name(f"improved, round {self._job.best.get('round', 0)}")
            layout = replace(self.session.layout, places=places)
            delta = self.session.take(layout.places, f"variant {name}")
            self._add(name, layout)
            self._note({"do": "take", "name": name})
            return delta

    def _found(self) -> Places | None:
        """Return the best layout that the search has reported."""
        if self._job is None or self._job.kind != "improve":
            return None
        self._job.plain()
        return self._job.places

    def what_if(self, given: Any) -> Job:
        """Plan the study with some switches in the background; see `planner.planning.what_if.Switches`."""
        chosen = what_if.switches(given)
        with self._lock:

            def start(folder: Path) -> Job:
                what_if.write(self.session, chosen, folder)
                studies.load(folder)
                return jobs.what_if(folder, chosen.title)

            return self._run(start)

    def in_room(self, editor: RoomEditor) -> Job:
        """Plan the network of the study in another room in the background, by the algorithm of the study.

        Raises
        ------
        InputError
            With every problem of the room.
        """
        editor.room()
        with self._lock:

            def start(folder: Path) -> Job:
                what_if.write_in_room(self.session, editor, folder)
                return jobs.what_if(folder, f"the network in {editor.data['title']}")

            return self._run(start)

    def count(self) -> Job:
        """Count the layout as it is in full, in the background; `adopt` takes the result over."""
        with self._lock:
            return self._run(lambda folder: jobs.count(self.session, folder))

    def adopt(self) -> bool:
        """Take over a full count that has ended, if it is of the layout as it is; return whether it was."""
        with self._lock:
            job = self._job
            if job is None or job.kind != "count" or job.is_running or job.error or not job.folder.exists():
                return False
            plan = flow.restore(job.folder)
            job.kind = "counted"
            try:
                self.session.adopt(plan)
            except InputError:
                return False
            return True

    def result(self) -> Plan:
        """Return the plan that a what-if found.

        Raises
        ------
        InputError
            When none has ended.
        """
        with self._lock:
            if self._job is None or self._job.kind != "what-if" or self._job.is_running or self._job.error:
                raise InputError(Problem("what-if", "no plan has ended", "start one, and wait for its end"))
            return flow.restore(self._job.folder)

    def save_result(self) -> Path:
        """Save the study of the last what-if next to the plan, and return its folder.

        Raises
        ------
        InputError
            When none has ended.
        """
        with self._lock:
            self.result()
            folder = self._job.folder if self._job is not None else self.folder
            place = self.place("study", "")
            place.mkdir()
            for name in (save.STUDY, save.LAYOUT, what_if.ROOM):
                if (file := folder / name).exists():
                    shutil.copyfile(file, place / name)
            return place

    def stop(self) -> None:
        """End the long work; a search keeps the best so far."""
        with self._lock:
            if self._job is not None:
                self._job.stop()

    def _run(self, start: Any) -> Job:
        if self._job is not None and self._job.is_running:
            raise InputError(Problem("work", f"{self._job.title} runs already", "stop it, or wait for its end"))
        self._works += 1
        self._job = start(self._work / f"{self._works}")
        return self._job

    def _free_name(self, name: str) -> str:
        number = 1
        found = name
        while found in self.variants:
            number += 1
            found = f"{name} ({number})"
        return found

    # --- saving

    def save(self, kind: Any, *, progress: Progress = silent) -> Path:
        """Save the layout as it is as ``layout``, ``keep`` or ``study`` in the folder of the plan, and return the file.

        Raises
        ------
        InputError
            When there is no such kind.
        """
        kinds = {"layout": save.layout, "study": save.study, "keep": save.keep}
        if kind not in kinds:
            raise InputError(Problem("as", f"there is no kind {kind!r:.40}", suggestion(str(kind)[:40], kinds)))
        with self._lock:
            place = self.place(kind, ".csv" if kind == "layout" else "")
            more = {"progress": progress} if kind == "keep" else {}
            return kinds[kind](self.session, place, **more)

    def place(self, kind: str, ending: str) -> Path:
        """Return the next free path for something to save."""
        number = 1
        while (place := self.folder / f"planned-{kind}-{number}{ending}").exists():
            number += 1
        return place

    # --- the log

    def _note(self, entry: dict[str, Any]) -> None:
        self._log.append(self._key, entry)

    def _restore(self) -> None:
        """Repeat the steps of the log, and count once in the end."""
        session = self.session
        plan = session.plan
        for entry in self._log.entries(self._key):
            do = entry.get("do")
            if do == "move":
                after, steps = session.layout, [Move.of(each) for each in entry.get("moves", ())]
                for each in steps:
                    after = moved(session.floor, after, each)
                session.retrace(title_of(steps), after)
            elif do == "undo":
                session.retrace_undo()
            elif do == "redo":
                session.retrace_redo()
            elif do == "variant":
                places, pinned = read(self._table(len(self.variants) + 1), plan.inventory, plan.room)
                self.variants[str(entry.get("name"))] = Layout(places, pinned)
            elif do == "take":
                places = self._variant(entry.get("name")).places
                session.retrace(f"variant {entry.get('name')}", replace(session.layout, places=places))
        if len(session.layout.moved_since(self._start)):
            session.recount(BASIS)


def _key(session: Session) -> str:
    """Return what names a plan in its log: devices, connections, room and places at the start."""
    plan = session.plan
    text = "".join((plan.inventory.fingerprint, plan.room.fingerprint, plan.placement.fingerprint))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
