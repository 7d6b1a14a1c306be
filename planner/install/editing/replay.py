"""The steps of a log made again, which restores the session that wrote them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from planner.install.editing.counting import BASIS
from planner.install.editing.moves import Move, moved, title_of
from planner.install.editing.session import Session
from planner.install.editing.variants import Variants


def key_of(session: Session) -> str:
    """Return what names a plan in its log: devices, connections, room and places at the start."""
    plan = session.plan
    text = "".join((plan.inventory.fingerprint, plan.room.fingerprint, plan.placement.fingerprint))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def replay(entries: Iterable[dict[str, Any]], session: Session, variants: Variants) -> int:
    """Make the steps of a log again, count once in the end, and return the number of steps.

    Raises
    ------
    InputError
        When a step is impossible, or the files of a variant are missing or damaged.
    """
    count = 0
    for entry in entries:
        do, count = entry.get("do"), count + 1
        if do == "move":
            after, steps = session.layout, [Move.of(each) for each in entry.get("moves", ())]
            for each in steps:
                after = moved(session.floor, after, each)
            session.retrace(title_of(steps), after)
        elif do in ("undo", "redo"):
            session.retrace_history(do)
        elif do == "variant":
            variants.restore(str(entry.get("name")), str(entry.get("kind")))
        elif do == "take":
            places = variants.layout(entry.get("name")).places
            session.retrace(f"variant {entry.get('name')}", replace(session.layout, places=places))
    if len(session.layout.moved_since(variants.start)):
        session.recount(BASIS)
    return count
