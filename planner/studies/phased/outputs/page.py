"""All phases as a web page, one file that opens from disk: tables, the floor by phase, and links to the plans and steps."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from urllib.parse import quote

from planner.core.names import shown
from planner.hall.scene import palette
from planner.hall.scene.svg import svg
from planner.studies.phased.outputs._floor import floor
from planner.studies.phased.outputs._tables import TITLE, Text, tables
from planner.studies.phased.plans import Phases

FILE = "phases.html"

_SCALE = 100
"""Denominator of the scale of the drawing; the page fits it to its width."""

_STYLE = """
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
header { padding: 8px 20px; background: var(--paper); border-bottom: 1px solid var(--rule); }
h1 { margin: 0; font-size: 18px; color: var(--accent); }
h2 { margin: 0 0 6px; font-size: 15px; color: var(--accent); }
main { padding: 12px 20px 40px; max-width: 1200px; }
section { margin-bottom: 22px; overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th { padding: 3px 14px 3px 0; text-align: left; color: var(--accent); border-bottom: 1px solid var(--accent); }
td { padding: 3px 14px 3px 0; border-bottom: 1px solid var(--rule); white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
p { color: var(--muted); max-width: 860px; margin: 6px 0; }
a { color: var(--accent); }
figure { margin: 0; border: 1px solid var(--rule); border-radius: 4px; overflow: hidden; background: #fff; }
figure svg { display: block; width: 100%; height: auto; }
"""


def write(found: Phases, path: Path) -> None:
    """Write the page; it loads no other files."""
    path.write_text(_page(found), encoding="utf-8", newline="\n")


def _page(found: Phases) -> str:
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    drawing = svg(floor(found), _SCALE).partition("\n")[2]
    body = "\n".join((*map(_table, tables(found)), _links(found)))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<title>{_text(f"{TITLE}: {found.title}")}</title>\n'
        f'<link rel="icon" href="data:,">\n<style>\n{palette.css()}\n{_STYLE}</style>\n</head>\n<body>\n'
        f"<header><h1>{_text(found.title)}</h1></header>\n<main>\n{body}\n"
        f'<section><h2>Cabinets by phase</h2><figure id="floor">{drawing}</figure></section>\n</main>\n</body>\n</html>\n'
    )


def _table(table: Text) -> str:
    head = "".join(f"<th{' class=number' if place else ''}>{_text(name)}</th>" for place, name in enumerate(table.columns))
    rows = "\n".join(
        f"<tr>{''.join(f'<td{_number(place)}>{_text(cell)}</td>' for place, cell in enumerate(row))}</tr>" for row in table.rows
    )
    notes = "".join(f"<p>{_text(note)}</p>" for note in table.notes)
    return (
        f'<section id="{table.key}"><h2>{_text(table.title)}</h2><table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n'
        f"</tbody></table>{notes}</section>"
    )


def _number(place: int) -> str:
    return " class=number" if place else ""


def _links(found: Phases) -> str:
    """Return links to the web page of each plan, where the study has one, and of each step."""
    return f"<section><h2>Plans and steps</h2><ul>{''.join(_entries(found))}</ul></section>"


def _entries(found: Phases) -> Iterator[str]:
    for number, (name, plan) in enumerate(zip(found.names, found.plans, strict=True)):
        if number:
            step = f"{found.names[number - 1]}-{name}"
            yield f'<li><a href="{quote(step)}/difference.html">{_text(f"from {found.names[number - 1]} to {name}")}</a></li>'
        formats = plan.study.get("report", {}).get("formats", ())
        page = f"{quote(name)}/{quote(plan.name)}.html" if "html" in formats else f"{quote(name)}/"
        yield f'<li><a href="{page}">{_text(f"plan of {name}")}</a></li>'


def _text(text: str) -> str:
    """Return a text for the page; control characters and those that reorder text are replaced."""
    return escape(shown(text))
