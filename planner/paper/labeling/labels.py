"""Texts of the labels of a plan, in the order in which they are needed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, NamedTuple
from urllib.parse import quote

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import CablePlan, Plan
from planner.paper.labeling.panels import PanelLabels
from planner.view.names import cabinet_names, device_names, end_place, printed_ports
from planner.view.panels import PanelTexts
from planner.view.pulling import pulling_rank
from planner.view.selection import WHOLE, Selection


class Plug(NamedTuple):
    """One end of a cable: cabinet, lowest rack unit and name of the device, and its port or ports as printed on it.

    `branch` is the mark of a branch of a splitter cable, such as B2; empty for other ends.
    """

    cabinet: str
    unit: int
    device: str
    port: str
    branch: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.branch, self.device, self.port)))


def _listed(plugs: Sequence[Plug]) -> str:
    """Return ends as text, those at one place together.

    >>> _listed([Plug("A01", 39, "E004", "1", "B1"), Plug("A01", 39, "E005", "2", "B2")])
    'A01 U39 B1 E004 1, B2 E005 2'
    """
    places = groupby(plugs, lambda plug: (plug.cabinet, plug.unit))
    return "; ".join(f"{end_place(*place)} {', '.join(map(str, own))}" for place, own in places)


def _named(plugs: Sequence[Plug]) -> str:
    """Return devices and ports as text, of more than two ends the first and the last."""
    texts = list(map(str, plugs))
    return ", ".join(texts) if len(texts) < 3 else f"{texts[0]} … {texts[-1]}"


@dataclass(frozen=True, slots=True)
class Label:
    """The label of one end of a cable, trunk or jumper.

    `cable` is the cable's number in the schedule, where a cable has several rows that of the first; the name of a trunk, or the
    number of a jumper, J12. `end` is A or B, with a number where a splitter has several ends on that side.
    """

    cable: int | str
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
    far: tuple[Plug, ...]

    @property
    def near(self) -> Plug:
        """This end."""
        return Plug(self.cabinet, self.unit, self.device, self.port, self.end if len(self.end) > 1 else "")

    @property
    def place(self) -> str:
        """What the label is for, in messages."""
        return f"cable {self.cable}, end {self.end}"

    source: ClassVar[str] = "the names of rows and cabinets, or in the label of [cabling]"
    shorter: ClassVar[str] = "shorter labels in [cabling]"
    """What its texts come from, and what would make them shorter, for messages."""

    def forms(self) -> list[tuple[str, ...]]:
        """Return number and end with from and to: on one line or two, without locations, or left out where there is no room."""
        number = f"{self.cable} {self.end}"
        lines = [line for text in self.routes() for line in ((text,), tuple(text.replace(" → ", "\n→ ").split("\n")))]
        return [*((number, *line) for line in lines), (f"{number}: {self.routes()[1]}",), (number,)]

    def routes(self) -> tuple[str, str]:
        """Return from where to where the cable leads: in full, and without cabinets and units."""
        return f"{_listed((self.near,))} → {_listed(self.far)}", f"{_named((self.near,))} → {_named(self.far)}"


def labels(plan: Plan, selection: Selection = WHOLE) -> list[Label]:
    """Return the labels of the chosen ends in pulling order, both ends of a cable one after the other.

    An end is chosen if it is in the cabinet or row, and the stage and crew install the cable's first row. Of a cable over panels
    they are the labels of its trunk and jumpers.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.
    """
    installed, ends = selection.installed(plan), selection.ends(plan)
    cables = plan.cables
    place, first, end = _ends(plan)
    rows, side = place // 2, place % 2
    plugs = _plugged(plan)
    panels = PanelTexts.of(plan)
    chosen = installed[first] & ends[rows, side] & ~(cables.carried[first] & (panels is not None))
    place, first, rows, side = (column[chosen] for column in (place, first, rows, side))
    end = [mark for mark, wanted in zip(end, chosen.tolist(), strict=True) if wanted]
    texts = np.where(side == 0, cables.label_a[rows], cables.label_b[rows]) if len(rows) else np.array([], str)
    parts = [assembly.length_part for assembly in cables.assemblies]
    diameters = [assembly.diameter_um for assembly in cables.assemblies]
    columns = (
        first, end, texts, cables.piece[rows], side, place, cables.assembly[first], cables.stock_mm[first],
        cables.bundle[first], cables.stage[first],
    )  # fmt: skip
    found = [
        Label(
            number + 1, mark, text, *plugs[piece, one][at][:4], parts[assembly], stock_mm, bundle + 1 if bundle >= 0 else None,
            cables.stage_names[when], diameters[assembly], _branches(plugs[piece, 1 - one], "BA"[one]),
        )
        for number, mark, text, piece, one, at, assembly, stock_mm, bundle, when in zip(
            *(column if isinstance(column, list) else column.tolist() for column in columns), strict=True
        )
    ]  # fmt: skip
    return found if panels is None else _with_panels(plan, found, first, PanelLabels(panels, selection))


def _with_panels(plan: Plan, found: list[Label], first: np.ndarray, others: PanelLabels) -> list[Label]:
    """Return the labels with those of trunks and jumpers, by task; `first` is the row of each label, (n,)."""
    tasks = [-1] * len(found) if plan.work is None else plan.work.task[first].tolist()
    listed = list(zip(tasks, found, strict=True))
    for one in others.all():
        bundle = None if one.bundle is None else one.bundle + 1
        text, far = (one.cable, one.end, one.text, *one.near, one.part, one.stock_mm), (Plug(*one.far),)
        listed.append((one.task, Label(*text, bundle=bundle, stage=one.stage, diameter_um=one.diameter_um, far=far)))
    return [label for _, label in sorted(listed, key=lambda entry: entry[0])]


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

    def device(self, name: str) -> str:
        """Return the content of the code of a device, by its name."""
        return name if self.url is None else f"{self.url.rstrip('/')}/D/{quote(name, safe='')}"

    def task(self, plan: Plan, number: int) -> str:
        """Return the content of the code of a task, by its number from 1."""
        if self.url is not None:
            return f"{self.url.rstrip('/')}/T/{number}"
        return f"{plan.name}/T{number}" if self.code == "end" else f"T{number}"


CODES = Codes("cable", None)
"""The usual content: numbers alone."""


def _branches(plugs: dict[int, Plug], side: str) -> tuple[Plug, ...]:
    """Return the ends on one side, several with the marks of their branches."""
    if len(plugs) == 1:
        return tuple(plugs.values())
    return tuple(plug._replace(branch=f"{side}{number}") for number, plug in enumerate(plugs.values(), 1))


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
    return np.unique(_plug_keys(cables), return_index=True)[1]


def _plug_keys(cables: CablePlan) -> np.ndarray:
    """Return a number for piece, device and cage at both ends of each row, int64 (2W,)."""
    devices, cages = int(cables.device.max(initial=0)) + 1, int(cables.cage.max(initial=0)) + 1
    return (np.repeat(cables.piece.astype(np.int64), 2) * devices + cables.device.ravel()) * cages + cables.cage.ravel()


def _plugged(plan: Plan) -> dict[tuple[int, int], dict[int, Plug]]:
    """Return the plugs of every cable by piece and side, each by the index into the flat (W, 2) of its first row."""
    cables, names, cabinets = plan.cables, device_names(plan), cabinet_names(plan)
    ports = [printed_ports(plan, side) for side in (0, 1)]
    _, first, plug = np.unique(_plug_keys(cables), return_index=True, return_inverse=True)
    several: dict[int, list[str]] = defaultdict(list)
    for place, own in enumerate(first[plug.ravel()].tolist()):
        several[own].append(ports[place % 2][place // 2])
    found: dict[tuple[int, int], dict[int, Plug]] = defaultdict(dict)
    columns = (cables.piece, cables.cabinet, cables.unit, cables.device)
    piece, cabinet, unit, device = (column.tolist() for column in columns)
    for place in sorted(several):
        row, side = divmod(place, 2)
        where = (cabinets[cabinet[row][side]], unit[row][side], names[device[row][side]])
        found[piece[row], side][place] = Plug(*where, "+".join(several[place]))
    return found
