"""What a reader of a printed report sees, taken back from the file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from planner.model import Plan
from planner.report import write


@dataclass(frozen=True)
class Paper:
    """The text of every page, the pages of every chapter, and texts that leave the margins."""

    pages: tuple[str, ...]
    chapters: dict[str, range]
    outside: tuple[str, ...]

    def chapter(self, title: str) -> str:
        return "\n".join(self.pages[page] for page in self.chapters[title])


def read(path: Path) -> Paper:
    document = pypdfium2.PdfDocument(path)
    texts, outside = [], []
    for page in document:
        text = page.get_textpage()
        texts.append(text.get_text_range().replace("\xa0", " ").replace("\r\n", "\n"))
        width, height = page.get_size()
        for number in range(text.count_rects()):
            left, bottom, right, top = text.get_rect(number)
            if left < 30 or bottom < 20 or right > width - 30 or top > height - 20:
                outside.append(text.get_text_bounded(left, bottom, right, top))
    starts = [(mark.get_title(), mark.get_dest().get_index()) for mark in document.get_toc() if mark.level == 0]
    ends = [start for _, start in starts[1:]] + [len(texts)]
    chapters = {title: range(start, max(end, start + 1)) for (title, start), end in zip(starts, ends, strict=True)}
    document.close()
    return Paper(tuple(texts), chapters, tuple(outside))


def printed(plan: Plan, folder: Path, **options) -> Paper:
    return read(write(plan, folder, "pdf", **options))
