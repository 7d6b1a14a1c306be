"""Write docs/topologies.md and its pictures from the families' docstrings: python tools/topologies_page.py"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from planner import registry, topology
from planner.model import Topology
from planner.topology._limits import MEMORY_BYTES, SECONDS

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "topologies.md"
PICTURES = DOCS / "images" / "topologies"

HEAD = f"""\
# Topologies

Made by `python tools/topologies_page.py` from the files of `planner/topology`. A study names a family and its parameters in
its section `[topology]`; `planner explore --radix 8-64` compares the sizes that families can have. Each picture shows the
family's small example: routers on a circle, group by group, links inside a group in blue, links between groups in gray.

Memory and time are estimated from the parameters before a network is built; more than {MEMORY_BYTES // 10**9} GB or {SECONDS} s
are refused with the estimate.
"""

_SIZE, _RADIUS = 300, 140


def render() -> dict[Path, str]:
    """Return the text of the page and of every picture by path."""
    files, sections = {}, []
    for name in registry.names("topology"):
        module = registry.load("topology", name)
        network = topology.build(name, **module.EXAMPLE)
        files[PICTURES / f"{name}.svg"] = picture(network)
        sections.append(_section(name, module.build, module.EXAMPLE, network))
    return {PAGE: HEAD + "".join(sections), **files}


def _section(name: str, build: Callable, example: dict[str, Any], network: Topology) -> str:
    summary, _ = registry.summary("topology", name)
    parts = _parts(inspect.getdoc(build))
    groups = [f"{word} ({len(np.unique(level))})" for word, level in zip(network.group_names, network.group.T, strict=True)]
    facts = (
        f"{network.router_count} routers, {network.link_count} links, radix {network.degree.max()}, "
        f"{network.endpoint_count} endpoints; groups: {', '.join(groups) or 'none'}."
    )
    return (
        f"\n## {name}\n\n{summary}\n\n![{name}](images/topologies/{name}.svg)\n\n{_plain(parts[''])}\n\n"
        f"{_parameters(parts['Parameters'], build)}\n\nExample: {_arguments(example)}: {facts}\n\n"
        + (f"{_plain(parts['Notes'])}\n\n" if "Notes" in parts else "")
        + f"{_references(parts['References'])}\n"
    )


def _parts(text: str) -> dict[str, str]:
    """Sections of a NumPy docstring by title; the description has none."""
    pieces = re.split(r"\n(\w+)\n-{3,}\n", text)
    return {title: body.strip("\n") for title, body in zip(["", *pieces[1::2]], pieces[0::2], strict=True)}


def _parameters(text: str, build: Callable) -> str:
    """The parameters as a table; names that share a description share a row."""
    known = inspect.signature(build).parameters
    rows = ["| parameter | default | meaning |", "|---|---|---|"]
    for names, meaning in re.findall(r"^(\S.*)\n((?:    .*\n?|\n)+)", text + "\n", re.MULTILINE):
        defaults = [known[name].default for name in names.split(", ")]
        default = "" if defaults[0] is inspect.Parameter.empty else f"`{_toml(defaults[0])}`" if defaults[0] is not None else "–"
        shown = ", ".join(f"`{name}`" for name in names.split(", "))
        rows.append(f"| {shown} | {default} | {' '.join(_plain(meaning).split()).replace('|', chr(92) + '|')} |")
    return "\n".join(rows)


def _references(text: str) -> str:
    return "\n".join(
        f"- {' '.join(entry.split())}" for entry in re.split(r"^\.\. \[\d+\]", text, flags=re.MULTILINE) if entry.strip()
    )


def _plain(text: str) -> str:
    """Double backquotes of docstrings are single ones on a page."""
    return text.replace("``", "`")


def _arguments(example: dict[str, Any]) -> str:
    return ", ".join(f"`{name} = {_toml(value)}`" for name, value in example.items()) or "no parameters"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(item)}" for name, item in value.items()) + " }"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return f'"{Path(value).name}"'
    return str(value).lower()


def picture(network: Topology) -> str:
    """Return the routers on a circle with a gap between groups, as SVG."""
    count = network.router_count
    levels = network.group.T
    order = np.lexsort((np.arange(count), *levels)) if len(levels) else np.arange(count)
    finest = levels[0] if len(levels) else np.zeros(count, int)
    gap = np.concatenate([[0], np.cumsum(finest[order][1:] != finest[order][:-1])])
    place = np.empty(count)
    place[order] = np.arange(count) + gap
    angle = 2 * np.pi * place / (count + gap[-1] + (gap[-1] > 0)) - np.pi / 2
    x, y = (_SIZE / 2 + _RADIUS * turn(angle) for turn in (np.cos, np.sin))
    inside = finest[network.links[:, 0]] == finest[network.links[:, 1]] if len(levels) else np.zeros(network.link_count, bool)
    lines = [
        f'<path d="{_path(x, y, network.links[chosen])}" stroke="{color}"/>'
        for chosen, color in ((~inside, "#888"), (inside, "#0072b2"))
        if chosen.any()
    ]
    dots = "".join(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.2"/>' for a, b in zip(x, y, strict=True))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIZE}" height="{_SIZE}" viewBox="0 0 {_SIZE} {_SIZE}">\n'
        f'<rect width="{_SIZE}" height="{_SIZE}" fill="#fff"/>\n<g fill="none" stroke-width="0.5">\n'
        + "\n".join(lines)
        + "\n</g>\n"
        f"<g>{dots}</g>\n</svg>\n"
    )


def _path(x: np.ndarray, y: np.ndarray, links: np.ndarray) -> str:
    return "".join(f"M{x[u]:.1f} {y[u]:.1f}L{x[v]:.1f} {y[v]:.1f}" for u, v in links)


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    for path, text in render().items():
        path.write_text(text, encoding="utf-8")
        print(path)
