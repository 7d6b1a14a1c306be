"""Long work next to a session, in a process of its own: full counts, what-if plans, and searches from the layout as it is."""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from planner.core import registry, storage
from planner.core.children import end_with_parent
from planner.core.errors import PlannerError
from planner.design.placement.given import Places
from planner.install.editing import save
from planner.install.editing.counting import COUNTED
from planner.install.editing.session import Session
from planner.studies import pipeline
from planner.studies import study as studies
from planner.studies.folder import ReadOnlyFolder

_KILL_AFTER_S = 20.0
FIRST_MOVES = 200_000
"""Moves of the first round of a search; each round has twice as many, up to `MAX_MOVES`."""
MAX_MOVES = 10_000_000
_REPORT_EVERY_S = 0.2


@dataclass(eq=False)
class Job:
    """Long work in a process of its own.

    Attributes
    ----------
    kind, title
        ``count``, ``what-if`` or ``improve``, and what it does in words.
    folder
        Where its study is, and its results.
    progress
        Stage or round, done and total, as last reported.
    best
        Figures of the best layout of a search so far: round, objective, and the price of all cables.
    places
        That layout.
    error
        Why it failed; empty if it did not.
    """

    kind: str
    title: str
    folder: Path
    progress: dict[str, Any] = field(default_factory=dict)
    best: dict[str, Any] = field(default_factory=dict)
    places: Places | None = None
    error: str = ""

    def start(self, work: Any, *given: Any) -> Job:
        """Start a function of this file with the folder, a queue for what it reports, and other arguments."""
        spawn = multiprocessing.get_context("spawn")
        self._reports: Any = spawn.Queue()
        self._process = spawn.Process(
            target=_guarded, args=(registry.runs_own_code(), work, str(self.folder), self._reports, *given), daemon=True
        )
        self._process.start()
        return self

    @property
    def is_running(self) -> bool:
        """Whether it still works; reads what it reported."""
        alive = self._process.is_alive()
        self._read()
        if not alive and self._process.exitcode and not self.error:
            self.error = f"ended unexpectedly, with exit code {self._process.exitcode}"
        return alive

    def stop(self) -> None:
        """End the work, which keeps the best so far."""
        if self._process.is_alive():
            with contextlib.suppress(ProcessLookupError):
                _interrupt(self._process.pid)
            self._process.join(_KILL_AFTER_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._read()

    def wait(self, seconds: float) -> bool:
        """Wait for the end and return whether it came."""
        end = time.monotonic() + seconds
        while self.is_running and time.monotonic() < end:
            time.sleep(0.05)
        return not self.is_running

    def plain(self) -> dict[str, Any]:
        """Return what is known of it as plain data."""
        running = self.is_running
        return {
            "kind": self.kind, "title": self.title, "running": running, "progress": self.progress, "best": self.best,
            "error": self.error,
        }  # fmt: skip

    def _read(self) -> None:
        while True:
            try:
                name, found = self._reports.get_nowait()
            except (queue.Empty, EOFError, OSError):
                return
            if name == "places":
                self.places = Places(*found)
            else:
                setattr(self, name, found)


def _interrupt(process: int | None) -> None:
    import os

    if process is not None:
        os.kill(process, signal.SIGINT)


def _guarded(own_code: bool, work: Any, folder: str, reports: Any, *given: Any) -> None:
    """Run a function and report how it fails; the process is new, and Ctrl-C of the server reaches it, too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    end_with_parent()
    try:
        with registry.own_code(own_code):
            work(Path(folder), reports, *given)
    except PlannerError as error:
        reports.put(("error", str(error)))
    except KeyboardInterrupt:
        reports.put(("error", "stopped before there was a result"))
    reports.close()
    reports.join_thread()


class _Reporter:
    """Progress callback that reports to a queue, not too often."""

    def __init__(self, reports: Any, **facts: Any):
        self._reports, self._facts, self._last = reports, facts, 0.0

    def __call__(self, stage: str, done: int, total: int, **facts: Any) -> None:
        now = time.monotonic()
        if now - self._last > _REPORT_EVERY_S:
            self._last = now
            self._reports.put(("progress", {"stage": stage, "done": int(done), "total": int(total), **self._facts}))


def count(session: Session, folder: Path) -> Job:
    """Start a full count of the layout as it is; its plan is in the folder in the end."""
    written(session, folder)
    return Job("count", "full count", folder).start(_count)


def what_if(folder: Path, title: str) -> Job:
    """Start the plan of a study that `planner.install.editing.what_if.write` wrote into a folder."""
    return Job("what-if", title, folder).start(_count)


def improve(session: Session, folder: Path) -> Job:
    """Start a search from the layout as it is; pinned devices stay."""
    content = session.study.expanded()
    content["placement"] = _searched(session, content["placement"]) | {"layout": save.LAYOUT}
    content["report"] = {"formats": []}
    folder.mkdir(parents=True)
    save.layout(session, folder / save.LAYOUT)
    storage.write_toml(content, folder / save.STUDY)
    return Job("improve", "improve from here", folder).start(_improve, session.study.seed)


def written(session: Session, folder: Path) -> Path:
    """Write the layout as it is as a study without reports and return its file."""
    content = save.expanded(session)
    content["placement"] |= {"layout": save.LAYOUT}
    content["report"] = {"formats": []}
    folder.mkdir(parents=True)
    save.layout(session, folder / save.LAYOUT)
    storage.write_toml(content, folder / save.STUDY)
    return folder / save.STUDY


def _searched(session: Session, section: dict[str, Any]) -> dict[str, Any]:
    """Return the section of the placement for a search that begins with the layout as it is."""
    chosen = save.expanded(session)["placement"] | {"bounds": False, "front": 0}
    if session.study.networks:
        return chosen | {"algorithm": "anneal"}
    topology, places = session.plan.topology, session.layout.places
    homes = places.slot[: topology.router_count]
    apart = bool((places.slot[topology.router_count :] != homes[topology.endpoint_router]).any())
    if chosen.get("groups") in ("auto", "required") and topology.group.shape[1]:
        group = topology.group[:, 0].astype(np.int64)
        split = len(np.unique(group * session.plan.room.slot_count + homes)) > len(np.unique(group))
        chosen["groups"] = "ignored" if split else "required"
    return chosen | {"algorithm": "anneal", "endpoints": "apart" if apart else "together"}


def _count(folder: Path, reports: Any) -> None:
    study = studies.load(folder)
    kept = [name for name in pipeline.stages(study) if name.partition("@")[0] in COUNTED]
    pipeline.run(study, until=max(kept, key=[*pipeline.stages(study)].index), progress=_Reporter(reports))


def _improve(folder: Path, reports: Any, seed: int) -> None:
    """Search in rounds, each from the best layout so far, until it is stopped."""
    best: tuple[int, int] | None = None
    moves, number = FIRST_MOVES, 0
    while True:
        number += 1
        try:
            best = _round(folder, reports, number, [f"placement.moves={moves}", f"seed={seed + number - 1}"], best)
        except KeyboardInterrupt:
            if best is None:
                raise
            return
        moves = min(2 * moves, MAX_MOVES)


def _round(folder: Path, reports: Any, number: int, changes: list[str], best: tuple[int, int] | None) -> tuple[int, int]:
    """Search once from the layout in a folder, write and report what is better, and return price and objective of the best."""
    study = studies.load(folder, changes)
    store = ReadOnlyFolder(folder, study, resume=False)
    plan = pipeline.make(study, ("cables",), store=store, progress=_Reporter(reports, round=number))
    passive = sum(one.cents or 0 for one in plan.cables.passives)
    found = int(plan.cables.price_cents.sum()) + passive, plan.placement.objective
    if best is not None and found >= best:
        return best
    places = Places.of(plan.placement)
    fixed = _fixed(folder, plan.inventory.device_count)
    places.write(folder / save.LAYOUT, plan.inventory.names.tolist(), plan.room, fixed)
    reports.put(("best", {"round": number, "price_cents": found[0], "objective": found[1]}))
    reports.put(("places", tuple(vars(places).values())))
    return found


def _fixed(folder: Path, count: int) -> list[bool]:
    """Return which devices the layout in a folder keeps in place, in the order of its lines."""
    lines = (folder / save.LAYOUT).read_text(encoding="utf-8").splitlines()[1 : 1 + count]
    return [line.endswith(",yes") for line in lines]
