"""Sheets of labels, and limits of readable print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from planner.core.errors import Problem
from planner.domain.parts.row import Name, NonNegative, Positive, Row


@dataclass(frozen=True, kw_only=True)
class LabelSheet(Row):
    """A sheet of identical labels in columns and rows; lengths in µm.

    `left_um` and `top_um` are the offset of the first label from the sheet's corner, `pitch_x_um` and `pitch_y_um` the
    distance between the edges of neighboring labels. Print keeps a distance of `margin_um` from every edge. The lower
    `tail_um` of a self-laminating label are clear: they are not printed and are wrapped over the print.
    """

    title: Name
    sheet_width_um: Positive
    sheet_height_um: Positive
    columns: Positive
    rows: Positive
    width_um: Positive
    height_um: Positive
    left_um: NonNegative
    top_um: NonNegative
    pitch_x_um: Positive
    pitch_y_um: Positive
    margin_um: NonNegative
    tail_um: NonNegative = 0

    @property
    def count(self) -> int:
        """Number of labels on a sheet."""
        return self.columns * self.rows

    @property
    def wraps(self) -> bool:
        """Whether the labels are self-laminating."""
        return self.tail_um > 0

    def corner_um(self, number: int) -> tuple[int, int]:
        """Return the upper left corner of a label, from the upper left corner of the sheet.

        Parameters
        ----------
        number
            Which label, from 0, row by row.
        """
        row, column = divmod(number, self.columns)
        return self.left_um + column * self.pitch_x_um, self.top_um + row * self.pitch_y_um

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        for across, size, pitch, start, room, many in (
            ("width", self.width_um, self.pitch_x_um, self.left_um, self.sheet_width_um, self.columns),
            ("height", self.height_um, self.pitch_y_um, self.top_um, self.sheet_height_um, self.rows),
        ):
            end = start + (many - 1) * pitch + size
            if end > room:
                yield Problem(f"{across}_um", f"{many} labels end at {end} µm, the sheet at {room}", "correct pitch or count")
            if many > 1 and pitch < size:
                yield Problem(f"{across}_um", f"labels of {size} µm overlap at a pitch of {pitch}", "correct the pitch")
        if 2 * self.margin_um >= min(self.width_um, self.height_um - self.tail_um):
            yield Problem("margin_um", f"{self.margin_um} leaves no room for print", "give a smaller margin or tail")


@dataclass(frozen=True, kw_only=True)
class LabelPrint(Row):
    """Limits of readable print on labels.

    A module, the smallest square of a QR code, takes from `module_dots` to `module_dots_best` dots of a printer of
    `printer_dpi`; `quiet_modules` around the code stay white. The font size is from `text_um` to `text_best_um`.
    """

    printer_dpi: Positive
    module_dots: Positive
    module_dots_best: Positive
    quiet_modules: Positive
    text_um: Positive
    text_best_um: Positive

    @property
    def module_um(self) -> float:
        """Minimum size of a module."""
        return 25_400 * self.module_dots / self.printer_dpi

    @property
    def module_best_um(self) -> float:
        """Size beyond which a module need not grow."""
        return 25_400 * self.module_dots_best / self.printer_dpi
