"""A difference as a web page, one file that opens from disk: both floors, changes, work order and bill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from planner.core.names import shown
from planner.hall.scene import palette
from planner.hall.scene.svg import svg
from planner.studies.diff.outputs._facts import (
    ASSUMED,
    TITLE,
    bill_rows,
    counts,
    facts,
    left_rows,
    number_of,
    place_of,
    reuse_rows,
)
from planner.studies.diff.outputs._floors import LAYERS, MOVES, Floor, floors
from planner.studies.diff.result import STEPS, Comparison
from planner.view.schedule import changes

FILE = "difference.html"

_SCALE = 100
"""Denominator of the scale of the drawings; the page fits them to its width."""


def write(found: Comparison, path: Path) -> None:
    """Write the page; it loads no other files."""
    path.write_text(_page(found), encoding="utf-8", newline="\n")


def _page(found: Comparison) -> str:
    parts = files("planner.studies.diff.outputs") / "web"
    drawn = [] if found.found.is_empty else floors(found)
    plan = found.new.titled
    return Template((parts / "page.html").read_text("utf-8")).substitute(
        title=_text(f"{TITLE}: {found.old.titled.title} → {plan.title}"),
        heading=_text(TITLE),
        styles=f"{palette.css()}\n{(parts / 'page.css').read_text('utf-8')}",
        script=(parts / "page.js").read_text("utf-8"),
        facts="".join(f"<dt>{_text(name)}</dt><dd>{_text(text)}</dd>" for name, text in facts(found)),
        notes="".join(f"<li>{_text(note)}</li>" for note in found.notes),
        counts=_table("counts", ("", "devices", "cables"), counts(found), right=(1, 2)),
        layers="".join(_layers(drawn)),
        floors="".join(map(_floor, drawn)) or f"<p>{_text(_no_floor(found))}</p>",
        tables="".join(_tables(found)),
    )


def _no_floor(found: Comparison) -> str:
    return "The plans do not differ." if found.found.is_empty else "Schedules have no floor: give the folders of both plans."


def _layers(drawn: Sequence[Floor]) -> Iterator[str]:
    """Yield a box for each layer of changes that a floor has."""
    there = {layer.name for each in drawn for layer in each.scene.layers if layer.shapes}
    for name in (MOVES, *LAYERS.values()):
        if name in there:
            style = palette.STYLES[name]
            line = f'<i style="border-color: var(--{style.stroke})" class="{"dashed" if style.dash_pt else ""}"></i>'
            yield f'<label><input type="checkbox" checked data-layer="{_text(name)}"> {line}{_text(name)}</label>'


def _floor(each: Floor) -> str:
    drawing = svg(each.scene, _SCALE, prefix=f"{each.which}-").partition("\n")[2]
    return (
        f'<figure id="floor-{each.which}"><figcaption>{_text(each.title)}: {_text(each.scene.title)}</figcaption>'
        f'<div class="drawing">{drawing}</div></figure>'
    )


def _tables(found: Comparison) -> Iterator[str]:
    devices = [tuple(each) for each in found.found.changed_devices]
    yield _section("devices", "Changed devices", ("change", "old name", "new name", "old place", "new place"), devices)
    cables = [
        (each.kind, number_of(each.old), number_of(each.new), each.what if each.new is None or each.old is None
         else f"{each.new.a} to {each.new.b}: {each.what}")
        for each in changes(found.found)
    ]  # fmt: skip
    yield _section("cables", "Changed cables", ("change", "old", "new", "difference"), cables, right=(1, 2))
    work = [
        (str(number), STEPS[each.step], each.cabinet, place_of(each), each.device, each.port, each.text, each.label,
         number_of(each.row))
        for number, each in enumerate(found.actions, 1)
    ]  # fmt: skip
    order = ("no.", "step", "cabinet", "unit", "device", "port", "what", "label", "cable")
    yield _section("work", "Work order", order, work, right=(0, 8))
    items = ("category", "item", "quantity", "unit price", "price")
    yield _section("bill", "Bill of the change", items, bill_rows(found), right=(2, 3, 4), below=ASSUMED)
    yield _section("left", "Left over", ("what", "part", "quantity"), left_rows(found), right=(2,))
    columns = ("removed", "cable", "serves as", "between")
    yield _section("reuse", "Removed cables that serve as added ones", columns, reuse_rows(found), right=(0, 2))


def _section(
    key: str, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = (), below: str = ""
) -> str:
    if not rows:
        return ""
    note = f"<p>{_text(below)}</p>" if below else ""
    count = f'<span class="count">{len(rows):,}</span>'
    is_open = " open" if len(rows) <= _OPEN else ""
    return (
        f'<details id="{key}"{is_open}><summary><h2>{_text(title)}</h2> {count}</summary>'
        f"{_table(key, columns, rows, right)}{note}</details>"
    )


_OPEN = 40
"""Tables with up to this number of rows are open at first."""


def _table(key: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    def cells(row: Sequence[str], tag: str) -> str:
        return "".join(
            f"<{tag}{' class=number' if place in right else ''}>{_text(cell)}</{tag}>" for place, cell in enumerate(row)
        )

    body = "\n".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return f'<table data-table="{key}"><thead><tr>{cells(columns, "th")}</tr></thead><tbody>\n{body}</tbody></table>'


def _text(text: str) -> str:
    """Return a text for the page; control characters and those that reorder text are replaced."""
    return escape(shown(text))
