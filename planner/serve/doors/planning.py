"""Planning in the browser: moves and their consequences, variants, what-if, improvements, saving."""

from __future__ import annotations

from typing import Any

from planner.errors import Infeasible, InputError, Problem
from planner.planning import view
from planner.planning.desk import NOW, START, Desk
from planner.serve.door import Answer, Call, Denied, Door
from planner.serve.pages import page
from planner.serve.served import Served


class Open:
    """The desk of the served plan, opened when it is first needed."""

    def __init__(self, served: Served):
        path = served.planned.path
        if served.planned.plan is None or not (path / "study.toml").is_file():
            raise Denied(404, Problem("plan", "only a schedule is served, which nobody can edit", "serve the folder of the plan"))
        self.desk = Desk.open(path)


def desk_of(served: Served) -> Desk:
    """Return the desk of the served plan."""
    return served.kept(Open).desk


def table(call: Call) -> dict[str, Any]:
    """Return the body as a table.

    Raises
    ------
    InputError
        When it is none.
    """
    found = call.json()
    if not isinstance(found, dict):
        raise InputError(Problem("body", "is no table", "send an object"))
    return found


def shown(served: Served, call: Call) -> Answer:
    """Return the page of the planner."""
    return page("planning")


def floor(served: Served, call: Call) -> dict[str, Any]:
    """Return what does not change while devices move."""
    return view.floor(desk_of(served).session)


def state(served: Served, call: Call) -> dict[str, Any]:
    """Return the layout and its figures."""
    return view.state(desk_of(served))


def _stepped(served: Served, call: Call, step: Any) -> dict[str, Any]:
    """Make a step and return what it changes; what nothing reaches is a conflict with the rules, not a wrong request."""
    desk = desk_of(served)
    try:
        delta = step(desk)
    except Infeasible as error:
        raise Denied(409, Problem("move", str(error), "choose another place")) from None
    served.journal.note(call.crew, f"planning: {delta.title}")
    return view.change(desk, delta)


def moves(served: Served, call: Call) -> dict[str, Any]:
    """Make moves as one step."""
    given = table(call).get("moves")
    return _stepped(served, call, lambda desk: desk.move(given))


def undo(served: Served, call: Call) -> dict[str, Any]:
    """Take back the last step."""
    return _stepped(served, call, Desk.undo)


def redo(served: Served, call: Call) -> dict[str, Any]:
    """Make the step again that was undone last."""
    return _stepped(served, call, Desk.redo)


def accept(served: Served, call: Call) -> dict[str, Any]:
    """Make the move that a near miss proposes."""
    given = table(call)
    number, by = given.get("number"), given.get("by")
    if not isinstance(number, int) or isinstance(number, bool) or by not in ("unit", "slot"):
        raise InputError(Problem("number", "is no near miss", 'send {"number": 0, "by": "unit"}'))
    return _stepped(served, call, lambda desk: desk.accept(number, by))


def variants(served: Served, call: Call) -> dict[str, Any]:
    """Return the names of the variants, or the difference of two of them."""
    desk = desk_of(served)
    if "a" not in call.query and "b" not in call.query:
        return {"variants": [*desk.variants]}
    return view.difference(desk.compare(call.query.get("a", START), call.query.get("b", NOW)))


def keep_variant(served: Served, call: Call) -> dict[str, Any]:
    """Keep the layout as a variant, or go to one."""
    given = table(call)
    desk, name = desk_of(served), given.get("name")
    if given.get("take"):
        return _stepped(served, call, lambda desk: desk.take(name))
    desk.keep(name)
    served.journal.note(call.crew, "planning: a variant is kept")
    return {"variants": [*desk.variants]}


def what_if(served: Served, call: Call) -> dict[str, Any]:
    """Start a plan with some switches."""
    return desk_of(served).what_if(call.json()).plain()


def what_if_found(served: Served, call: Call) -> dict[str, Any]:
    """Return the figures of the last what-if next to those of the plan as it was counted last."""
    desk = desk_of(served)
    return {"work": desk.job.plain() if desk.job else None, "quantities": view.quantities(desk.counted(), desk.result())}


def improve(served: Served, call: Call) -> dict[str, Any]:
    """Start a search from the layout as it is."""
    return desk_of(served).improve().plain()


def work(served: Served, call: Call) -> dict[str, Any]:
    """Return how far the long work is; a full count that ended is taken over."""
    desk = desk_of(served)
    adopted = desk.adopt()
    found = {"work": desk.job.plain() if desk.job else None, "adopted": adopted, "places": None}
    if desk.job is not None and desk.job.kind == "improve" and desk.job.places is not None:
        found["places"] = desk.job.places.slot.tolist()
    return found | ({"state": view.state(desk)} if adopted else {})


def stop(served: Served, call: Call) -> dict[str, Any]:
    """End the long work."""
    desk = desk_of(served)
    desk.stop()
    return {"work": desk.job.plain() if desk.job else None}


def best(served: Served, call: Call) -> dict[str, Any]:
    """Take over the best layout of the search."""
    return _stepped(served, call, Desk.best)


def count(served: Served, call: Call) -> dict[str, Any]:
    """Start a full count."""
    return desk_of(served).count().plain()


def save(served: Served, call: Call) -> dict[str, Any]:
    """Save the layout; return the name of the file or folder, which is next to the plan."""
    path = desk_of(served).save(table(call).get("as"))
    served.journal.note(call.crew, f"planning: saved as {path.name}")
    folder = served.planned.path
    return {"saved": str(path.relative_to(folder) if path.is_relative_to(folder) else path.name)}


ROUTES = [
    Door("GET", "/planning", shown),
    Door("GET", "/api/planning/floor", floor),
    Door("GET", "/api/planning/state", state),
    Door("POST", "/api/planning/moves", moves, "planner"),
    Door("POST", "/api/planning/undo", undo, "planner"),
    Door("POST", "/api/planning/redo", redo, "planner"),
    Door("POST", "/api/planning/near-misses", accept, "planner"),
    Door("GET", "/api/planning/variants", variants),
    Door("POST", "/api/planning/variants", keep_variant, "planner"),
    Door("POST", "/api/planning/what-if", what_if, "planner"),
    Door("GET", "/api/planning/what-if", what_if_found),
    Door("POST", "/api/planning/improve", improve, "planner"),
    Door("GET", "/api/planning/improve", work),
    Door("DELETE", "/api/planning/improve", stop, "planner"),
    Door("POST", "/api/planning/improve/best", best, "planner"),
    Door("POST", "/api/planning/count", count, "planner"),
    Door("POST", "/api/planning/save", save, "planner"),
]
