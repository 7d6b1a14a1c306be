"""Names of slots and rows on the floor."""

from __future__ import annotations

from collections.abc import Mapping

from reportlab.lib.colors import Color

from planner.model import Room
from planner.report._pdf.canvas import ACCENT, DARK, PAPER, Pen
from planner.report._pdf.floorplan import Shade, Window
from planner.report._pdf.fonts import BOLD, MIN_PT, width_of
from planner.report._pdf.sheet import MM


def write_slots(
    pen: Pen,
    window: Window,
    room: Room,
    shades: Mapping[int, Shade] | None = None,
    words: Mapping[int, str] | None = None,
) -> None:
    """Write the names of the slots over everything else, all in one orientation; none where they do not fit."""
    if not room.slot_count:
        return
    shades, words = shades or {}, words or {}
    width, height = (window.length(size) - 1.2 for size in room.slot_size.min(axis=0))
    longest = max(room.slot_names, key=len)
    level = _level_size(window, room)
    for slot in window.shown(room.slot_xy, room.slot_xy):
        name = room.slot_names[slot]
        back, hatch = shades.get(slot, (PAPER, ""))
        back = PAPER if hatch else back
        x, y = window.point(room.slot_xy[slot])
        if level:
            _write_level(pen, (x, y), (width, height), name, words.get(slot, ""), level, back)
        elif height >= width_of(_wide(longest), MIN_PT) and width >= MIN_PT - 1.2:
            size = MIN_PT if width_of(name, 6) > height else min(6.0, width + 1)
            half = width_of(name, size) / 2
            pen.box(x - size * 0.45, y - half, size * 0.9, 2 * half, back)
            pen.upright(x, y, name, max(size, MIN_PT), color=_on(back))


def write_clear_of_trays(pen: Pen, window: Window, room: Room) -> None:
    """Write names that do not cover trays: slot names where they fit below the middle, otherwise row names."""
    if _level_size(window, room):
        write_slots(pen, window, room)
    else:
        write_rows(pen, window, room)


def write_rows(pen: Pen, window: Window, room: Room) -> None:
    """Write the name of each row at both ends; some are left out where rows are too close."""
    written: list[tuple[float, float, float]] = []
    widest = max((width_of(name, 8, BOLD) for name in room.row_names), default=0.0)
    for row, name in enumerate(room.row_names):
        own = room.slot_xy[room.slot_row == row].astype(float)
        if not len(own):
            continue
        size = room.slot_size[room.slot_row == row].max(axis=0) / 2
        along = int((own.max(axis=0) - own.min(axis=0)).argmax())
        for end, sign in ((own[own[:, along].argmin()], -1), (own[own[:, along].argmax()], 1)):
            x, y = window.point(end)
            reach = window.length(size[along]) + 3
            width = width_of(name, 8, BOLD)
            x, y = (x + sign * (reach + widest / 2), y) if along == 0 else (x, y + sign * (reach + 4))
            close = any(abs(x - at) < (width + wide) / 2 and abs(y - up) < 8 for at, up, wide in written)
            if close or not window.holds(x, y):
                continue
            written.append((x, y, width))
            pen.box(x - width / 2 - 1, y - 4, width + 2, 8.5, PAPER)
            pen.text(x, y - 2.9, name, 8, font=BOLD, color=ACCENT, align="center")


def name_fits(room: Room, scale: float) -> bool:
    """Return whether the names of all slots are readable at a scale, horizontally or vertically."""
    if not room.slot_count:
        return True
    width, height = (float(size) * MM / scale - 1.2 for size in room.slot_size.min(axis=0))
    needed = width_of(_wide(max(room.slot_names, key=len)), MIN_PT)
    return (needed <= width and height >= 2 * MIN_PT) or (needed <= height and width >= MIN_PT - 1.2)


def _write_level(
    pen: Pen, center: tuple[float, float], inside: tuple[float, float], name: str, words: str, size: float, back: Color
) -> None:
    """Write the name below the middle, where the tray runs, and a short text above it."""
    (x, middle), (room, height) = center, inside
    y = middle - height * 0.28 - size * 0.36
    width = width_of(name, size)
    pen.box(x - width / 2, y - 0.5, width, size * 0.82, back)
    pen.text(x, y, name, size, align="center", color=_on(back))
    if words and height >= 4 * MIN_PT and width_of(words, MIN_PT) <= room:
        y, width = middle + height * 0.16, width_of(words, MIN_PT)
        pen.box(x - width / 2, y - 0.5, width, MIN_PT * 0.82, back)
        pen.text(x, y, words, MIN_PT, align="center", color=_on(back))


def _level_size(window: Window, room: Room) -> float:
    """Return the type size of horizontal slot names; 0 where they do not fit."""
    if not room.slot_count:
        return 0.0
    width, height = (window.length(size) - 1.2 for size in room.slot_size.min(axis=0))
    longest = _wide(max(room.slot_names, key=len))
    sizes = (7.0, 6.5, 6.0, MIN_PT) if height >= 2 * MIN_PT else ()
    return next((size for size in sizes if width_of(longest, size) <= width), 0.0)


def _wide(name: str) -> str:
    """Return a text at least as wide as any name of this length."""
    return "W" * sum(character.isalpha() for character in name) + "0" * sum(not character.isalpha() for character in name)


def _on(back: Color) -> Color:
    """Return the text color on a background."""
    return DARK if back.red + back.green + back.blue > 1.3 else PAPER
