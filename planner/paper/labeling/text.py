"""Text that fits on a label, and its QR code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

from planner.paper.fonts import BOLD, REGULAR, width_of

_LARGEST = 10
"""Largest version of a QR code on a label: 57 modules along a side. The first has 21, for 34 digits."""

LEADING = 1.18
"""Height of a line as a multiple of the size of its font."""

_SHARE = 0.72
"""Size of the note below the text relative to the text, unless that is too small."""

_GAIN = 1.4
"""Lines may break after any mark if that makes the text larger by this factor."""

_KEPT = 0.5
"""Smallest size of the text with longer notes, as a share of that with the shortest ones."""

_BREAKS = (re.compile(r"[^/ ]*[/ ]?"), re.compile(r"[^/ \-.:_,;|]*[/ \-.:_,;|]?"), re.compile(r".", re.DOTALL))
"""Where lines may break: after a slash or a space, after any mark, and anywhere if nothing else fits."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one size in points, and the notes below them, each on a line."""

    size: float
    lines: tuple[str, ...]
    notes: tuple[str, ...]
    note_size: float

    @property
    def height(self) -> float:
        return LEADING * sum(size for _, size, _ in self.rows())

    def rows(self) -> Iterator[tuple[str, float, str]]:
        """Yield each line with the size and the name of its font."""
        yield from ((line, self.size, BOLD) for line in self.lines)
        yield from ((note, self.note_size, REGULAR) for note in self.notes)


def chosen_form(
    text: str, forms: Sequence[tuple[str, ...]], width: float, height: float, smallest: float, best: float
) -> Block | None:
    """Return a text with the first form of its notes that leaves it large enough, else with the last one, as `fitted`.

    Parameters
    ----------
    forms
        Notes from the fullest to the shortest, which should always fit.
    """
    shortest = fitted(text, forms[-1], width, height, smallest, best)
    if shortest is None:
        return None
    for notes in forms[:-1]:
        block = fitted(text, notes, width, height, smallest, best)
        if block is not None and block.size >= _KEPT * shortest.size:
            return block
    return shortest


def fitted(text: str, notes: tuple[str, ...], width: float, height: float, smallest: float, best: float) -> Block | None:
    """Return a text and its notes at the largest size that fits, or None where they do not fit.

    Parameters
    ----------
    text, notes
        Printable text; each note stays on one line below it.
    width, height
        Available space, in points.
    smallest, best
        Range of the text size, in points.
    """
    chosen = None
    for rule in _BREAKS:
        pieces = [piece for piece in rule.findall(text) if piece]
        found = _largest(pieces, notes, width, height, smallest, best)
        if found is not None and (chosen is None or found.size > _GAIN * chosen.size):
            chosen = found
        if chosen is not None and (rule is _BREAKS[1] or chosen.size >= best / _GAIN):
            break
    return chosen


def _largest(
    pieces: list[str], notes: tuple[str, ...], width: float, height: float, smallest: float, best: float
) -> Block | None:
    widths = [width_of(piece, 1, BOLD) for piece in pieces]
    # A space at the end of a line is not printed.
    bare = [width_of(piece.rstrip(" "), 1, BOLD) for piece in pieces]
    note_width = max(width_of(note, 1, REGULAR) for note in notes)
    # No lines hold more than the whole space does.
    best = max(smallest, min(best, (width * height / LEADING / max(sum(bare), 1e-9)) ** 0.5))
    for size in _sizes(smallest, best):
        lines = _lines(widths, bare, width / size)
        note_size = max(smallest, _SHARE * size)
        if lines is None or note_width * note_size > width:
            continue
        block = Block(size, tuple("".join(pieces[start:end]).strip(" ") for start, end in lines), notes, note_size)
        # Joined letters are narrower together than each by itself.
        if block.height <= height and all(width_of(line, size, BOLD) <= width + 1e-6 for line in block.lines):
            return block
    return None


def _sizes(smallest: float, best: float) -> Iterator[float]:
    """Yield sizes from the best down in half points, and the smallest."""
    size = best
    while size > smallest:
        yield size
        size -= 0.5
    yield smallest


def _lines(widths: list[float], bare: list[float], room: float) -> list[tuple[int, int]] | None:
    """Return the first and last part of each line, filled greedily; None where one part is too wide."""
    lines, start, used = [], 0, 0.0
    for number, (whole, printed) in enumerate(zip(widths, bare, strict=True)):
        if printed > room:
            return None
        if used + printed > room:
            lines.append((start, number))
            start, used = number, 0.0
        used += whole
    return [*lines, (start, len(widths))]


def qr_version(content: str) -> int:
    """Return the smallest version of a QR code of medium error correction that holds a text; 0 if it is too large for a label.

    >>> qr_version("137"), qr_version("HTTP://10.0.0.5:8080/C/137A"), qr_version("x" * 300)
    (1, 2, 0)
    """
    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(content)
    version = code.calculate_version()
    return version if version <= _LARGEST else 0


def qr_modules(content: str, version: int = 1) -> list[list[bool]]:
    """Return the modules of a QR code of medium error correction, row by row, True for dark.

    >>> len(qr_modules("137")), len(qr_modules("137", 2))
    (21, 25)
    """
    code = QRCode(version, QRErrorCorrectLevel.M)
    code.addData(content)
    code.make()
    return code.modules


def dark_runs(modules: list[list[bool]]) -> Iterator[tuple[int, int, int]]:
    """Yield row, first column and length of every run of dark modules."""
    for number, row in enumerate(modules):
        for run in re.finditer("1+", "".join("1" if dark else "0" for dark in row)):
            yield number, run.start(), run.end() - run.start()
