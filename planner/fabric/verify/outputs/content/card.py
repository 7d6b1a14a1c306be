"""One work card: where the plug is, where it belongs, its label, and boxes to tick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from planner.paper.blocks import Block
from planner.paper.canvas import ACCENT, ACCENT_LIGHT, ALARM, DARK, MUTED, PAPER, RULE, Pen
from planner.paper.code import draw_code
from planner.paper.faces import LIT
from planner.paper.fonts import BOLD, MIN_PT, REGULAR, printable, width_of, wrapped
from planner.paper.sheet import TEXT_WIDTH
from planner.paper.task_faces import Item

_CODE = 50.0
_PAD = 7.0
_NUMBER = 30.0
"""Width of the column with the number."""
_TEXT = TEXT_WIDTH - _NUMBER - _CODE - 3 * _PAD
_SIZE, _LEADING = 8.0, 11.0
_TICKS = 18.0
_APART = 6.0


class Tick(NamedTuple):
    """A box to tick or a field to fill in, with its share of the width."""

    text: str
    share: float
    is_field: bool = False


class Face(NamedTuple):
    """A faceplate with lit ports, and the port where the plug belongs; 0 if it is elsewhere."""

    item: Item
    target: int = 0


@dataclass(frozen=True)
class Card:
    """What one card shows.

    Attributes
    ----------
    number
        Its number, in the order of work.
    title, mark
        What to do, in large type, and a warning at its right; empty for none.
    label
        Text of the label that should be found, with its caption; empty for none.
    notes
        Sentences below.
    code, caption
        Content of the QR code, and what is written below a long one.
    ticks
        Boxes to tick and fields, in a row.
    faces
        Faceplates next to each other.
    """

    number: str
    title: str
    mark: str
    label: tuple[str, str]
    notes: Sequence[str]
    code: str
    caption: str
    ticks: Sequence[Tick]
    faces: Sequence[Face] = ()

    def block(self, above: tuple[Block, ...] = ()) -> Block:
        """Return the card as a block that is not split; `above` is repeated when it comes first on a sheet."""
        notes = [line for note in self.notes for line in wrapped(printable(note), _TEXT, _SIZE)]
        head = 17.0 + (15.0 if self.label[1] else 0) + _LEADING * len(notes) + 4
        body = max(head, _CODE + 10)
        # Faceplates of two devices are next to each other.
        width = (TEXT_WIDTH - _NUMBER - 2 * _PAD - _APART * (len(self.faces) - 1)) / max(len(self.faces), 1)
        faces = max((face.item.height for face in self.faces), default=0.0)
        height = _PAD + body + faces + _TICKS

        def draw(pen: Pen, x: float, top: float) -> None:
            pen.box(x, top - height, TEXT_WIDTH, height, PAPER, RULE, weight=0.6)
            pen.box(x, top - height, _NUMBER, height, ACCENT_LIGHT)
            pen.text(x + _NUMBER / 2, top - _PAD - 12, self.number, 14, font=BOLD, color=ACCENT, align="center", width=26)
            left = x + _NUMBER + _PAD
            self._text(pen, left, top - _PAD, notes)
            draw_code(pen, self.code, x + TEXT_WIDTH - _PAD - _CODE, top - _PAD - _CODE + 2, _CODE, self.caption)
            for place, face in enumerate(self.faces):
                face.item.draw(pen, left + place * (width + _APART), top - _PAD - body, width)
                _aim(pen, face, left + place * (width + _APART), top - _PAD - body, width)
            self._ticks(pen, left, top - height + 6)

        return Block(height + _APART, _shown(draw), above=above)

    def _text(self, pen: Pen, x: float, top: float, notes: Sequence[str]) -> None:
        mark = width_of(self.mark, 8, BOLD) + 12 if self.mark else 0
        pen.text(x, top - 11, self.title, 11.5, font=BOLD, color=DARK, width=_TEXT - mark - 4)
        if self.mark:
            pen.box(x + _TEXT - mark, top - 13, mark, 12, ALARM)
            pen.text(x + _TEXT - mark / 2, top - 10, self.mark, 8, font=BOLD, color=PAPER, align="center")
        y = top - 17
        caption, label = self.label
        if label:
            pen.text(x, y - 9, caption, _SIZE, color=MUTED)
            start = x + width_of(caption, _SIZE, REGULAR) + 6
            shown = min(width_of(label, 10, BOLD), _TEXT - (start - x) - 12)
            pen.box(start, y - 12.5, shown + 8, 13.5, PAPER, DARK, weight=0.7)
            pen.text(start + 4, y - 9.2, label, 10, font=BOLD, color=DARK, width=shown)
            y -= 15
        for line in notes:
            y -= _LEADING
            pen.text(x, y + 1, line, _SIZE, color=DARK)

    def _ticks(self, pen: Pen, x: float, y: float) -> None:
        width = TEXT_WIDTH - _NUMBER - 2 * _PAD
        whole = sum(tick.share for tick in self.ticks) or 1
        for tick in self.ticks:
            own = width * tick.share / whole
            if tick.is_field:
                pen.text(x, y + 1, tick.text, 7, color=MUTED)
                start = x + width_of(tick.text, 7, REGULAR) + 3
                pen.line([(start, y), (x + own - 6, y)], MUTED, 0.5)
            else:
                pen.box(x, y - 1, 8, 8, PAPER, DARK, weight=0.7)
                pen.text(x + 11, y + 1, tick.text, 7, color=DARK)
            x += own


def _shown(draw: Callable[[Pen, float, float], None]) -> Callable[[Pen, float, float], None]:
    def kept(pen: Pen, x: float, top: float) -> None:
        with pen.kept():
            draw(pen, x, top)

    return kept


def _aim(pen: Pen, face: Face, x: float, top: float, width: float) -> None:
    """Outline the port where the plug belongs."""
    places = face.item.ports(x, top, width)
    if face.target not in places:
        return
    left, bottom, wide, high = places[face.target]
    pen.box(left, bottom, wide, high, PAPER, LIT, weight=1.4)
    number = face.item.lit.get(face.target, "").rpartition("/")[2]
    if number and width_of(number, MIN_PT, BOLD) <= wide - 1 and high >= MIN_PT:
        pen.text(left + wide / 2, bottom + high / 2 - MIN_PT * 0.36, number, MIN_PT, font=BOLD, color=LIT, align="center")
