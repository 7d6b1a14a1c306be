"""Web page of the whole plan, one file that opens from disk: floor, elevations, ports, cables, charts, tables."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

from planner.model import Plan
from planner.quantities import QUANTITIES
from planner.report._figures import grouped, key_figures, readable
from planner.report._web.content import content
from planner.scene import palette

ENDING = ".html"

_STYLES = ("page", "views", "phone", "print")
"""Style sheets in their order."""

_THREE = {"three-core": "three.core.min.js", "three": "three.module.min.js", "three-orbit": "OrbitControls.js"}
"""Files of three.js by the names of their elements."""

_CLOSING = re.compile(r"<(?=!--|/?script)", re.IGNORECASE)
_IMPORT = re.compile(r'(?<=from ")\./(?=[\w-]+\.js";)')


def write(plan: Plan, path: Path) -> None:
    """Write the page; it loads no other files, and equal plans give equal bytes.

    A partial plan has a page too; missing parts are left out.
    """
    path.write_text(page(plan), encoding="utf-8", newline="\n")


def page(plan: Plan) -> str:
    """Return the HTML of the page: one text with styles, scripts, libraries and data."""
    from bokeh.resources import Resources

    tables, parts = files("itables") / "html", files("planner.report._web")
    charts = "\n".join(Resources(mode="inline", log_level="warn", components=["bokeh", "bokeh-api"]).js_raw)
    three = parts / "third_party" / "three"
    libraries = {"charts-library": charts, "tables-library": (tables / "dt_bundle.js").read_text("utf-8")}
    libraries |= {f"{name}-library": (three / file).read_text("utf-8") for name, file in _THREE.items()}
    return Template((parts / "page.html").read_text(encoding="utf-8")).substitute(
        title=escape(plan.title or plan.name),
        name=escape(plan.name),
        fingerprint=escape(str(plan.provenance.get("plan", ""))),
        version=escape(str(plan.provenance.get("planner", ""))),
        table_styles=(tables / "dt_bundle.css").read_text(encoding="utf-8"),
        styles="\n".join([palette.css(), *((parts / f"{name}.css").read_text("utf-8") for name in _STYLES)]),
        key_figures=_key_figures(plan),
        figures=_figures(plan),
        libraries="\n".join(
            f'<script type="text/plain" id="{name}">{_deflated(text)}</script>' for name, text in libraries.items()
        ),
        # Inside a script element only "<" could end or comment it out.
        data=json.dumps(content(plan), ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c"),
        modules="\n".join(_modules(parts)),
    )


def _modules(folder: Traversable) -> Iterator[str]:
    """Yield each module of the page as an element; its imports are those of the import map that the page makes of them."""
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".js"):
            text = _IMPORT.sub("planner/", file.read_text(encoding="utf-8"))
            yield f'<script type="text/plain" data-module="planner/{file.name}">\n{_inline(text)}</script>'


@cache
def _deflated(library: str) -> str:
    """Return a library as compressed text: browsers unpack it when a view first needs it."""
    return base64.b64encode(zlib.compress(library.encode(), 9)).decode("ascii")


def _inline(script: str) -> str:
    """Return a script that no HTML parser ends early; literals and patterns keep their meaning."""
    return _CLOSING.sub(r"\\x3c", script)


def _key_figures(plan: Plan) -> str:
    """Return the key figures by subject, as on the printed cover."""
    groups = []
    for subject, entries in key_figures(plan):
        rows = "".join(f"<div><dt>{escape(label)}</dt><dd>{escape(text)}</dd></div>" for label, text in entries)
        groups.append(f'<section><h3>{escape(subject)}</h3><dl class="facts">{rows}</dl></section>')
    return "\n".join(groups)


def _figures(plan: Plan) -> str:
    """Return a row per quantity: formatted, and as stored in ``quantities.json``."""
    meaning = {quantity.name: quantity.meaning for quantity in QUANTITIES}
    rows = []
    for name, entry in plan.quantities.items():
        value = escape(json.dumps(entry["value"]))
        unit = escape(entry["unit"])
        rows.append(
            f'<tr data-quantity="{escape(name)}" data-value="{value}" data-unit="{unit}">'
            f"<td>{escape(meaning.get(name, ''))}<br><code>{escape(name)}</code></td>"
            f"<td class=number>{escape(_written(name, plan))}</td>"
            f'<td class="number code">{value}</td><td class=code>{unit}</td></tr>'
        )
    return "\n".join(rows)


def _written(name: str, plan: Plan) -> str:
    """Return a quantity in a common unit; amounts have no currency without a bill."""
    entry = plan.quantities[name]
    if plan.bill is None and "cents" in entry["unit"]:
        return grouped(entry["value"] / 100, 2)
    return readable(name, plan)
