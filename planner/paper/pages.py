"""Pages of one document drawn side by side: forked processes draw, the document takes their pages in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from planner.paper.canvas import Drawing, Pen

FRONT = 48
"""Pages that are drawn before processes are forked: with them fonts number nearly all characters that are not ASCII."""

CHUNK = 48
"""Pages of a task, about a fifth of a second: a core that becomes free late still helps, and a fork takes a tenth of that."""


@dataclass(frozen=True)
class Pages:
    """The pages of a document, in their order.

    A page shares with others the characters that fonts number, repeated drawings, links and marks. A forked process returns
    what a page adds to these, and the document adds it again in the order of the pages: it has the same bytes as without
    processes. A page with a character that fonts had not numbered at the fork is drawn again.

    Attributes
    ----------
    pen
        Pen of the document.
    count
        Number of pages.
    draw
        Draws a page of this number, from 1.
    """

    pen: Pen
    count: int
    draw: Callable[[int], None]

    def each(self, side_by_side: Callable[..., Iterable[Any]]) -> Iterator[int]:
        """Yield the number of each page once it is in the document.

        Parameters
        ----------
        side_by_side
            Applies a function to several parts on copies of this process, which have the pages in memory, and yields the results
            in their order; `map` to draw all in this process.
        """
        front = self.count if side_by_side is map or self.count <= FRONT + CHUNK else FRONT
        for page in range(1, front + 1):
            self.draw(page)
            self.pen.end()
            yield page
        if front == self.count:
            return
        chunks = [range(first, min(first + CHUNK, self.count + 1)) for first in range(front + 1, self.count + 1, CHUNK)]
        for chunk, drawings in zip(chunks, side_by_side(self._drawn, chunks), strict=True):
            for page, drawing in zip(chunk, drawings, strict=True):
                if drawing is None:
                    self.draw(page)
                    self.pen.end()
                else:
                    self.pen.replay(drawing)
                yield page

    def _drawn(self, chunk: range) -> list[Drawing | None]:
        """Draw pages in a process of their own; None from the first on for which fonts number other characters than before."""
        known, found = self.pen.numbered, list[Drawing | None]()
        for page in chunk:
            drawing = self.pen.recorded(partial(self.draw, page))
            found.append(drawing if self.pen.numbered == known else None)
        return found
