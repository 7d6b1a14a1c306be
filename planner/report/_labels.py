"""Texts of the labels of a plan, in the order in which they are needed."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from planner.errors import InputError, Problem
from planner.model import CablePlan, Plan
from planner.report._names import cabinet_names, device_names, is_named, port_names
from planner.report._pulling import pulling_rank
from planner.report._selection import WHOLE, Selection


@dataclass(frozen=True, slots=True)
class Label:
    """The label of one end of a cable.

    `cable` is the cable's number in the schedule; where a cable has several rows, that of the first. `end` is A or
    B, with a number where a splitter has several ends on that side.
    """

    cable: int
    end: str
    text: str
    cabinet: str
    unit: int
    device: str
    port: str
    part: str
    stock_mm: int
    bundle: int | None
    stage: str
    diameter_um: int


def labels(plan: Plan, selection: Selection = WHOLE) -> list[Label]:
    """Return the labels of the chosen ends in pulling order, both ends of a cable one after the other.

    An end is chosen if it is in the cabinet or row, and the stage and crew install the cable's first row.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.
    """
    installed, ends = selection.installed(plan), selection.ends(plan)
    cables = plan.cables
    place, first, end = _ends(plan)
    rows, side = place // 2, place % 2
    chosen = installed[first] & ends[rows, side]
    place, first, rows, side = (column[chosen] for column in (place, first, rows, side))
    end = [mark for mark, wanted in zip(end, chosen.tolist(), strict=True) if wanted]
    texts = np.where(side == 0, cables.label_a[rows], cables.label_b[rows]) if len(rows) else np.array([], str)
    names = device_names(plan)
    cabinets = cabinet_names(plan)
    ports = np.column_stack([port_names(plan, 0), port_names(plan, 1)]) if is_named(plan) else cables.port.astype(str)
    parts = [assembly.length_part for assembly in cables.assemblies]
    diameters = [assembly.diameter_um for assembly in cables.assemblies]
    columns = (
        first, end, texts, cables.cabinet[rows, side], cables.unit[rows, side], cables.device[rows, side],
        ports[rows, side], cables.assembly[first], cables.stock_mm[first], cables.bundle[first], cables.stage[first],
    )  # fmt: skip
    return [
        Label(
            number + 1, mark, text, cabinets[place], unit, names[device], port, parts[assembly], stock_mm,
            bundle + 1 if bundle >= 0 else None, cables.stage_names[when], diameters[assembly],
        )
        for number, mark, text, place, unit, device, port, assembly, stock_mm, bundle, when in zip(
            *(column if isinstance(column, list) else column.tolist() for column in columns), strict=True
        )
    ]  # fmt: skip


@dataclass(frozen=True)
class Codes:
    """Content of the QR codes.

    Parameters
    ----------
    code
        ``"cable"``: the number of the cable; ``"end"``: plan, number and end.
    url
        Start of an address; the code is then the address of the end of the cable.

    Raises
    ------
    InputError
        When the address has a wrong form.
    """

    code: str
    url: str | None

    def __post_init__(self) -> None:
        if self.url is not None and not re.fullmatch(r"[!-~]{1,100}", self.url):
            message = f"{self.url[:80]!r} is not 1 to 100 characters of ASCII without spaces"
            raise InputError(Problem("url", message, "give the start of an address, such as HTTP://10.0.0.5:8080"))

    def text(self, plan: Plan, label: Label) -> str:
        """Return the content of the code of a label."""
        if self.url is not None:
            return f"{self.url.rstrip('/')}/C/{label.cable}{label.end}"
        return f"{plan.name}/{label.cable}{label.end}" if self.code == "end" else str(label.cable)

    def task(self, plan: Plan, number: int) -> str:
        """Return the content of the code of a task, by its number from 1."""
        if self.url is not None:
            return f"{self.url.rstrip('/')}/T/{number}"
        return f"{plan.name}/T{number}" if self.code == "end" else f"T{number}"


def _ends(plan: Plan) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return the ends of all cables in pulling order: index into the flat (W, 2), first row of the cable, mark of the end."""
    cables = plan.cables
    if not cables.cable_count:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), []
    place = _plugs(cables)
    piece = cables.piece[place // 2]
    position = pulling_rank(plan)
    earliest = np.full(cables.piece.max() + 1, cables.cable_count)
    np.minimum.at(earliest, cables.piece, position)
    place = place[np.lexsort((place, place % 2, earliest[piece]))]
    piece, side = cables.piece[place // 2].astype(np.int64), place % 2
    # The ends of one cable on one side are adjacent now.
    group = 2 * piece + side
    starts = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
    many = np.diff(np.append(starts, len(group)))
    rank = np.arange(len(group)) - np.repeat(starts, many)
    alone = np.repeat(many, many) == 1
    columns = zip(side.tolist(), rank.tolist(), alone.tolist(), strict=True)
    marks = ["AB"[one] + ("" if single else str(number + 1)) for one, number, single in columns]
    first = np.unique(cables.piece, return_index=True)[1]
    first_of = np.empty(cables.piece.max() + 1, np.int64)
    first_of[cables.piece[first]] = first
    return place, first_of[piece], marks


def _plugs(cables: CablePlan) -> np.ndarray:
    """Return the index into the flat (W, 2) of every plug: rows of one cable share plugs in the same cage of a device."""
    devices, cages = int(cables.device.max(initial=0)) + 1, int(cables.cage.max(initial=0)) + 1
    key = (np.repeat(cables.piece.astype(np.int64), 2) * devices + cables.device.ravel()) * cages + cables.cage.ravel()
    return np.unique(key, return_index=True)[1]
