"""Places of labels: the largest size at which each fits its space, and none over another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from planner.hall.scene import Label, Point

Measure = Callable[[str, float, bool], float]
"""Width of a text in points, by size in points and whether it is bold."""

_HEIGHT = 1.15
"""Height of a line of text, in its size."""
_NOTE_HEIGHT = 1.5
"""Height of the space that a note needs, in its size."""
_READABLE_PT = 5.0
_GAP_PT = 1.5
"""Distance of a label from its place, where it is next to it."""


class Type(NamedTuple):
    """Color, size in points and weight of labels of one kind; `together`: all at one size, or none."""

    color: str
    size_pt: float
    bold: bool = False
    together: bool = False


TYPES = {
    "sheets": Type("accent", 9.0, bold=True),
    "slots": Type("text", 8.0, together=True),
    "empty slots": Type("muted", 7.0, together=True),
    "notes": Type("text", 6.0),
    "figures": Type("text", 6.0, bold=True),
    "rows": Type("accent", 8.0, bold=True),
    "obstacles": Type("text", 6.0),
    "aisles": Type("muted", 6.5),
    "panel frames": Type("route", 6.0, bold=True),
    "tray names": Type("muted", 6.5),
    "list": Type("text", 7.0),
}


class Placed(NamedTuple):
    """A label on the drawing: its center in millimeters of the room, and width and height as read, in points."""

    label: Label
    text: str
    at_mm: Point
    size_pt: float
    upright: bool
    width_pt: float
    height_pt: float


def place(
    labels: Sequence[Label],
    measure: Measure,
    mm_per_pt: float,
    *,
    min_pt: float,
    inside_mm: tuple[Point, Point] | None = None,
) -> list[Placed]:
    """Return the labels that fit, the first of two that would overlap.

    Parameters
    ----------
    mm_per_pt
        Millimeters of the room per point of the drawing.
    min_pt
        Minimum size of a text, in points.
    inside_mm
        Corners of the rectangle outside of which there are no labels.
    """
    found: list[Placed] = []
    for kind, group in groupby(sorted(labels, key=lambda label: list(TYPES).index(label.kind)), key=lambda label: label.kind):
        of, own = TYPES[kind], [label for label in group if inside_mm is None or _within((*label.at_mm, *label.at_mm), inside_mm)]
        taken = np.array([_box(placed, mm_per_pt) for placed in found]).reshape(-1, 4)
        best: list[Placed] = []
        # Texts without a space of their own become smaller where more of them have room then.
        sizes = np.arange(of.size_pt, min_pt - 0.01, -0.5) if own and not any(own[0].space_mm) else (of.size_pt,)
        for size in sizes:
            fitted = list(_fitted(own, of._replace(size_pt=float(size)), measure, mm_per_pt, min_pt))
            attempt = _clear(fitted, taken, of.together, mm_per_pt, inside_mm)
            best = max(best, attempt, key=len)
            if len(best) == len(fitted):
                break
        found += best
    return found


def _clear(
    labels: Sequence[Placed], taken: np.ndarray, together: bool, mm_per_pt: float, inside_mm: tuple[Point, Point] | None
) -> list[Placed]:
    """Return the labels that are inside and clear of what is taken; the first of two that would overlap."""
    found: list[Placed] = []
    for first in labels:
        for at_mm in (first.at_mm, *first.label.others_mm):
            placed = first._replace(at_mm=at_mm)
            if inside_mm is not None and not any(placed.label.space_mm):
                placed = _moved_inside(placed, mm_per_pt, inside_mm)
            box = _box(placed, mm_per_pt)
            if (inside_mm is None or _within(box, inside_mm)) and not _overlaps(box, taken):
                found.append(placed)
                # Slots do not overlap, so that their names need not be compared with each other.
                taken = taken if together else np.vstack([taken, box])
                break
    return found


def _moved_inside(placed: Placed, mm_per_pt: float, inside_mm: tuple[Point, Point]) -> Placed:
    """Return a label, moved so that no part of it is outside of a rectangle that is larger than it."""
    left, bottom, right, top = _box(placed, mm_per_pt).tolist()
    (low_x, low_y), (high_x, high_y) = inside_mm
    across, up = max(low_x - left, 0) + min(high_x - right, 0), max(low_y - bottom, 0) + min(high_y - top, 0)
    return placed._replace(at_mm=(placed.at_mm[0] + across, placed.at_mm[1] + up))


def common_size(
    labels: Sequence[Label], measure: Measure, mm_per_pt: float, min_pt: float, of: Type | None = None
) -> tuple[float, bool]:
    """Return the size at which all labels fit, and whether they are upright; 0 where they do not fit.

    Upright texts are only for places where level ones would be too small to read.
    """
    level, upright = (
        min((_size(label, turned, of or TYPES[label.kind], measure, mm_per_pt) for label in labels), default=0.0)
        for turned in (False, True)
    )
    if level >= max(min_pt, _READABLE_PT) or (level >= min_pt and level >= upright):
        return level, False
    return (upright, True) if upright >= min_pt else (0.0, False)


def _fitted(labels: Sequence[Label], of: Type, measure: Measure, mm_per_pt: float, min_pt: float) -> Iterator[Placed]:
    common = common_size(labels, measure, mm_per_pt, min_pt) if of.together else None
    for label in labels:
        size, upright = common or common_size([label], measure, mm_per_pt, min_pt, of)
        if size:
            yield _placed(label, label.text, label.at_mm, size, upright, measure(label.text, size, of.bold), mm_per_pt)
        if size and not upright and label.note:
            # Names are not smaller than notes.
            first = min(max(size - 1, min_pt), size, TYPES["notes"].size_pt)
            for small in np.arange(first, min_pt - 0.01, -0.5).tolist():
                wide = measure(label.note, small, False)
                if wide * mm_per_pt <= label.space_mm[0] and small * _NOTE_HEIGHT * mm_per_pt <= label.space_mm[1]:
                    yield Placed(label, label.note, label.note_mm, small, False, wide, small * _HEIGHT)
                    break


def _placed(label: Label, text: str, at_mm: Point, size: float, upright: bool, wide: float, mm_per_pt: float) -> Placed:
    if upright and label.upright_mm is not None:
        return Placed(label, text, label.upright_mm[:2], size, True, wide, size * _HEIGHT)
    (x, y), high = at_mm, size * _HEIGHT
    across, up = label.anchor
    at = (x - across * (wide / 2 + _GAP_PT) * mm_per_pt, y - up * (high / 2 + _GAP_PT) * mm_per_pt)
    return Placed(label, text, at, size, False, wide, high)


def _size(label: Label, upright: bool, of: Type, measure: Measure, mm_per_pt: float) -> float:
    """Return the largest size in steps of half a point at which a label fits; 0 where it has no place."""
    wide, high = label.space_mm
    if upright:
        if label.upright_mm is None:
            return 0.0
        _, _, high, wide = label.upright_mm
    size = of.size_pt if not high else min(of.size_pt, high / mm_per_pt / _HEIGHT)
    if wide and (needed := measure(label.text, size, of.bold)) > wide / mm_per_pt:
        size *= wide / mm_per_pt / needed
    return size if size < 1 else int(2 * size) / 2


def _box(placed: Placed, mm_per_pt: float) -> np.ndarray:
    """Return left, bottom, right and top of a label in the room, in millimeters."""
    wide, high = (placed.height_pt, placed.width_pt) if placed.upright else (placed.width_pt, placed.height_pt)
    if placed.label.angle % 180 == 90:
        wide, high = high, wide
    (x, y), half = placed.at_mm, mm_per_pt / 2
    return np.array([x - wide * half, y - high * half, x + wide * half, y + high * half])


def _within(box: Sequence[float] | np.ndarray, inside_mm: tuple[Point, Point]) -> bool:
    (left, bottom), (right, top) = inside_mm
    return bool(box[0] >= left and box[1] >= bottom and box[2] <= right and box[3] <= top)


def _overlaps(box: np.ndarray, taken: np.ndarray) -> bool:
    return bool(((taken[:, :2] < box[2:]) & (taken[:, 2:] > box[:2])).all(axis=1).any())
