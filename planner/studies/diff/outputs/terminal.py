"""What the terminal shows of a difference: counts, what comes first, and where the rest is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from planner.core.names import shown
from planner.studies.diff.outputs._facts import bill_rows, by_step, counts, facts
from planner.studies.diff.result import Comparison
from planner.view.schedule import changes

_EACH = 8
"""Changes of devices and of cables that are shown."""


def lines(found: Comparison, written: Sequence[Path] = ()) -> list[str]:
    """Return the summary for people, line by line, safe to print."""
    see = f"see {written[1]}" if len(written) > 1 else "--out DIR writes them all"
    listed = [f"{name:<11} {text}" for name, text in facts(found)]
    listed += ["", f"{'':<11} {'devices':>9} {'cables':>9}"]
    listed += [f"{kind:<11} {devices:>9} {cables:>9}" for kind, devices, cables in counts(found)]
    listed += [*_devices(found, see), *_cables(found, see), *_work(found)]
    if rows := bill_rows(found):
        listed += ["", "Bill of the change"]
        listed += [f"  {price:>14}  {quantity:>7} x {what}" for _, what, quantity, _, price in rows]
    listed += [f"note        {note}" for note in found.notes]
    listed += [f"wrote       {path}" for path in written]
    return [shown(line).rstrip() for line in listed]


def _devices(found: Comparison, see: str) -> Iterator[str]:
    changed = found.found.changed_devices
    if changed:
        yield ""
        yield "Devices"
    for each in changed[:_EACH]:
        names = each.old if each.old == each.new else " → ".join(filter(None, (each.old, each.new)))
        places = " → ".join(dict.fromkeys(filter(None, (each.old_place, each.new_place))))
        yield f"  {each.kind:<10} {names}: {places}"
    if len(changed) > _EACH:
        yield f"  … and {len(changed) - _EACH:,} more; {see}"


def _cables(found: Comparison, see: str) -> Iterator[str]:
    changed = changes(found.found)
    if changed:
        yield ""
        yield "Cables"
    for each in changed[:_EACH]:
        numbers = " → ".join(str(row.number) for row in (each.old, each.new) if row is not None)
        yield f"  {each.kind:<12} {numbers}: {each.what}"
    if len(changed) > _EACH:
        yield f"  … and {len(changed) - _EACH:,} more; {see}"


def _work(found: Comparison) -> Iterator[str]:
    if found.actions:
        yield ""
        yield "Work order"
    for _, title, own in by_step(found):
        places = len({action.cabinet for action in own})
        yield f"  {len(own):>6,}  {title}, in {places:,} cabinet{'s' * (places > 1)}"
