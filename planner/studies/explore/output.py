"""Output of the design space as text and CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.studies.explore import Configuration, Ratio, largest

COLUMNS = ("radix", "family", "routers", "endpoints", "diameter", "moore_efficiency", "parameters")


def table(configurations: list[Configuration], comparison: Iterable[Ratio], reference: str) -> str:
    """Return the largest network of each family and radix that has endpoints, and the mean ratios, as text."""
    best = [item for by_radix in largest(configurations).values() for item in by_radix.values() if item.endpoints]
    lines = [f"{'radix':>5}  diameter  {'family':<17} {'routers':>10} {'endpoints':>11}  Moore  parameters"]
    for item in sorted(best, key=lambda c: (c.radix, c.diameter or math.inf, -c.routers)):
        diameter = "?" if item.diameter is None else item.diameter
        share = "" if item.moore_efficiency is None else f"{item.moore_efficiency:.1%}"
        size = f"{item.routers:>10,} {item.endpoints:>11,}"
        lines.append(f"{item.radix:>5}  {diameter:>8}  {item.family:<17} {size} {share:>6}  {parameter_text(item)}")
    lines += [
        f"{reference} has {ratio.ratio:.3f} times the routers of {ratio.family} at diameter {ratio.diameter} "
        f"(geometric mean, common radixes: {ratio.radixes})"
        for ratio in comparison
    ]
    return "\n".join(lines)


def parameter_text(configuration: Configuration) -> str:
    """Return the parameters as text.

    >>> parameter_text(Configuration("hyperx", 4, 9, 18, 2, 0.5, {"sizes": (3, 3)}))
    'sizes=3x3'
    """
    texts = {
        name: "x".join(map(str, value)) if isinstance(value, tuple) else value for name, value in configuration.parameters.items()
    }
    return " ".join(f"{name}={text}" for name, text in texts.items())


def write_csv(configurations: Iterable[Configuration], path: str | Path) -> None:
    """Write all configurations, one per row; unknown diameters are empty."""
    with replacing(Path(path)) as temporary, temporary.open("w", newline="", encoding="utf-8") as out:
        writer = Writer(out, end="\r\n")
        writer.writerow(COLUMNS)
        for item in configurations:
            writer.writerow([*(getattr(item, name) for name in COLUMNS[:-1]), parameter_text(item)])
