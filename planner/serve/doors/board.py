"""The foreman's board: progress, and what is left, on paper too."""

from __future__ import annotations

from io import StringIO
from typing import Any

from planner.serve.door import Answer, Call, Door
from planner.serve.pages import page
from planner.serve.served import Served
from planner.site import remaining, summary, terminal


class Latest:
    """The board of the last events, until there are new ones."""

    def __init__(self, served: Served):
        self.seq, self.content = -1, {}  # type: int, dict[str, Any]


def shown(served: Served, call: Call) -> Answer:
    """Return the page of the foreman."""
    return page("board")


def board(served: Served, call: Call) -> dict[str, Any]:
    """Return the board; it is derived again when something was recorded."""
    latest = served.kept(Latest)
    with served.board() as own:
        if latest.seq != own.seq:
            latest.content, latest.seq = summary.content(own), own.seq
        return latest.content | {"clock": served.journal.clock}


def as_csv(served: Served, call: Call) -> Answer:
    """Return what is left as CSV, in which no text is a formula."""
    file = StringIO(newline="")
    with served.board() as own:
        terminal.list_remaining(own, file)
    return Answer(file.getvalue().encode("utf-8-sig"), "text/csv; charset=utf-8", headers=_download("remaining.csv"))


def as_pdf(served: Served, call: Call) -> Answer:
    """Return what is left on paper."""
    with served.board() as own:
        made = remaining.pdf(own, served.planned.titled)
    return Answer(made, "application/pdf", headers=_download("remaining.pdf"))


def _download(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


ROUTES = [
    Door("GET", "/board", shown),
    Door("GET", "/api/board", board),
    Door("GET", "/api/board/remaining.csv", as_csv),
    Door("GET", "/api/board/remaining.pdf", as_pdf),
]
