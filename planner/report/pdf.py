"""Cabling report for print: cover, floor, bill, charts, work order, cabinets with ports and cables, sources."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge

from planner.errors import InputError, Problem
from planner.model import Plan
from planner.report._cabinets import Cabinet, cabinets
from planner.report._labels import Codes
from planner.report._legs import chosen_work
from planner.report._names import networks_with
from planner.report._pdf.bill import bill_sheets
from planner.report._pdf.bundles import bundle_list_sheets, bundle_sheets
from planner.report._pdf.cabinet import Chosen, cabinet_chapters
from planner.report._pdf.charts import cable_charts
from planner.report._pdf.contents import contents_sheets, index_sheets
from planner.report._pdf.cover import cover_sheets, summary_sheets
from planner.report._pdf.document import Document
from planner.report._pdf.existing import existing_sheets
from planner.report._pdf.failures import failure_sheets
from planner.report._pdf.findings import assumption_sheets, violation_sheets
from planner.report._pdf.floor import floor_sheets, place_sheets
from planner.report._pdf.guide import guide_sheets
from planner.report._pdf.jobs import job_sheets, touched
from planner.report._pdf.latency import latency_sheets
from planner.report._pdf.near_misses import near_miss_sheets
from planner.report._pdf.panels import panel_sheets
from planner.report._pdf.placement import placement_sheets
from planner.report._pdf.sheet import Sheet
from planner.report._pdf.simulation import simulation_sheets
from planner.report._pdf.site import site_sheets
from planner.report._pdf.trays import tray_sheets
from planner.report._pdf.work import work_sheets
from planner.report._selection import WHOLE, Selection

ENDING = ".pdf"


def write(
    plan: Plan,
    path: Path,
    *,
    part: Literal["whole", "summary"] = "whole",
    selection: Selection = WHOLE,
    paper: Literal["a4", "a3", "letter"] = "a3",
    volume: Annotated[int, Ge(1)] | None = None,
    volume_cables: Annotated[int, Ge(1)] = 20_000,
    code: Literal["cable", "end"] = "cable",
    url: str | None = None,
) -> None:
    """Write the report, or a part of it; equal plans give equal bytes.

    Parameters
    ----------
    part
        ``"summary"`` prints one sheet with key figures, floor and lengths.
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
    code
        Content of the QR codes of task sheets: the number of the task, ``T12``, or with ``end`` plan and number: ``hall/T12``.
    url
        Start of an address; the code is then the address of the task, ``HTTP://10.0.0.5:8080/T/12``.

    Raises
    ------
    InputError
        When there is no such volume, or not the part of the selection.
    """
    document = _document(plan, part, selection, paper, volume, volume_cables, Codes(code, url))
    document.save(plan, path, letter=paper == "letter")


def volumes(plan: Plan, *, volume_cables: int, part: str, selection: Selection, **others) -> int:
    """Return the number of files of the report."""
    if part != "whole" or not selection.is_whole or not _is_large(plan, volume_cables):
        return 1
    return len(_volumes(plan, volume_cables)) + 1


def examine(*, url: str | None = None, **others: object) -> None:
    """Reject an address of a wrong form."""
    Codes("cable", url)


def _document(
    plan: Plan, part: str, selection: Selection, paper: str, volume: int | None, volume_cables: int, codes: Codes
) -> Document:
    standing = cabinets(plan) if plan.placement is not None else []
    if part == "summary":
        if volume is not None or not selection.is_whole:
            raise InputError(Problem("part", "a summary covers the whole plan", "leave out the other choices"))
        return Document(summary_sheets(plan, standing))
    if not selection.is_place:
        return _jobs(plan, standing, selection, paper, codes)
    if not selection.is_whole:
        return _cabinets(plan, standing, selection, paper)
    if volume is None or not _is_large(plan, volume_cables):
        if volume not in (None, 1):
            raise InputError(Problem("volume", f"there is no volume {volume}", "this plan is one volume"))
        return _whole(plan, standing, paper, Chosen.of(plan, standing))
    shares = _volumes(plan, volume_cables)
    if volume > len(shares) + 1:
        raise InputError(Problem("volume", f"there is no volume {volume}", f"there are {len(shares) + 1}"))
    return _volume(plan, standing, paper, volume, shares)


def _whole(plan: Plan, standing: Sequence[Cabinet], paper: str, chosen: Chosen | None, note: str = "") -> Document:
    chapters = [
        *guide_sheets(plan),
        *floor_sheets(plan, standing, paper),
        *existing_sheets(plan),
        *placement_sheets(plan),
        *site_sheets(plan),
        *bill_sheets(plan, standing),
        *near_miss_sheets(plan),
        *cable_charts(plan),
        *bundle_sheets(plan),
        *(sheet for one in networks_with(plan, "latency") for sheet in latency_sheets(one)),
        *(sheet for one in networks_with(plan, "failures") for sheet in failure_sheets(one)),
        *simulation_sheets(plan),
        *violation_sheets(plan),
        *assumption_sheets(plan),
        *work_sheets(plan),
        *tray_sheets(plan),
        *bundle_list_sheets(plan),
        *panel_sheets(plan),
        *(cabinet_chapters(plan, chosen, standing) if chosen is not None else []),
        *index_sheets(plan, standing),
    ]
    return Document(_with_contents(cover_sheets(plan, standing), chapters, note))


def _with_contents(cover: Sequence[Sheet], chapters: Sequence[Sheet], note: str = "") -> list[Sheet]:
    entries = [mark for sheet in chapters for mark in sheet.marks if mark.level == 0]
    return [*cover, *contents_sheets(entries, note), *chapters]


def _cabinets(plan: Plan, standing: Sequence[Cabinet], selection: Selection, paper: str) -> Document:
    """Return the sheets of one cabinet or row, and of the bundles with an end there."""
    numbers = set(selection.cabinets(plan).tolist())
    own = [each for each in standing if each.number in numbers]
    chosen = Chosen.of(plan, own)
    sheets = [
        *place_sheets(plan, standing, own, paper),
        *cabinet_chapters(plan, chosen, standing if selection.cabinet is None else ()),
        *bundle_list_sheets(plan, chosen.cables),
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


def _volume(plan: Plan, standing: Sequence[Cabinet], paper: str, volume: int, shares: Sequence[np.ndarray]) -> Document:
    volume_of = {f"cabinet-{number}": at for at, share in enumerate(shares, 2) for number in share.tolist()}
    part = f"volume {volume} of {len(shares) + 1}"
    by_number = {cabinet.number: cabinet for cabinet in standing}
    spans = [_span([by_number[number].name for number in share.tolist()]) for share in shares]
    if volume == 1:
        listed = "; ".join(f"volume {at}: {span}" for at, span in enumerate(spans, 2))
        note = f"The cabinet sheets are in separate volumes. {listed[0].upper()}{listed[1:]}."
        document = _whole(plan, standing, paper, None, note)
        return Document(document.sheets, part, volume_of)
    own = [by_number[number] for number in shares[volume - 2].tolist()]
    span = spans[volume - 2]
    note = f"{span[0].upper()}{span[1:]}. Volume 1 covers the whole plan."
    chapters = [*place_sheets(plan, standing, own, paper), *cabinet_chapters(plan, Chosen.of(plan, own), standing)]
    sheets = _with_contents(cover_sheets(plan, standing, part), [*chapters, *index_sheets(plan, own)], note)
    return Document(sheets, part, {key: at for key, at in volume_of.items() if at != volume})


def _span(names: Sequence[str]) -> str:
    """Return the cabinets of one volume as text."""
    return f"cabinet {names[0]}" if len(names) == 1 else f"cabinets {names[0]} to {names[-1]}"
