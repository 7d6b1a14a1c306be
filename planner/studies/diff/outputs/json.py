"""A difference as JSON, as ``planner diff --json`` prints it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from planner.fabric.baseline import Planned
from planner.studies.diff.result import Action, Comparison
from planner.view.schedule import KINDS, REPLUGGED, SAME, CableChange, Connection, Difference

FILE = "difference.json"


def write(found: Comparison, path: Path) -> None:
    """Write the JSON."""
    path.write_text(text(found) + "\n", encoding="utf-8", newline="\n")


def text(found: Comparison) -> str:
    """Return the JSON; characters that a terminal could interpret are escaped."""
    return json.dumps(content(found), indent=1, ensure_ascii=True)


def content(found: Comparison) -> dict[str, Any]:
    """Return the difference as plain values; what stays as it is, is only counted."""
    difference, bill = found.found, found.bill
    return {
        "old": _plan(found.old),
        "new": _plan(found.new),
        "devices": _counts(difference, 0) | {"changes": [each._asdict() for each in difference.changed_devices]},
        "cables": _counts(difference, 1)
        | {"changes": [_cable(difference, each) for each in difference.cables if each.kind != SAME]},
        "lower_bound": difference.lower_bound,
        "reused_cables": len(found.reuse),
        "reuse": [
            {"old": each.old.number, "new": each.new.number, "stock_mm": each.old.stock_mm, "need_mm": each.need_mm}
            for each in found.reuse
        ],
        "cost_cents": None if bill is None else bill.cents,
        "currency": None if bill is None else bill.currency,
        "labor_s": None if bill is None else bill.labor_s,
        "bill": [] if bill is None else [
            {"category": line.category, "part": line.part, "description": line.description, "quantity": line.quantity,
             "stock_mm": line.stock_mm, "cents": line.cents}
            for line in bill.lines
        ],
        "left_over": [] if bill is None else [
            {"part": part, "what": what, "stock_mm": stock_mm, "quantity": count} for part, what, stock_mm, count in bill.removed
        ],
        "unpriced": [] if bill is None else [{"part": part, "quantity": count} for part, count in bill.unpriced],
        "work": [_action(action) for action in found.actions],
        "notes": list(found.notes),
    }  # fmt: skip


def _plan(given: Planned) -> dict[str, Any]:
    plan = given.titled
    return {"path": str(given.path), "title": plan.title or plan.name, "fingerprint": str(plan.provenance.get("plan", ""))}


def _counts(difference: Difference, which: int) -> dict[str, int]:
    return {kind: difference.count(kind)[which] for kind in KINDS}


def _cable(difference: Difference, each: CableChange) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": each.kind, "old": _row(each.old), "new": _row(each.new)}
    if each.kind == REPLUGGED and each.end is not None:
        one, other = difference.plug(each)
        found |= {"end": "ab"[each.end], "from": str(one), "to": str(other)}
    return found


def _row(row: Connection | None) -> dict[str, Any] | None:
    if row is None:
        return None
    ends = [{"cabinet": e.cabinet, "unit": e.unit, "device": e.device, "port": e.port, "label": e.label} for e in row.ends]
    return {"cable": row.number, "a": ends[0], "b": ends[1], "part": row.part, "stock_mm": row.stock_mm, "trays": row.trays}


def _action(action: Action) -> dict[str, Any]:
    found = action._asdict() | {"cable": None if action.row is None else action.row.number}
    del found["row"]
    return found
