"""Saving an edited placement: as a layout, as a study of its own, or as what is built."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from planner.core import reading, storage
from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.install.editing.counting import as_given
from planner.install.editing.layouts import Layout
from planner.install.editing.session import Session
from planner.studies import pipeline
from planner.studies import study as studies

LAYOUT, STUDY, ROOM, BUILT = "layout.csv", "study.toml", "room.toml", "built"
"""Names of the files and of the folder of the built plan."""


def layout(session: Session, path: Path, chosen: Layout | None = None) -> Path:
    """Write the places of all devices as a table, and return its path.

    With ``algorithm = "manual"`` and this file as ``layout`` in ``[placement]``, `planner run` plans exactly these places; other
    algorithms start from them, and keep pinned devices where they are.

    Parameters
    ----------
    chosen
        A layout of the session; by default that as it is now.
    """
    inventory, own = session.plan.inventory, chosen or session.layout
    own.places.write(path, inventory.names.tolist(), session.plan.room, own.pinned.tolist())
    return path


def study(session: Session, folder: Path, chosen: Layout | None = None) -> Path:
    """Write a study folder of which `planner run` prints the figures of `Session.recount`, and return the study file.

    Parameters
    ----------
    chosen
        As for `layout`.

    Raises
    ------
    InputError
        When the folder has a study already.
    """
    content = expanded(session)
    content["placement"] |= {"layout": LAYOUT}
    path = _new(folder)
    layout(session, folder / LAYOUT, chosen)
    storage.write_toml(content, path)
    return path


def copied(session: Session, folder: Path, place: Path) -> Path:
    """Write a study that was planned in a folder, with its layout and room, into a new folder, and return that.

    Its plan is not copied; it writes the reports of the study of the session.
    """
    content = reading.read(folder / STUDY).data
    content.pop("report", None)
    if report := session.study.expanded().get("report"):
        content["report"] = report
    place.mkdir()
    for name in (LAYOUT, ROOM):
        if (file := folder / name).exists():
            shutil.copyfile(file, place / name)
    storage.write_toml(content, place / STUDY)
    return place


def keep(session: Session, folder: Path, *, progress: Progress = silent) -> Path:
    """Write the plan, and a study that keeps it as built, and return the study file.

    The plan is in a folder of its own. The study is the one that the session began with, with ``[keep]``: it can grow, and
    devices and cables of the plan stay.

    Raises
    ------
    InputError
        When the folder has a study already.
    Infeasible
        When nothing fits.
    """
    path = _new(folder)
    built = folder / BUILT
    content = expanded(session)
    content["placement"] |= {"layout": LAYOUT}
    content["report"] = {"formats": []}
    built.mkdir(parents=True, exist_ok=True)
    layout(session, built / LAYOUT)
    storage.write_toml(content, built / STUDY)
    pipeline.run(studies.load(built), progress=progress)
    kept = session.study.expanded()
    kept["placement"] |= {"layout": None}
    if kept["placement"]["algorithm"] == "manual":
        kept["placement"]["algorithm"] = "auto"
    kept["keep"] = {"plan": BUILT}
    storage.write_toml(kept, path)
    return path


def expanded(session: Session) -> dict[str, Any]:
    """Return the study as plain data, with all places given by hand; the file of these is not named yet."""
    own = replace(session.study, sections=session.study.sections | {"placement": as_given(session.study)})
    return own.expanded()


def _new(folder: Path) -> Path:
    path = folder / STUDY
    if path.exists():
        raise InputError(Problem("folder", "has a study already", "choose a new folder", str(folder)))
    folder.mkdir(parents=True, exist_ok=True)
    return path
