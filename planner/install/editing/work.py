"""Long work next to a session: one at a time, each in a process and a folder of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem
from planner.core.scratch import Scratch
from planner.design.placement.given import Places
from planner.domain import stored
from planner.domain.model import Plan
from planner.install.editing import jobs, what_if
from planner.install.editing.jobs import Job
from planner.install.editing.rooms import RoomEditor
from planner.install.editing.session import Session
from planner.studies import study as studies


class Work:
    """The long work of a session.

    Attributes
    ----------
    job
        The work that runs, or ran last.
    """

    def __init__(self, session: Session, lock: threading.RLock):
        self._session, self._lock = session, lock
        self.job: Job | None = None
        self._scratch = Scratch()
        self._count = 0

    def close(self) -> None:
        """End the work and remove its files."""
        self.stop()
        self._scratch.close()

    def stop(self) -> None:
        """End the work; a search keeps the best so far."""
        with self._lock:
            if self.job is not None:
                self.job.stop()

    @property
    def title(self) -> str:
        """What the work does, in words; empty if nothing was started."""
        return "" if self.job is None else self.job.title

    def plain(self) -> dict[str, Any] | None:
        """Return what is known of the work as plain data; None if nothing was started."""
        return None if self.job is None else self.job.plain()

    # --- starting

    def improve(self) -> Job:
        """Search for a better layout from here; `best` is the best so far."""
        return self._run(lambda folder: jobs.improve(self._session, folder))

    def count(self) -> Job:
        """Count the layout as it is in full; `adopt` takes the result over."""
        return self._run(lambda folder: jobs.count(self._session, folder))

    def what_if(self, given: Any) -> Job:
        """Plan the study with some switches; see `planner.install.editing.what_if.Switches`."""
        chosen = what_if.switches(given, self._session)

        def start(folder: Path) -> Job:
            what_if.write(self._session, chosen, folder)
            studies.load(folder)
            return jobs.what_if(folder, chosen.title)

        return self._run(start)

    def in_room(self, editor: RoomEditor) -> Job:
        """Plan the network of the study in another room, by the algorithm of the study.

        Raises
        ------
        InputError
            With every problem of the room.
        """
        editor.room()

        def start(folder: Path) -> Job:
            what_if.write_in_room(self._session, editor, folder)
            return jobs.what_if(folder, f"the network in {editor.data['title']}")

        return self._run(start)

    def _run(self, start: Callable[[Path], Job]) -> Job:
        with self._lock:
            if self.job is not None and self.job.is_running:
                raise InputError(Problem("work", f"{self.job.title} runs already", "stop it, or wait for its end"))
            self._count += 1
            self.job = start(self._scratch.path / f"{self._count}")
            return self.job

    # --- results

    def best(self) -> tuple[Places, int]:
        """Return the best layout that the search has reported, and its round.

        Raises
        ------
        InputError
            When there is none.
        """
        with self._lock:
            if self.job is not None and self.job.kind == "improve":
                self.job.plain()
                if self.job.places is not None:
                    return self.job.places, int(self.job.best.get("round", 0))
        raise InputError(Problem("improve", "there is no better layout yet", "wait for the first round"))

    def adopt(self) -> bool:
        """Take over a full count that has ended, if it is of the layout as it is; return whether it was."""
        with self._lock:
            job = self.job
            if job is None or job.kind != "count" or job.is_running or job.error or not job.folder.exists():
                return False
            job.kind = "counted"
        plan = stored.restore(job.folder)
        with self._lock:
            try:
                self._session.adopt(plan)
            except InputError:
                return False
            return True

    def ended(self) -> Path:
        """Return the folder of the what-if plan that was made last.

        Raises
        ------
        InputError
            When none has ended.
        """
        if self.job is None or self.job.kind != "what-if" or self.job.is_running or self.job.error:
            raise InputError(Problem("what-if", "no plan has ended", "start one, and wait for its end"))
        return self.job.folder

    def result(self) -> Plan:
        """Return the plan that the last what-if found; problems as for `ended`."""
        return stored.restore(self.ended())
