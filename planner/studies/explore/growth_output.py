"""Output of the growth of families as text, CSV, JSON and plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem
from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.network.growth.plan import with_ideal
from planner.studies.explore.growing import Grown, Wish
from planner.studies.plotting import STROKES, SUFFIXES, End, grid, label_ends, save, thousands

COLUMNS = (
    "size",
    "endpoints",
    "routers",
    "links",
    "kept",
    "moved",
    "bound_quality",
    "bound_ports",
    "share_moved",
    "added",
    "windows",
    "connected",
    "member",
    "diameter",
    "diameter_ideal",
    "mean_hops",
    "mean_hops_ideal",
    "cut",
    "cut_ideal",
    "throughput",
    "throughput_ideal",
)
"""Figures of a phase in CSV and JSON."""

_SIZE_IN = (11.7, 8.3)


def table(found: Sequence[Grown], wish: Wish) -> str:
    """Return how families grow as text, in the order of the ranking; figures of the network built alone are in brackets."""
    done = [each for each in found if each.rows]
    lines = [
        f"Growth over {', '.join(f'{size:,}' for size in wish.sizes)} endpoints with {wish.ports} ports per router, "
        f"method {wish.method}{', ports reserved' if wish.reserve else ''}; in brackets: the network built alone"
    ]
    head = ["rank", "family", "size", "endpoints", "routers", "links", "moved", "at least", "by ports", "share", "windows"]
    head += ["diameter", "mean hops", "cut", "throughput", "parameters"]
    cells = [head]
    for rank, each in enumerate(done, 1):
        for number, (row, text) in enumerate(zip(each.rows, each.parameters, strict=True)):
            name = [str(rank), each.family] if number == 0 else ["", ""]
            cells.append([*name, *_cells(row, first=number == 0), text])
    width = [max(len(line[column]) for line in cells) for column in range(len(head))]
    left = {head.index("family"), head.index("parameters")}
    for line in cells:
        both = zip(line, width, range(len(head)), strict=True)
        lines.append("  ".join(f"{cell:<{size}}" if at in left else f"{cell:>{size}}" for cell, size, at in both).rstrip())
    if done:
        lines.append("Ranking by moved links for each endpoint that is added:")
        lines += [f"{rank:>4}  {verdict(each)}" for rank, each in enumerate(done, 1)]
    lines += [f"no growth of {each.family}: {each.reason}" for each in found if not each.rows]
    return "\n".join(lines)


def verdict(each: Grown) -> str:
    """Return one line about the growth of a family."""
    last = each.rows[-1]
    cut = "" if all(row["connected"] for row in each.rows) else "; not all routers stay connected in every window"
    minimum = f", at least {each.bound:,}" if each.moved else ""
    return (
        f"{each.family}: {each.moved_per_endpoint:.3f}, {each.moved:,} moved{minimum}, by {each.method}; "
        f"{last['routers']:,} routers and {last['links']:,} links at the end{cut}"
    )


def _cells(row: dict[str, Any], *, first: bool) -> list[str]:
    counts = [f"{row[name]:,}" for name in ("size", "endpoints", "routers", "links")]
    step = [f"{row[name]:,}" for name in ("moved", "bound_quality", "bound_ports")]
    step = [""] * 5 if first else [*step, f"{row['share_moved']:.1%}", f"{row['windows']:,}"]
    figures = [with_ideal(row, name, form) for name, form in (("diameter", "d"), ("mean_hops", ".3f"), ("cut", ",d"))]
    return [*counts, *step, *figures, with_ideal(row, "throughput", ".3f")]


def content(found: Sequence[Grown], wish: Wish) -> dict[str, Any]:
    """Return the growth of families as plain data, in the order of the ranking."""
    return {
        "ports": wish.ports,
        "sizes": list(wish.sizes),
        "method": wish.method,
        "seed": wish.seed,
        "families": [
            {
                "family": each.family,
                "method": each.method,
                "rank": rank,
                "moved": each.moved,
                "moved_at_least": each.bound,
                "moved_per_endpoint": round(each.moved_per_endpoint, 6),
                "phases": [
                    {"parameters": text} | {name: row[name] for name in COLUMNS}
                    for row, text in zip(each.rows, each.parameters, strict=True)
                ],
            }
            for rank, each in enumerate((each for each in found if each.rows), 1)
        ],
        "missing": {each.family: each.reason for each in found if not each.rows},
    }


def write_csv(found: Sequence[Grown], path: str | Path) -> None:
    """Write a row for each family and size, in the order of the ranking."""
    with replacing(Path(path)) as temporary, temporary.open("w", newline="", encoding="utf-8") as out:
        writer = Writer(out, end="\r\n")
        writer.writerow(["rank", "family", "method", *COLUMNS, "parameters"])
        for rank, each in enumerate((each for each in found if each.rows), 1):
            for row, text in zip(each.rows, each.parameters, strict=True):
                writer.writerow([rank, each.family, each.method, *(row[name] for name in COLUMNS), text])


def plot_problems(path: str | Path) -> list[Problem]:
    """Return the problem of a path that has no suffix of a plot."""
    if Path(path).suffix in SUFFIXES:
        return []
    return [Problem("--plot", f"{path} has no suffix of a plot", f"use {', '.join(SUFFIXES)}")]


def write_plot(found: Sequence[Grown], path: str | Path) -> None:
    """Write the links moved so far, over the number of endpoints, to a PDF, SVG or PNG file.

    Raises
    ------
    InputError
        For another suffix, or if Matplotlib is not installed.
    """
    if wrong := plot_problems(path):
        raise InputError(wrong)

    def draw(figure: Any) -> None:
        axes = figure.add_subplot()
        ends = []
        for number, each in enumerate(sorted((each for each in found if each.rows), key=lambda each: each.family)):
            color, marker, dashes = STROKES[number]
            points = list(_moved(each))
            axes.plot(*zip(*points, strict=True), color=color, marker=marker, linestyle=dashes, linewidth=1, markersize=4)
            ends.append(End(each.family, *points[-1], STROKES[number]))
        grid(axes, title="Links moved while a network grows", xlabel="endpoints", ylabel="links moved so far")
        thousands(axes.xaxis)
        thousands(axes.yaxis)
        label_ends(axes, ends)

    save(Path(path), [draw], _SIZE_IN)


def _moved(each: Grown) -> Iterator[tuple[int, int]]:
    moved = 0
    for row in each.rows:
        moved += row["moved"]
        yield row["endpoints"], moved
