"""Comparison as a self-contained web page: sortable tables, Pareto fronts, floors side by side, light and dark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from string import Template

from planner import __version__
from planner.hall.scene import palette
from planner.hall.scene.plan import fill_layer
from planner.hall.scene.svg import svg
from planner.studies.compare.entries import Entry
from planner.studies.compare.measures import Group, Measure, best, groups, summary
from planner.studies.compare.outputs.json import content
from planner.studies.compare.outputs.svg import drawing
from planner.studies.compare.running import Result
from planner.studies.compare.table import introduction, verdicts
from planner.view.cabinets import cabinets
from planner.view.floor import plan_scene

_SCALE = 50


def write(result: Result, path: Path) -> None:
    """Write the page; it loads no external resources, and equal comparisons give equal bytes."""
    own, web = files("planner.studies.compare.outputs"), files("planner.formats.web")
    page = Template((own / "_page.html").read_text(encoding="utf-8")).substitute(
        title=escape(result.comparison.head.title),
        version=__version__,
        introduction=escape(f"{introduction(result)}."),
        colors="\n".join([palette.css(), (web / "page.css").read_text(encoding="utf-8")]),
        styles=(own / "_page.css").read_text(encoding="utf-8"),
        script=(own / "_page.js").read_text(encoding="utf-8"),
        verdicts="\n".join(_verdicts(result)),
        tables="\n".join(_tables(result)),
        fronts=drawing(result) if len(result.done) > 1 else "<p>Fewer than two networks can be compared.</p>",
        floors="\n".join(_floors(result)),
        data=json.dumps(content(result), ensure_ascii=False, sort_keys=True).replace("<", "\\u003c"),
    )
    path.write_text(page, encoding="utf-8", newline="\n")


def _verdicts(result: Result) -> Iterator[str]:
    """Yield a paragraph for each heading of the verdicts, and lists of what is below them."""
    for below, lines in groupby(verdicts(result), key=lambda line: line.startswith(" ")):
        kind = "li" if below else "p"
        text = "".join(f"<{kind}>{escape(line.strip())}</{kind}>" for line in lines)
        yield f"<ul>{text}</ul>" if below else text


def _tables(result: Result) -> Iterator[str]:
    if not result.done:
        yield "<p>No network could be planned.</p>"
        return
    for group in [summary(result), *groups(result)]:
        yield _table(group, result.done)


def _table(group: Group, entries: list[Entry]) -> str:
    heads = "".join(_head(measure.head, measure.meaning, "number") for measure in group.measures)
    heads += "".join(_head(title, "", "") for title, _ in group.words)
    rows = []
    for entry in entries:
        cells = "".join(_cell(measure, entry, entries) for measure in group.measures)
        cells += "".join(f"<td>{escape(of(entry))}</td>" for _, of in group.words)
        rows.append(f'<tr><th scope="row">{escape(entry.label)}</th>{cells}</tr>')
    head = f"<tr>{_head('network', '', '')}{heads}</tr>"
    body = f'<table class="plain sortable"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'
    return f'<h3>{escape(group.title)}</h3><div class="wide">{body}</div>'


def _head(title: str, meaning: str, kind: str) -> str:
    about = f' title="{escape(meaning, quote=True)}"' if meaning else ""
    return f'<th scope="col" class="{kind}"{about}><button type="button">{escape(title)}</button></th>'


def _cell(measure: Measure, entry: Entry, entries: list[Entry]) -> str:
    value = measure.value(entry)
    kind = "number best" if value is not None and value == best(measure, entries) else "number"
    shown = "" if value is None else f' data-value="{value:.10g}"'
    return f'<td class="{kind}"{shown}>{measure.text(entry)}</td>'


def _floors(result: Result) -> Iterator[str]:
    """Yield the floor of each network, with unique ids of its elements."""
    for number, entry in enumerate(result.done):
        figures = entry.figures
        caption = f"{figures['cabinets']:,.0f} cabinets, {figures['stock_mm'] / 1e6:,.1f} km of cable bought"
        scene = plan_scene(entry.floor, cabinets(entry.floor), "fill").with_layers(fill_layer(entry.floor))
        text = svg(scene, _SCALE, f"floor-{number}-").partition("?>\n")[2]
        yield f"<figure>{text}<figcaption><b>{escape(entry.label)}</b> {escape(caption)}</figcaption></figure>"
