"""The desks of a server: that of the served plan, and those of its what-if plans."""

from __future__ import annotations

import threading

from planner.core.errors import InputError, Problem
from planner.install.editing.desk import Desk
from planner.install.editing.log import OfAnotherPlan
from planner.install.editing.renewal import Renewal, renew
from planner.install.serve.door import Call, Denied
from planner.install.serve.served import Served

MAX_OPEN = 3
"""Maximum number of what-if plans that are open at the same time; the one that was used longest ago is closed."""

_NEWER = Problem("plan", "was computed again since these moves began", "open the new plan: layouts go on where they fit")


class Open:
    """The desk of the served plan, opened when it is first needed, and those of its what-if plans."""

    def __init__(self, served: Served):
        self.path, self._served = served.planned.path, served
        if served.planned.plan is None or not (self.path / "study.toml").is_file():
            raise Denied(404, Problem("plan", "only a schedule is served, which nobody can edit", "serve the folder of the plan"))
        self._desk: Desk | None = None
        self._plan, self._is_refused = "", False
        self._others: dict[str, Desk] = {}
        self._lock = threading.RLock()

    @property
    def desk(self) -> Desk:
        """The desk of the served plan.

        Raises
        ------
        Denied
            When the log next to the plan is of another version of it.
        """
        if (open_already := self._desk) is not None:
            return open_already
        with self._lock:
            if self._desk is None:
                plan = self._written()
                try:
                    self._desk = Desk.open(self.path)
                except OfAnotherPlan:
                    self._is_refused = True
                    raise Denied(409, _NEWER) from None
                self._plan = plan
            return self._desk

    @property
    def is_newer(self) -> bool:
        """Whether the plan in the folder is another one than that of the desk, or of the log where no desk could be opened."""
        return self._is_refused if self._desk is None else self._plan != self._written()

    def _written(self) -> str:
        plan = self._served.planned.plan
        return "" if plan is None else str(plan.provenance.get("plan", ""))

    def renew(self) -> Renewal:
        """Open the plan as it is in the folder now, if that is another one; see `planner.install.editing.renewal.renew`.

        Raises
        ------
        InputError
            When it cannot be opened; nothing changes then.
        """
        with self._lock:
            if self._desk is not None and not self.is_newer:
                return Renewal()
            plan = self._written()
            while self._others:
                self._others.popitem()[1].close()
            self._desk, found = renew(self.path, self._desk)
            self._plan = plan
            return found

    def close(self) -> None:
        """Close all desks: long work ends, and its files are removed."""
        with self._lock:
            for desk in (*self._others.values(), *([] if self._desk is None else [self._desk])):
                desk.close()
            self._others, self._desk = {}, None

    def of(self, name: str) -> Desk:
        """Return the desk of a what-if plan that was kept as a variant; that of the served plan for an empty name.

        Raises
        ------
        InputError
            When there is no such plan.
        """
        if not name:
            return self.desk
        with self._lock:
            folder = self.desk.variants[name].folder
            if folder is None:
                raise InputError(Problem("plan", f"{name!r} is a layout of this plan", "go to it instead"))
            desk = self._others.pop(name, None) or Desk.open(folder)
            self._others[name] = desk
            while len(self._others) > MAX_OPEN:
                self._others.pop(next(iter(self._others))).close()
            return desk


def desk_of(served: Served, call: Call) -> Desk:
    """Return the desk that a request is about: that of the served plan, or of the what-if plan that it names."""
    return served.kept(Open).of(call.query.get("plan", ""))


def changing(served: Served, call: Call) -> Desk:
    """Return the desk that a request is about and that it changes, or plans on.

    Raises
    ------
    Denied
        When the plan was computed again since the desk was opened: changes of the old one would be lost.
    """
    if served.kept(Open).is_newer:
        raise Denied(409, _NEWER)
    return desk_of(served, call)
