"""Bundles: comparison of the kinds of bundling, the largest bundles, and the list of all."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from planner.core.units import amount, unit
from planner.core.units import heading as with_unit
from planner.domain.model import Bundlings, Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, filled, printed, table
from planner.view.figures import SPACE, grouped, money, trimmed
from planner.view.tables import TABLES

_NAMES = {
    "single": "single cables",
    "loom": "looms between cabinets",
    "row_loom": "looms between rows",
    "trunk": "trunks between panels",
    "multicore": "multi-core fiber",
    "shuffle": "shuffle boxes",
}
_NOT_PRICED = "not priced"


def _takes_columns() -> tuple[Column, ...]:
    return (
        Column("bundling"), Column("cables bought", "right"), Column("pulls", "right"), Column("bundles", "right"),
        Column("bundle types", "right"), Column("panels", "right"), Column("not carried", "right"),
        Column(with_unit("fill", "mm² m"), "right"), Column("fullest tray (%)", "right"), Column("price", "right"),
    )  # fmt: skip


_SAVES = (
    Column("bundling"), Column("cables", "right"), Column("pulls", "right"), Column("bundle types", "right"),
    Column("fill", "right"), Column("price", "right"),
)  # fmt: skip


def _largest_columns() -> tuple[Column, ...]:
    return (
        Column("bundle", "right"), Column("kind"), Column("from"), Column("to"), Column("links", "right"),
        Column("capacity", "right"), Column(with_unit("diameter", "size"), "right"),
        Column(with_unit("bend radius", "size"), "right"), Column(with_unit("run", "mm"), "right"), Column("part"),
    )  # fmt: skip


def bundle_sheets(plan: Plan) -> list[Sheet]:
    """Return the comparison and the largest bundles; an empty list where bundlings were not compared."""
    bundlings = plan.bundlings
    if bundlings is None:
        return []
    text = (
        "The same cables, installed one by one or in bundles. Pulls are single cables or bundles between cabinets, or between "
        "cabinets and panels; bundle types differ in kind, part, capacity or length; links that a kind cannot carry (copper, "
        "both ends in one area, loss above the budget) run in looms next to it. Fill is cross-section times length in trays; "
        "the fullest tray segment is for shortest routes. The price includes all cables, transceivers and panels."
    )
    blocks: list[Block] = [
        heading("Bundles", Mark("bundles", "Bundles")),
        paragraph(text),
        *table(_takes_columns(), _takes(plan, bundlings), TEXT_WIDTH, 7),
        *_alike(plan, bundlings),
        *_options(bundlings),
    ]
    if len(_different(plan, bundlings)) > 1:
        blocks += [
            space(12),
            heading("Saved against single cables", size=11),
            paragraph("Negative: more than single cables.", keep=True),
            *table(_SAVES, _saves(plan, bundlings), TEXT_WIDTH, 7.5),
        ]
    if bundlings.largest:
        words = (
            f"The {grouped(len(bundlings.largest))} largest bundles by links, as planned. The bend radius is that of "
            "the bundle's center line; the innermost cable keeps its own minimum."
        )
        blocks += [
            space(12),
            heading("Largest bundles", Mark("largest-bundles", "Largest bundles", 1), size=11),
            paragraph(words, keep=True),
            *table(*filled(_largest_columns(), _largest(bundlings)), TEXT_WIDTH, 7),
        ]
    return sheets("Bundles", blocks)


def bundle_list_sheets(plan: Plan, chosen: np.ndarray | None = None) -> list[Sheet]:
    """Return every bundle with its ends, cables, route and lengths; with chosen cables, int64 (N,), only their bundles."""
    cables = plan.cables
    if cables is None or not len(cables.bundle_kind):
        return []
    numbers = np.unique(cables.bundle if chosen is None else cables.bundle[chosen])
    numbers = numbers[numbers >= 0].tolist()
    if not numbers:
        return []
    text = (
        "Every bundle with its number of cables and their numbers. The lengths of a loom are those of its longest cable, the "
        "route that of its first. The bend radius is that of the bundle's center line. Trunks and fibers end at panel frames."
    )
    title = "Bundle list"
    blocks: list[Block] = [heading(title, Mark("bundle-list", title)), paragraph(text, keep=True)]
    columns, rows = filled(*printed(TABLES["bundles"], TABLES["bundles"].data(plan), numbers))
    rows = [[cell.replace("tray at ", f"tray{SPACE}at{SPACE}") for cell in row] for row in rows]
    return sheets(title, [*blocks, *table(columns, rows, TEXT_WIDTH, 6)])


def _name(method: str) -> str:
    return _NAMES.get(method, method)


def _takes(plan: Plan, bundlings: Bundlings) -> list[tuple[str, ...]]:
    return [(_name(bundlings.methods[places[0]]), *figures) for figures, places in _different(plan, bundlings).items()]


def _different(plan: Plan, bundlings: Bundlings) -> dict[tuple[str, ...], list[int]]:
    """Return the figures of the kinds of bundling, and the places of the kinds with the same figures."""
    counts = ("cables", "pulls", "bundles", "types", "panels", "direct", "fill_mm2_m")
    found: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place in range(len(bundlings.methods)):
        figures = [_figure(count, int(getattr(bundlings, count)[place])) for count in counts]
        fullest = f"{bundlings.fullest_percent[place]:.1f}"
        found[*figures, fullest, _amount(plan, bundlings.cents[place])].append(place)
    return found


def _figure(name: str, value: int) -> str:
    return amount(value, "mm² m") if name == "fill_mm2_m" else grouped(value)


def _alike(plan: Plan, bundlings: Bundlings) -> list[Block]:
    """Return which kinds have the figures of another one, which are printed once."""
    texts = [
        f"{', '.join(_name(bundlings.methods[place]) for place in rest)}: as {_name(bundlings.methods[first])}"
        for first, *rest in _different(plan, bundlings).values()
        if rest
    ]
    return [paragraph(f"Same figures: {'; '.join(texts)}.", 7)] if texts else []


def _options(bundlings: Bundlings) -> list[Block]:
    """Return the options of the kinds that differ from their defaults."""
    options = [f"{_name(method)}: {words}" for method, words in zip(bundlings.methods, bundlings.arguments, strict=True) if words]
    return [paragraph(f"Options: {'; '.join(options)}.", 7)] if options else []


def _saves(plan: Plan, bundlings: Bundlings) -> list[tuple[str, ...]]:
    return [
        (
            _name(method),
            *(_share(bundlings, figure, method) for figure in ("cables", "pulls", "types", "fill_mm2_m")),
            _amount(plan, bundlings.saved("cents", method)),
        )
        for method in (bundlings.methods[places[0]] for places in _different(plan, bundlings).values())
        if method != bundlings.methods[0]
    ]


def _share(bundlings: Bundlings, figure: str, method: str) -> str:
    """Return the saving, and its share of the amount for single cables."""
    saved, single = bundlings.saved(figure, method), int(getattr(bundlings, figure)[0])
    if saved is None:
        return ""
    text = _figure(figure, saved)
    return f"{text} ({100 * saved / single:.0f}{SPACE}%)" if single else text


def _amount(plan: Plan, cents: int | None) -> str:
    if cents is None:
        return _NOT_PRICED
    currency = plan.catalog.currency if plan.catalog is not None else ""
    return f"{money(cents)}{SPACE}{currency}".rstrip(SPACE)


def _largest(bundlings: Bundlings) -> list[tuple[str, ...]]:
    return [
        (
            grouped(big.number + 1),
            big.kind,
            *big.ends,
            grouped(big.links),
            grouped(big.capacity),
            trimmed(unit("µm").of(big.diameter_um), unit("µm").decimals),
            amount(big.bend_mm, "size"),
            amount(big.run_mm, "mm"),
            f"{big.part}, type {big.polarity}" if big.polarity else big.part,
        )
        for big in bundlings.largest
    ]
