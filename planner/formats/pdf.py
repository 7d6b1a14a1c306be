"""Cabling report for print: cover, floor, bill, charts, work order, cabinets with ports and cables, sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.paper.bundles import bundle_list_sheets
from planner.paper.cabinet import Chosen, cabinet_chapters
from planner.paper.chapters import Reader, Scope, chapters
from planner.paper.contents import contents_sheets, index_sheets
from planner.paper.cover import cover_sheets, summary_sheets
from planner.paper.document import Document
from planner.paper.floor import place_sheets
from planner.paper.jobs import job_sheets, touched
from planner.paper.labeling.labels import Codes
from planner.paper.panels import panel_sheets
from planner.paper.revision import revision_sheets
from planner.paper.sheet import Sheet
from planner.view import schedule
from planner.view.cabinets import Cabinet, cabinets
from planner.view.examine import examine_older_plan
from planner.view.legs import chosen_work
from planner.view.project import project_of
from planner.view.selection import WHOLE, Selection

ENDING = ".pdf"


def write(
    plan: Plan,
    path: Path,
    *,
    part: Literal["whole", "summary", "crew", "buyer", "site manager", "architect"] = "whole",
    selection: Selection = WHOLE,
    paper: Literal["a4", "a3", "letter"] = "a3",
    volume: Annotated[int, Ge(1)] | None = None,
    volume_cables: Annotated[int, Ge(1)] = 20_000,
    since: Path | None = None,
    code: Literal["cable", "end"] = "cable",
    url: str | None = None,
) -> None:
    """Write the report, or a part of it; equal plans give equal bytes.

    Parameters
    ----------
    part
        ``"summary"`` prints one sheet with key figures, floor and lengths; the others print the chapters for one reader: crew,
        buyer, site manager or architect.
    selection
        Of a cabinet or row its sheets, with every cable that ends there. Of a network, stage, crew or task the sheets of its
        tasks, with their cables in the order of pulling, and of a router those with its cables; together with a cabinet or row
        only the cables with an end there.
    paper
        Largest paper for drawings of the floor; smaller drawings use A4. Text is on A4, or on letter paper if drawings are.
    volume
        Only this volume of several: the first covers the whole plan, the others the cabinets.
    volume_cables
        Maximum number of cables in one volume; larger plans are printed in several.
    since
        Older plan for the list of changes: its folder, or its cable schedule in CSV; by default that of ``[project]``.
    code
        Content of the QR codes of task sheets: the number of the task, ``T12``, or with ``end`` plan and number: ``hall/T12``.
    url
        Start of an address; the code is then the address of the task, ``HTTP://10.0.0.5:8080/T/12``.

    Raises
    ------
    InputError
        When there is no such volume, or not the part of the selection, or the older plan cannot be read.
    """
    document = _document(plan, part, selection, paper, volume, volume_cables, since, Codes(code, url))
    document.save(plan, path, letter=paper == "letter")


def examine(*, since: Path | None = None, url: str | None = None, **others: object) -> None:
    """Reject an older plan that cannot be read, and an address of a wrong form."""
    examine_older_plan(since)
    Codes("cable", url)


def volumes(plan: Plan, *, volume_cables: int, part: str, selection: Selection, **others: Any) -> int:
    """Return the number of files of the report."""
    if part != "whole" or not selection.is_whole or not _is_large(plan, volume_cables):
        return 1
    return len(_volumes(plan, volume_cables)) + 1


def _document(
    plan: Plan,
    part: str,
    selection: Selection,
    paper: str,
    volume: int | None,
    volume_cables: int,
    since: Path | None,
    codes: Codes,
) -> Document:
    standing = cabinets(plan) if plan.placement is not None else []
    if part != "whole" and (volume is not None or not selection.is_whole):
        raise InputError(Problem("part", f"the part {part} covers the whole plan", "leave out the other choices"))
    if part == "summary":
        return Document(summary_sheets(plan, standing))
    if not selection.is_place:
        return _jobs(plan, standing, selection, paper, codes)
    if not selection.is_whole:
        return _cabinets(plan, standing, selection, paper)
    scope = Scope(plan, standing, paper, codes)
    if part in get_args(Reader):
        return _whole(replace(scope, chosen=Chosen.of(plan, standing)), since, reader=cast(Reader, part))
    if volume is None or not _is_large(plan, volume_cables):
        if volume not in (None, 1):
            raise InputError(Problem("volume", f"there is no volume {volume}", "this plan is one volume"))
        return _whole(replace(scope, chosen=Chosen.of(plan, standing)), since)
    shares = _volumes(plan, volume_cables)
    if volume > len(shares) + 1:
        raise InputError(Problem("volume", f"there is no volume {volume}", f"there are {len(shares) + 1}"))
    return _volume(scope, since, volume, shares)


def _whole(scope: Scope, since: Path | None, note: str = "", reader: Reader | None = None) -> Document:
    """Return all chapters, or those for one reader, after cover, revision and contents."""
    plan, project = scope.plan, project_of(scope.plan)
    since = since or (project.since if project is not None else None)
    found = None if since is None else schedule.difference(schedule.read(since, key="since"), schedule.of_plan(plan))
    front = [replace(sheet, kind="title") for sheet in revision_sheets(plan, project, found)]
    part = reader or ""
    cover = cover_sheets(plan, scope.cabinets, f"for the {part}" if part else "")
    return Document(_with_contents(cover, [*front, *chapters(scope, reader)], note), part)


def _with_contents(cover: Sequence[Sheet], chapters: Sequence[Sheet], note: str = "") -> list[Sheet]:
    return [*cover, *contents_sheets(len(cover), chapters, note), *chapters]


def _cabinets(plan: Plan, standing: Sequence[Cabinet], selection: Selection, paper: str) -> Document:
    """Return the sheets of one cabinet or row, and of the bundles with an end there."""
    numbers = set(selection.cabinets(plan).tolist())
    own = [each for each in standing if each.number in numbers]
    chosen = Chosen.of(plan, own)
    sheets = [
        *place_sheets(plan, standing, own, paper),
        *cabinet_chapters(plan, chosen, standing if selection.cabinet is None else ()),
        *bundle_list_sheets(plan, chosen.cables),
        *panel_sheets(plan, np.array(sorted(numbers), np.int64)),
    ]
    return Document(sheets, str(selection))


def _jobs(plan: Plan, standing: Sequence[Cabinet], selection: Selection, paper: str, codes: Codes) -> Document:
    """Return the sheets of the tasks of one stage or crew, of a network, or at a router."""
    works = chosen_work(plan, selection)
    sheets = job_sheets(plan, works, f"Tasks: {selection}", codes)
    return Document([*place_sheets(plan, standing, touched(plan, standing, works), paper), *sheets], str(selection))


# -- volumes ------------------------------------------------------------------------------------


def _is_large(plan: Plan, volume_cables: int) -> bool:
    return plan.cables is not None and plan.cables.cable_count > volume_cables


def _volumes(plan: Plan, volume_cables: int) -> list[np.ndarray]:
    """Return the cabinets of the second and all further volumes, in the order of their slots."""
    order = np.argsort(plan.placement.slot_of, kind="stable")
    cables = np.bincount(plan.cables.cabinet[:, 0], minlength=len(order))[order]
    shares: list[list[int]] = [[]]
    filled = 0
    for number, count in zip(order.tolist(), cables.tolist(), strict=True):
        if shares[-1] and filled + count > volume_cables:
            shares.append([])
            filled = 0
        shares[-1].append(number)
        filled += count
    return [np.array(share) for share in shares]


def _volume(scope: Scope, since: Path | None, volume: int, shares: Sequence[np.ndarray]) -> Document:
    plan, standing = scope.plan, scope.cabinets
    volume_of = {f"cabinet-{number}": at for at, share in enumerate(shares, 2) for number in share.tolist()}
    part = f"volume {volume} of {len(shares) + 1}"
    by_number = {cabinet.number: cabinet for cabinet in standing}
    spans = [_span([by_number[number].name for number in share.tolist()]) for share in shares]
    if volume == 1:
        listed = "; ".join(f"volume {at}: {span}" for at, span in enumerate(spans, 2))
        note = f"The cabinet sheets are in separate volumes. {listed[0].upper()}{listed[1:]}."
        return Document(_whole(scope, since, note).sheets, part, volume_of)
    own = [by_number[number] for number in shares[volume - 2].tolist()]
    span = spans[volume - 2]
    note = f"{span[0].upper()}{span[1:]}. Volume 1 covers the whole plan."
    sheets = [
        *(replace(sheet, kind="drawing") for sheet in place_sheets(plan, standing, own, scope.paper)),
        *(replace(sheet, kind="schedule") for sheet in cabinet_chapters(plan, Chosen.of(plan, own), standing)),
        *(replace(sheet, kind="index") for sheet in index_sheets(plan, own)),
    ]
    sheets = _with_contents(cover_sheets(plan, standing, part), sheets, note)
    return Document(sheets, part, {key: at for key, at in volume_of.items() if at != volume})


def _span(names: Sequence[str]) -> str:
    """Return the cabinets of one volume as text."""
    return f"cabinet {names[0]}" if len(names) == 1 else f"cabinets {names[0]} to {names[-1]}"
