"""Labels on sheets: layout of text and code on each label, and the print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import pi
from pathlib import Path
from typing import Protocol

from reportlab.lib.colors import black
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from planner.core.errors import InputError, Problem
from planner.domain.parts import LabelPrint, LabelSheet
from planner.paper.canvas import Pen
from planner.paper.fonts import printable
from planner.paper.labeling.sheets import label_print, label_sheet, shipped_sheets
from planner.paper.labeling.text import LEADING, Block, chosen_form, dark_runs, qr_modules, qr_version

_UM = mm / 1000
"""Points in a micrometer."""

_NAMED = 20
"""Number of labels listed in an error."""


class Text(Protocol):
    """What is printed on a label.

    Attributes
    ----------
    text
        The large text.
    diameter_um
        Diameter of what self-laminating labels are wrapped around.
    place, source, shorter
        For messages: what the label is for, what its texts come from, and what would make them shorter.
    """

    @property
    def text(self) -> str: ...
    @property
    def diameter_um(self) -> int: ...
    @property
    def place(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def shorter(self) -> str: ...

    def forms(self) -> list[tuple[str, ...]]:
        """Return the lines below the text, from the fullest to the shortest form."""
        ...


def print_labels(
    path: Path, title: str, chosen: Sequence[Text], contents: Sequence[str], *, sheet: str, start: int, border: bool
) -> None:
    """Print labels with their codes on sheets.

    Parameters
    ----------
    contents
        Content of the code of each label.
    sheet, start, border
        As for `planner.formats.labels.write`.

    Raises
    ------
    InputError
        When there is no such sheet, or texts or codes do not fit on the labels.
    """
    kind, rule = label_sheet(sheet), label_print()
    if start > kind.count:
        raise InputError(Problem("start", f"{start}, but a sheet has {kind.count} labels", f"give 1 to {kind.count}"))
    version = _version(contents)
    faces = _faces(chosen, kind, rule, 17 + 4 * version)
    canvas = Canvas(str(path), invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("Planner")
    _print(canvas, contents, version, faces, kind, start - 1, border)
    canvas.save()


def _version(contents: Sequence[str]) -> int:
    """Return the version of the QR codes: one for all, so that they look alike."""
    longest = max(contents, key=lambda text: len(text.encode()), default="1")
    version = qr_version(longest)
    if not version:
        raise InputError(
            Problem("code", f"{longest[:80]!r} … is too long for a QR code on a label", "give a shorter url or name")
        )
    return version


@dataclass(frozen=True, slots=True)
class _Face:
    """Layout of one label, in points: text at `left` and from `top` down, each copy in `height`; modules of the code."""

    block: Block
    left: float
    top: float
    height: float
    copies: int = 1
    module: float = 0.0
    quiet: float = 0.0


# -- layout ----------------------------------------------------------------------------------


def _faces(chosen: Sequence[Text], sheet: LabelSheet, rule: LabelPrint, across: int) -> list[_Face]:
    """Return the layouts of all labels with codes of `across` modules, or raise for all that do not fit."""
    faces, misfits = [], []
    for label in chosen:
        face = _face(label, sheet, rule, across)
        if face is None or _unprintable(label.text):
            misfits.append(label)
        else:
            faces.append(face)
    if misfits:
        problems = [_problem(label, sheet, rule, across) for label in misfits[:_NAMED]]
        if len(misfits) > _NAMED:
            problems.append(Problem("", f"{len(misfits) - _NAMED} more labels cannot be printed"))
        raise InputError(problems)
    return faces


def _problem(label: Text, sheet: LabelSheet, rule: LabelPrint, across: int) -> Problem:
    place = label.place
    if missing := _unprintable(label.text):
        remedy = f"use other letters in {label.source}"
        return Problem(place, f"no font has {missing} for the label {label.text!r}", remedy)
    return Problem(place, _why(label, sheet, rule, across), _remedy(label, sheet, rule, across))


def _face(label: Text, sheet: LabelSheet, rule: LabelPrint, across: int) -> _Face | None:
    return _wrapped(label, sheet, rule) if sheet.wraps else _flat(label, sheet, rule, across)


def _flat(label: Text, sheet: LabelSheet, rule: LabelPrint, across: int) -> _Face | None:
    """Return the layout with the code at the left; smaller where the text needs the space."""
    margin, height = sheet.margin_um * _UM, sheet.height_um * _UM
    for module in _modules(sheet, rule, across):
        left = module * (across + 2 * rule.quiet_modules)
        block = _fitted(label, sheet.width_um * _UM - left - margin, height - 2 * margin, rule)
        if block is not None:
            return _Face(block, left, 0, height, module=module, quiet=module * rule.quiet_modules)
    return None


def _modules(sheet: LabelSheet, rule: LabelPrint, across: int) -> tuple[float, ...]:
    """Return the module sizes of the code to try on a sheet, in points, the best first; none where the code does not fit."""
    largest = min(rule.module_best_um, min(sheet.height_um, sheet.width_um) / (across + 2 * rule.quiet_modules))
    return (largest * _UM, rule.module_um * _UM) if largest >= rule.module_um else ()


def _wrapped(label: Text, sheet: LabelSheet, rule: LabelPrint) -> _Face | None:
    """Return the layout with up to three copies of the text around the cable: one side shows a third of the circumference."""
    around_um, printed_um = pi * label.diameter_um, sheet.height_um - sheet.tail_um
    if around_um > sheet.tail_um:
        return None
    # Where the print wraps more than once, its lower end is on the outside.
    seen_um = min(printed_um, around_um)
    margin = sheet.margin_um * _UM
    for copies in range(max(1, int(3 * seen_um / around_um + 1e-9)), 0, -1):
        height = (seen_um * _UM - 2 * margin) / copies
        block = _fitted(label, sheet.width_um * _UM - 2 * margin, height, rule)
        if block is not None:
            return _Face(block, margin, (printed_um - seen_um) * _UM + margin, height, copies)
    return None


def _fitted(label: Text, width: float, height: float, rule: LabelPrint) -> Block | None:
    """Return the text with the fullest form of its notes that leaves room for it."""
    notes = [tuple(map(printable, form)) for form in label.forms()]
    return chosen_form(printable(label.text), notes, width, height, rule.text_um * _UM, rule.text_best_um * _UM)


def _unprintable(text: str) -> str:
    """Return the characters that no font has and that cannot be substituted."""
    return "".join(dict.fromkeys(one for one in text if one != "?" and printable(one) == "?"))


def _why(label: Text, sheet: LabelSheet, rule: LabelPrint, across: int) -> str:
    if sheet.wraps and pi * label.diameter_um > sheet.tail_um:
        around = f"{pi * label.diameter_um / 1000:.1f} mm around"
        return f"the cable is {around}, the clear part of {sheet.id} only {sheet.tail_um / 1000:.1f} mm long"
    if not sheet.wraps and not _modules(sheet, rule, across):
        return f"the QR code with modules of {rule.module_um / 1000:.2f} mm does not fit on {sheet.id}"
    return f"the label {label.text!r} does not fit on {sheet.id} at {rule.text_um * _UM:.1f} points"


def _remedy(label: Text, sheet: LabelSheet, rule: LabelPrint, across: int) -> str:
    sizes = {name: other.width_um * other.height_um for name, other in shipped_sheets().items()}
    for name in sorted(sizes, key=sizes.__getitem__):
        other = shipped_sheets()[name]
        if other.wraps == sheet.wraps and name != sheet.id and _face(label, other, rule, across) is not None:
            return f"use sheet = {name!r}, or {label.shorter}"
    if sheet.wraps:
        return "use flat labels as flags, such as sheet = 'avery-5167', or a file of larger ones"
    return f"give {label.shorter}, or a file with larger ones"


# -- print ------------------------------------------------------------------------------------


def _print(
    canvas: Canvas, contents: Sequence[str], version: int, faces: list[_Face], sheet: LabelSheet, skip: int, border: bool
) -> None:
    pen = Pen(canvas, {})
    size = sheet.sheet_width_um * _UM, sheet.sheet_height_um * _UM
    pairs = list(zip(range(skip, skip + len(faces)), contents, faces, strict=True))
    for _, page in groupby(pairs, key=lambda pair: pair[0] // sheet.count):
        canvas.setPageSize(size)
        if border:
            _borders(canvas, sheet, size[1])
        for number, content, face in page:
            left_um, top_um = sheet.corner_um(number % sheet.count)
            left, top = left_um * _UM, size[1] - top_um * _UM
            if face.module:
                _print_code(canvas, content, version, face, left, top - face.height / 2)
            _print_text(pen, face, left, top)
        pen.end()
    if not pairs:
        canvas.setPageSize(size)
        pen.text(36, size[1] - 48, "No labels: nothing was chosen.", 9)
        pen.end()


def _print_text(pen: Pen, face: _Face, left: float, top: float) -> None:
    """Write every copy, centered in its share of the height."""
    block = face.block
    for copy in range(face.copies):
        y = top - face.top - copy * face.height - (face.height - block.height) / 2
        for text, size, font in block.rows():
            y -= LEADING * size
            # A quarter of the line is below its baseline.
            pen.text(left + face.left, y + size / 4, text, size, font=font, color=black)


def _print_code(canvas: Canvas, content: str, version: int, face: _Face, left: float, middle: float) -> None:
    """Draw a QR code; ends of a cable with one content share its drawing."""
    across = 17 + 4 * version
    name = f"code-{content.encode().hex()}"
    if not canvas.hasForm(name):
        canvas.beginForm(name)
        runs = dark_runs(qr_modules(content, version))
        # All runs in one path, in units of a module: no gaps between them.
        rectangles = "\n".join(f"{column} {across - 1 - row} {length} 1 re" for row, column, length in runs)
        canvas.addLiteral(f"0 g\n{rectangles}\nf")
        canvas.endForm()
    canvas.saveState()
    canvas.translate(left + face.quiet, middle - across / 2 * face.module)
    canvas.scale(face.module, face.module)
    canvas.doForm(name)
    canvas.restoreState()


def _borders(canvas: Canvas, sheet: LabelSheet, height: float) -> None:
    canvas.setLineWidth(0.3)
    for number in range(sheet.count):
        left, top = sheet.corner_um(number)
        y = height - (top + sheet.height_um) * _UM
        canvas.rect(left * _UM, y, sheet.width_um * _UM, sheet.height_um * _UM)
        if sheet.wraps:
            y += sheet.tail_um * _UM
            canvas.line(left * _UM, y, (left + sheet.width_um) * _UM, y)
