"""QR codes of addresses: as SVG for pages, and as text for terminals."""

from __future__ import annotations

from planner.paper.labeling.text import dark_runs, qr_modules, qr_version

_QUIET = 4
"""Modules of the quiet zone around a code."""


def svg(text: str) -> str:
    """Return the QR code of a text as SVG; the text itself is not in it."""
    modules = qr_modules(text, qr_version(text))
    size = len(modules) + 2 * _QUIET
    runs = "".join(f"M{x + _QUIET} {y + _QUIET}h{width}v1h-{width}z" for y, x, width in dark_runs(modules))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/><path d="{runs}"/></svg>'
    )


def lines(text: str) -> list[str]:
    """Return the QR code of a text as lines of half blocks, dark on light whatever the colors of the terminal.

    >>> len(lines("137")), len(lines("137")[0])
    (15, 29)
    """
    modules = qr_modules(text, qr_version(text))
    size = len(modules) + 2 * _QUIET
    light = [[True] * size for _ in range(size + size % 2)]
    for y, row in enumerate(modules, _QUIET):
        for x, dark in enumerate(row, _QUIET):
            light[y][x] = not dark
    halves = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    pairs = zip(light[::2], light[1::2], strict=True)
    return ["".join(halves[both] for both in zip(upper, lower, strict=True)) for upper, lower in pairs]
