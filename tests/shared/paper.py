"""What a reader of a printed report sees, taken back from the file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2

from planner.domain.model import Plan
from planner.formats import write


@dataclass(frozen=True)
class Paper:
    """The text of every page, the pages of every chapter, and texts that leave the margins or overlap another.

    Chapters may begin in the middle of the last page of the one before; such a page belongs to both.
    """

    pages: tuple[str, ...]
    chapters: dict[str, range]
    faults: tuple[str, ...]

    def chapter(self, title: str) -> str:
        return "\n".join(self.pages[page] for page in self.chapters[title])


def read(path: Path) -> Paper:
    document = pypdfium2.PdfDocument(path)
    texts, faults = [], []
    for page in document:
        text = page.get_textpage()
        texts.append(text.get_text_range().replace("\xa0", " ").replace("\r\n", "\n"))
        boxes = np.array([text.get_rect(number) for number in range(text.count_rects())]).reshape(-1, 4)
        wrong = outside(boxes, *page.get_size()) | overlapping(boxes)
        faults += [f"page {len(texts)}: {text.get_text_bounded(*box)}" for box in boxes[wrong]]
    marks = [(mark.get_title(), mark.get_dest()) for mark in document.get_toc() if mark.level == 0]
    starts = [(title, dest.get_index()) for title, dest in marks]
    # The end of the previous chapter is above a mark that is not at the top of its page.
    below = [dest.get_view()[1][0] < document[dest.get_index()].get_height() - 90 for _, dest in marks]
    ends = [start + lower for (_, start), lower in zip(starts[1:], below[1:], strict=True)] + [len(texts)]
    chapters = {title: range(start, max(end, start + 1)) for (title, start), end in zip(starts, ends, strict=True)}
    document.close()
    return Paper(tuple(texts), chapters, tuple(faults))


def outside(boxes: np.ndarray, width: float, height: float) -> np.ndarray:
    """Which texts leave the margins, bool (N,); boxes are left, bottom, right, top in points (N, 4)."""
    left, bottom, right, top = boxes.T
    return (left < 30) | (bottom < 20) | (right > width - 30) | (top > height - 20)


def overlapping(boxes: np.ndarray, touching: float = 0.4) -> np.ndarray:
    """Return which texts overlap another by more than `touching` points, bool (N,)."""
    low, high = boxes[:, :2], boxes[:, 2:]
    common = np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])
    overlaps = (common > touching).all(axis=2)
    np.fill_diagonal(overlaps, False)
    return overlaps.any(axis=1)


def printed(plan: Plan, folder: Path, **options) -> Paper:
    return read(write(plan, folder, "pdf", **options))
