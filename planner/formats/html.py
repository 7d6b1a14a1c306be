"""Web page of the whole plan, one file that opens from disk: floor, elevations, ports, cables, charts, tables."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Any, Literal, NamedTuple

from planner.core.checking import checked
from planner.core.units import span
from planner.domain.model import Plan
from planner.domain.quantities import QUANTITIES
from planner.formats.web.content import content
from planner.hall.scene import palette
from planner.hall.scene.section import REACH_MM
from planner.view.figures import grouped, key_figures, readable

ENDING = ".html"

_STYLES = ("page", "views", "elevation", "phone", "print")
"""Style sheets in their order."""

_THREE = {"three-core": "three.core.min.js", "three": "three.module.min.js", "three-orbit": "OrbitControls.min.js"}
"""Files of three.js by the names of their elements."""

_POLICY = (
    """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' blob:; """
    """script-src-attr 'none'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'">"""
)
"""Policy of the page in one file, which has all its scripts and styles in itself, and loads nothing."""

_LEVEL = 6
"""Compression of the data: higher levels take twice as long and save a few per cent."""

_CLOSING = re.compile(r"<(?=!--|/?script)", re.IGNORECASE)
_IMPORT = re.compile(r'(?<=from ")\./(?=[\w-]+\.js";)')


def write(plan: Plan, path: Path, *, part: Literal["whole", "floor"] = "whole") -> None:
    """Write the page; it loads no other files, and equal plans give equal bytes.

    A partial plan has a page too; missing parts are left out.

    Parameters
    ----------
    part
        ``"floor"`` leaves out single devices, cables, bundles and tasks; floor, cabinets, trays, figures, bill and charts of a
        plan of millions of cables remain.
    """
    path.write_text(page(plan, part=part), encoding="utf-8", newline="\n")


@checked()
def page(plan: Plan, more: Mapping[str, Any] | None = None, *, part: Literal["whole", "floor"] = "whole") -> str:
    """Return the HTML of the page: one text with styles, scripts, libraries and data.

    Parameters
    ----------
    part
        As of `write`.
    more
        Further data of the page by key, such as ``verification``: what was found in the built fabric.
    """
    parts = files("planner.formats.web")
    libraries = (
        f'<script type="text/plain" id="{name}-library">{_deflated(text)}</script>' for name, text in _named_libraries().items()
    )
    scripts = Template((parts / "inline.html").read_text("utf-8")).substitute(
        libraries="\n".join(libraries),
        data=_data(content(plan, single=part == "whole") | dict(more or {})),
        modules="\n".join(_inlined()),
    )
    styles = "\n".join(f"<style>\n{text}\n</style>" for text in _styles().values())
    return _html(plan, _POLICY, styles, scripts)


class Linked(NamedTuple):
    """The page with its files apart, for a server: HTML without inline code, its data as JSON, and files by name."""

    html: str
    data: str
    files: dict[str, str]


def linked(plan: Plan, address: str, data: str, more: Mapping[str, Any] | None = None) -> Linked:
    """Return the page for a server.

    Parameters
    ----------
    address
        Address below which the files are, such as ``/static/plan``.
    data
        Address of the data.
    more
        As of `page`.
    """
    libraries = {_THREE.get(name, f"{name}-library.js"): text for name, text in _named_libraries().items()}
    # Modules of a server import each other by address; there is no import map without inline code.
    libraries[_THREE["three-orbit"]] = libraries[_THREE["three-orbit"]].replace('"three"', f'"./{_THREE["three"]}"')
    styles = {f"{name}.css": text for name, text in _styles().items()}
    links = "\n".join(f'<link rel="stylesheet" href="{address}/{name}">' for name in styles)
    names = zip(_named_libraries(), libraries, strict=True)
    places = [f'<script type="text/plain" id="{name}-library" data-address="{address}/{file}"></script>' for name, file in names]
    places.append(f'<script type="application/json" id="plan" data-address="{data}"></script>')
    places.append(f'<script type="module" src="{address}/app.js"></script>')
    text = json.dumps(content(plan) | dict(more or {}), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Linked(_html(plan, "", links, "\n".join(places)), text, {**styles, **libraries, **_modules()})


def _html(plan: Plan, policy: str, styles: str, scripts: str) -> str:
    return Template((files("planner.formats.web") / "page.html").read_text(encoding="utf-8")).substitute(
        policy=policy,
        title=escape(plan.title or plan.name),
        name=escape(plan.name),
        fingerprint=escape(str(plan.provenance.get("plan", ""))),
        reach=span(REACH_MM),
        version=escape(str(plan.provenance.get("planner", ""))),
        styles=styles,
        key_figures=_key_figures(plan),
        figures=_figures(plan),
        scripts=scripts,
    )


def _styles() -> dict[str, str]:
    """Return the style sheets in their order: that of the tables, and that of the page."""
    parts = files("planner.formats.web")
    own = [palette.css(), *((parts / f"{name}.css").read_text("utf-8") for name in _STYLES)]
    return {"tables": _of_tables("dt_bundle.css"), "plan": "\n".join(own)}


def _of_tables(name: str) -> str:
    """Return a file of the library of the tables, without the import of the package, which imports pandas."""
    found = find_spec("itables")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'itables'", name="itables")
    return Path(found.submodule_search_locations[0], "html", name).read_text("utf-8")


def _named_libraries() -> dict[str, str]:
    """Return the libraries by their names."""
    from bokeh.resources import Resources

    charts = "\n".join(Resources(mode="inline", log_level="warn", components=["bokeh", "bokeh-api"]).js_raw)
    three = files("planner.formats.web") / "third_party" / "three"
    return {
        "charts": charts,
        "tables": _of_tables("dt_bundle.js"),
        **{name: (three / file).read_text("utf-8") for name, file in _THREE.items()},
    }


def _data(data: Mapping[str, Any]) -> str:
    """Return the data for a script element: arrays by place in one block of bytes, JSON before it, compressed, as base64.

    The block begins with the length of the JSON, uint32. Each array is aligned to 8 bytes, as a browser needs it.
    """
    blocks: list[bytes] = []
    text = json.dumps(_placed(data, blocks, [0]), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + 4) % 8)
    packing = zlib.compressobj(_LEVEL)
    parts = [packing.compress(block) for block in (len(text).to_bytes(4, "little"), text, *blocks)]
    return base64.b64encode(b"".join([*parts, packing.flush()])).decode("ascii")


def _placed(item: Any, blocks: list[bytes], end: list[int]) -> Any:
    """Return an item with its arrays as type, place and number of bytes in `blocks`, which `end` bytes fill."""
    if isinstance(item, Mapping):
        if "base64" not in item:
            return {key: _placed(each, blocks, end) for key, each in item.items()}
        content = base64.b64decode(item["base64"])
        blocks += [content, bytes(-len(content) % 8)]
        place, end[0] = end[0], end[0] + len(content) + -len(content) % 8
        return {"dtype": item["dtype"], "place": place, "bytes": len(content)}
    # Lists of plain values, such as names, have no arrays inside; they are long, of few types.
    if isinstance(item, list | tuple) and any(issubclass(kind, Mapping | list | tuple) for kind in set(map(type, item))):
        return [_placed(each, blocks, end) for each in item]
    return item


def _modules() -> dict[str, str]:
    """Return the modules of the page by the names of their files."""
    folder = files("planner.formats.web")
    found = sorted(file.name for file in folder.iterdir() if file.name.endswith(".js"))
    return {name: (folder / name).read_text(encoding="utf-8") for name in found}


def _inlined() -> Iterator[str]:
    """Yield each module of the page as an element; its imports are those of the import map that the page makes of them."""
    for name, module in _modules().items():
        text = _inline(_IMPORT.sub("planner/", module))
        yield f'<script type="text/plain" data-module="planner/{name}">\n{text}</script>'


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
