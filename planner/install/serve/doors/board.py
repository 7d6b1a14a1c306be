"""The foreman's board: progress, and what is left, on paper too."""

from __future__ import annotations

from io import StringIO
from typing import Any

from planner.core.errors import InputError, Problem
from planner.install.serve.door import Answer, Call, Door
from planner.install.serve.pages import page
from planner.install.serve.served import Served
from planner.install.site import outputs, remaining, replan, summary, terminal

_MEDIA = {
    ".csv": "text/csv; charset=utf-8", ".jsonl": "application/x-ndjson",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}  # fmt: skip


class Latest:
    """The board of the last events, until there are new ones."""

    follows_plan = True

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
        return latest.content | {"clock": served.journal.clock, "plan_problem": served.problem}


def give(served: Served, call: Call) -> dict[str, Any]:
    """Give tasks to other crews: ``{"tasks": {"12": 2}}``, numbers of tasks and of crews of the work order."""
    content = call.json()
    tasks = content.get("tasks") if isinstance(content, dict) else None
    if not isinstance(tasks, dict) or not all(_is_number(key) and type(crew) is int for key, crew in tasks.items()):
        raise InputError(Problem("tasks", "is not a table of tasks and crews", 'send {"tasks": {"12": 2}}'))
    with served.board() as own:
        receipt = replan.give(own, {int(key): crew for key, crew in tasks.items()}, crew=call.crew)
    return {"clock": receipt.clock, "cables": receipt.new}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8


def as_csv(served: Served, call: Call) -> Answer:
    """Return what is left as CSV, in which no text is a formula."""
    file = StringIO(newline="")
    terminal.list_remaining(served.own_board()[1], file)
    return Answer(file.getvalue().encode("utf-8-sig"), "text/csv; charset=utf-8", headers=_download("remaining.csv"))


def as_pdf(served: Served, call: Call) -> Answer:
    """Return what is left on paper."""
    planned, own = served.own_board()
    return Answer(remaining.pdf(own, planned.titled), "application/pdf", headers=_download("remaining.pdf"))


def exports(served: Served, call: Call) -> dict[str, Any]:
    """Return what can be exported: key, name of the file, and what it holds."""
    found = outputs.offered(served.planned)
    return {"exports": [[name, each.file, each.about] for name, each in found.items()]}


def export(served: Served, call: Call) -> Answer:
    """Return one of these files as it is at this moment."""
    planned, own = served.own_board()
    name, content = outputs.output(own, planned, call.parts["name"])
    served.journal.note(call.crew, f"export {name}")
    return Answer(content, _MEDIA[name[name.rfind(".") :]], headers=_download(name))


def _download(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


ROUTES = [
    Door("GET", "/board", shown),
    Door("GET", "/api/board", board),
    Door("POST", "/api/board/tasks", give, "foreman"),
    Door("GET", "/api/board/exports", exports, "foreman"),
    Door("GET", "/api/board/exports/{name}", export, "foreman", threads="heavy"),
    Door("GET", "/api/board/remaining.csv", as_csv, threads="heavy"),
    Door("GET", "/api/board/remaining.pdf", as_pdf, threads="heavy"),
]
