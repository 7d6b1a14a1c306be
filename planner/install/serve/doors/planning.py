"""Planning in the browser: moves and their consequences, variants, what-if, improvements, saving."""

from __future__ import annotations

import json
from typing import Any

from planner.core.errors import Infeasible, InputError, Problem
from planner.install.editing import view
from planner.install.editing.desk import NOW, START, Desk
from planner.install.serve.desks import Open, changing, desk_of
from planner.install.serve.door import Answer, Call, Denied, Door
from planner.install.serve.pages import page
from planner.install.serve.served import Served


def newer(served: Served, call: Call) -> dict[str, bool]:
    """Return whether the plan in the folder is another one than that of the desk."""
    return {"newer": served.kept(Open).is_newer}


def renewed(served: Served, call: Call) -> dict[str, Any]:
    """Open the plan as it is in the folder now, and return what became of moves and variants."""
    found = served.kept(Open).renew()
    served.journal.note(call.crew, "planning: the new plan is opened")
    aside = "" if found.aside is None else found.aside.name
    return {"aside": aside, "carried": found.carried, "left": [{"name": name, "reason": reason} for name, reason in found.left]}


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
    return view.floor(desk_of(served, call).session)


def state(served: Served, call: Call) -> dict[str, Any]:
    """Return the layout and its figures."""
    desk = desk_of(served, call)
    with desk.lock:
        return view.state(desk)


def _stepped(served: Served, call: Call, step: Any) -> dict[str, Any]:
    """Make a step and return what it changes; what nothing reaches is a conflict with the rules, not a wrong request."""
    desk = changing(served, call)
    with desk.lock:
        before = desk.version
        try:
            delta = step(desk)
        except Infeasible as error:
            raise Denied(409, Problem("move", str(error), "choose another place")) from None
        found = view.change(desk, delta, before)
    served.journal.note(call.crew, f"planning: {delta.title}")
    return found


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


def near_misses(served: Served, call: Call) -> dict[str, Any]:
    """Return the moves that near misses propose."""
    desk = desk_of(served, call)
    with desk.lock:
        return view.near_misses(desk)


def accept(served: Served, call: Call) -> dict[str, Any]:
    """Make the move that a near miss proposes."""
    given = table(call)
    number, by = given.get("number"), given.get("by")
    if not isinstance(number, int) or isinstance(number, bool) or by not in ("unit", "slot"):
        raise InputError(Problem("number", "is no near miss", 'send {"number": 0, "by": "unit"}'))
    return _stepped(served, call, lambda desk: desk.accept(number, by))


def variants(served: Served, call: Call) -> dict[str, Any]:
    """Return the variants and revisions, or the difference of two of them."""
    desk = desk_of(served, call)
    if "a" not in call.query and "b" not in call.query:
        return view.variants(desk)
    return view.difference(desk.compare(call.query.get("a", START), call.query.get("b", NOW)))


def side_by_side(served: Served, call: Call) -> dict[str, Any]:
    """Return the figures of some variants and revisions."""
    try:
        names = json.loads(call.query.get("names", ""))
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, list):
        raise InputError(Problem("names", "is no list in JSON", 'write names=["now","start"]'))
    return view.side_by_side(desk_of(served, call).side_by_side(names))


def change_variants(served: Served, call: Call) -> dict[str, Any]:
    """Keep the layout or the last what-if plan as a variant, go to a variant, or save one as a study."""
    given = table(call)
    desk, name, do = desk_of(served, call), given.get("name"), given.get("do")
    if do == "take":
        return _stepped(served, call, lambda desk: desk.take(name))
    if do == "save":
        saved = desk.save_variant(name).name
        served.journal.note(call.crew, f"planning: a variant is saved as {saved}")
        return {"saved": saved}
    if do not in ("keep", "keep-result"):
        raise InputError(Problem("do", f"{do!r:.40} is no step", "send keep, keep-result, take or save"))
    (desk.keep if do == "keep" else desk.keep_result)(name)
    served.journal.note(call.crew, "planning: a variant is kept")
    return view.variants(desk)


def what_if(served: Served, call: Call) -> dict[str, Any]:
    """Start a plan with some switches."""
    return changing(served, call).work.what_if(call.json()).plain()


def what_if_found(served: Served, call: Call) -> dict[str, Any]:
    """Return the figures of the last what-if next to those of the layout as it is now."""
    desk = desk_of(served, call)
    return {"work": desk.work.plain(), **view.side_by_side(desk.with_result())}


def improve(served: Served, call: Call) -> dict[str, Any]:
    """Start a search from the layout as it is."""
    return changing(served, call).work.improve().plain()


def work(served: Served, call: Call) -> dict[str, Any]:
    """Return how far the long work is; a full count that ended is taken over."""
    desk = desk_of(served, call)
    adopted = desk.work.adopt()
    found = {"work": desk.work.plain(), "adopted": adopted, "places": None}
    if desk.work.job is not None and desk.work.job.kind == "improve" and desk.work.job.places is not None:
        found["places"] = desk.work.job.places.slot.tolist()
    return found | ({"state": view.state(desk)} if adopted else {})


def stop(served: Served, call: Call) -> dict[str, Any]:
    """End the long work."""
    desk = desk_of(served, call)
    desk.work.stop()
    return {"work": desk.work.plain()}


def best(served: Served, call: Call) -> dict[str, Any]:
    """Take over the best layout of the search."""
    return _stepped(served, call, Desk.best)


def count(served: Served, call: Call) -> dict[str, Any]:
    """Start a full count."""
    return changing(served, call).work.count().plain()


def save(served: Served, call: Call) -> dict[str, Any]:
    """Save the layout; return the name of the file or folder, which is next to the plan."""
    desk = desk_of(served, call)
    path = desk.save(table(call).get("as"))
    served.journal.note(call.crew, f"planning: saved as {path.name}")
    return {"saved": str(path.relative_to(desk.folder))}


ROUTES = [
    Door("GET", "/planning", shown),
    Door("GET", "/api/planning/newer", newer),
    Door("POST", "/api/planning/newer", renewed, "planner", threads="heavy"),
    Door("GET", "/api/planning/floor", floor, threads="heavy"),
    Door("GET", "/api/planning/state", state),
    Door("POST", "/api/planning/moves", moves, "planner"),
    Door("POST", "/api/planning/undo", undo, "planner"),
    Door("POST", "/api/planning/redo", redo, "planner"),
    Door("GET", "/api/planning/near-misses", near_misses, threads="heavy"),
    Door("POST", "/api/planning/near-misses", accept, "planner", threads="heavy"),
    Door("GET", "/api/planning/variants", variants, threads="heavy"),
    Door("POST", "/api/planning/variants", change_variants, "planner", threads="heavy"),
    Door("GET", "/api/planning/side-by-side", side_by_side, threads="heavy"),
    Door("POST", "/api/planning/what-if", what_if, "planner", threads="heavy"),
    Door("GET", "/api/planning/what-if", what_if_found, threads="heavy"),
    Door("POST", "/api/planning/improve", improve, "planner", threads="heavy"),
    Door("GET", "/api/planning/improve", work),
    Door("DELETE", "/api/planning/improve", stop, "planner"),
    Door("POST", "/api/planning/improve/best", best, "planner"),
    Door("POST", "/api/planning/count", count, "planner", threads="heavy"),
    Door("POST", "/api/planning/save", save, "planner", threads="heavy"),
]
