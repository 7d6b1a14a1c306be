"""Tables of all phases, in words: the same on the terminal, on paper and on the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from planner.studies.diff import Comparison
from planner.studies.phased.plans import Phases
from planner.studies.phased.steps import PhaseStep
from planner.view.figures import grouped, money
from planner.view.schedule import ADDED, MOVED, REMOVED, REPLUGGED

TITLE = "A machine in phases"

COUNTED = (
    "The first phase counts devices, cabinets, cables, labels and labor of its bill; each later phase what its change buys "
    "at the prices of its plan, and the labor of its plugs. Spares and energy are not counted, nor is the labor of moving a "
    "device, for which the rates have no time."
)

ALONE = (
    "Alone: each phase is planned with the same network in the empty room, its devices keep their names, and what that plan "
    "has in other places or ports is moved in the step. Removed cables are used again in both cases where the study allows it."
)

MOVES = (
    "At least: proven minimum for a network of the same algebraic connectivity. By ports: for one with as many links among new "
    "routers. Links up: the minimum while the crew works, and before the step."
)

QUALITY = "In brackets: the network of the phase as it would be built alone, such as the member of its family."


@dataclass(frozen=True)
class Text:
    """A table of text.

    Attributes
    ----------
    key, title
        Name and title.
    columns
        Titles of the columns; the first is the phase, all others are figures.
    rows
        Cells.
    notes
        What to know about the table.
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    notes: list[str] = field(default_factory=list)


def tables(found: Phases) -> Iterator[Text]:
    """Yield all tables but those of the windows."""
    yield _machine(found)
    if len(found.steps) > 1:
        yield _moves(found)
    yield _quality(found)
    if found.placed is not None:
        yield _lengths(found)
        yield _costs(found)


def _value(step: PhaseStep, name: str) -> int | None:
    entry = step.plan.quantities.get(name)
    return None if entry is None else entry["value"]


def _machine(found: Phases) -> Text:
    figures = {
        "routers": "routers", "endpoints": "endpoints", "links": "links", "cabinets": "cabinets", "cables": "cables",
    }  # fmt: skip
    columns = [name for name, key in figures.items() if _value(found.steps[0], key) is not None]
    rows = []
    for step in found.steps:
        cells = [grouped(_value(step, figures[name]) or 0) for name in columns]
        power = _value(step, "power_mw")
        rows.append((step.name, *cells, *(() if power is None else (grouped(power / 1e6, 1),))))
    return Text("phases", "Phases", ("phase", *columns, *(("power kW",) if len(rows[0]) > len(columns) + 1 else ())), rows)


def _moves(found: Phases) -> Text:
    rows = []
    for row, step in zip(list(found.growth.rows())[1:], found.steps[1:], strict=True):
        work, change = step.windows, step.change
        if work is None or change is None:
            continue
        counts = [grouped(row[name]) for name in ("kept", "moved", "bound_quality", "bound_ports", "added")]
        up = f"{grouped(int(work.up.min()))} ({grouped(change.old.link_count)})"
        rows.append((step.name, *counts, grouped(work.count), up))
    columns = ("phase", "links kept", "moved", "at least", "by ports", "added", "windows", "links up")
    return Text("moves", "What each step moves", columns, rows, [MOVES])


def _quality(found: Phases) -> Text:
    forms = {"diameter": ",d", "mean_hops": ".3f", "cut": ",d", "throughput": ".3f"}
    kept = [name for name in forms if next(iter(found.growth.rows()))[name] is not None]
    rows = []
    for row in found.growth.rows():
        cells = (
            " ".join(
                ("–" if row[name] is None else format(row[name], forms[name]), f"({_ideal(row[f'{name}_ideal'], forms[name])})")
            )
            for name in kept
        )
        rows.append((row["phase"], *cells))
    titles = {"diameter": "diameter", "mean_hops": "mean hops", "cut": "bisection", "throughput": "throughput"}
    return Text("quality", "The network of each phase", ("phase", *(titles[name] for name in kept)), rows, [QUALITY])


def _ideal(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _lengths(found: Phases) -> Text:
    rows = []
    for step in found.steps:
        cells = [grouped((step.link_mm or 0) / 1000)]
        if step.loss_percent is not None:
            other = (step.link_mm or 0) / (1 + step.loss_percent / 100)
            cells += [grouped(other / 1000), f"{step.loss_percent:+.1f}"]
        rows.append((step.name, *cells))
    columns = ("phase", "links m", "alone m", "loss %")[: len(rows[0])]
    notes = [ALONE] if len(columns) > 2 else []
    return Text("lengths", "Run length of the links", columns, rows, notes)


def _costs(found: Phases) -> Text:
    currency = found.plans[-1].bill.currency if found.plans[-1].bill is not None else ""
    has_alone = bool(found.alone)
    rows = []
    for step in found.steps:
        cells = ["–" if step.cost_cents is None else money(step.cost_cents), *_work(step, step.difference)]
        if has_alone:
            cells += [
                "–" if step.alone_cents is None else money(step.alone_cents),
                *_work(step, step.alone_difference, short=True),
            ]
        rows.append((step.name, *cells))
    if found.cost_cents is not None:
        total = ["all", money(found.cost_cents), "", "", "", "", ""]
        if found.alone_cents is not None:
            total += [money(found.alone_cents), "", ""]
        rows.append(tuple(total))
    columns = ["phase", f"cost {currency}".strip(), "cables bought", "re-plugged", "used again", "left over", "plugs"]
    columns += ["alone", "devices moved", "plugs alone"] if has_alone else []
    return Text("costs", "Cost of each step", tuple(columns), rows, [COUNTED, *([ALONE] if has_alone else [])])


def _work(step: PhaseStep, difference: Comparison | None, *, short: bool = False) -> list[str]:
    """Return cables bought, re-plugged, used again and left over, and plugs handled; or devices moved and plugs handled."""
    if difference is None:
        plugs = 0 if step.plan.cables is None else 2 * step.plan.cables.cable_count
        return ["0", grouped(plugs)] if short else [grouped(_value(step, "cables") or 0), "0", "0", "0", grouped(plugs)]
    count = difference.found.count
    plugs = sum(sum(action.plugs) for action in difference.actions)
    if short:
        return [grouped(count(MOVED)[0]), grouped(plugs)]
    used = len(difference.reuse)
    return [
        grouped(count(ADDED)[1] - used),
        grouped(count(REPLUGGED)[1]),
        grouped(used),
        grouped(count(REMOVED)[1] - used),
        grouped(plugs),
    ]


def changed(difference: Comparison) -> dict[str, int]:
    """Return the number of devices and cables of each kind, and of re-used cables and plugs."""
    count = difference.found.count
    kinds = {"moved": MOVED, "replugged": REPLUGGED, "removed": REMOVED, "added": ADDED}
    return {
        **{f"devices_{name}": count(kind)[0] for name, kind in kinds.items() if kind != REPLUGGED},
        **{f"cables_{name}": count(kind)[1] for name, kind in kinds.items()},
        "cables_reused": len(difference.reuse),
        "plugs": sum(sum(action.plugs) for action in difference.actions),
    }
