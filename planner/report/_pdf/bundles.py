"""What bundling saves: kinds of bundling side by side, and the largest bundles of the plan."""

from __future__ import annotations

from planner.model import Bundlings, Plan
from planner.report._figures import SPACE, grouped, metres, money, trimmed
from planner.report._pdf.blocks import Block, heading, paragraph, sheets, space
from planner.report._pdf.sheet import TEXT_WIDTH, Mark, Sheet
from planner.report._pdf.table import Column, table

_NAMES = {
    "single": "single cables",
    "loom": "looms by cabinets",
    "row_loom": "looms by rows",
    "trunk": "trunks over panels",
    "multicore": "multi-core fibre",
    "shuffle": "shuffle boxes",
}
_TAKES = (
    Column("laid as"), Column("cables bought", "right"), Column("pulls", "right"), Column("bundles", "right"),
    Column("bundle types", "right"), Column("panels", "right"), Column("not carried", "right"),
    Column(f"fill (mm²{SPACE}m)", "right"), Column("fullest tray (%)", "right"), Column("price", "right"),
)  # fmt: skip
_SAVES = (
    Column("laid as"), Column("cables", "right"), Column("pulls", "right"), Column("bundle types", "right"),
    Column("fill", "right"), Column("price", "right"),
)  # fmt: skip
_LARGEST = (
    Column("bundle", "right"), Column("kind"), Column("from"), Column("to"), Column("links", "right"),
    Column("room for", "right"), Column("diameter (mm)", "right"), Column("bend radius (mm)", "right"),
    Column("run (m)", "right"), Column("part"),
)  # fmt: skip
_NOT_PRICED = "not priced"


def bundle_sheets(plan: Plan) -> list[Sheet]:
    """Return the comparison and the largest bundles; nothing where bundlings were not compared."""
    bundlings = plan.bundlings
    if bundlings is None:
        return []
    text = (
        "The same cables, laid one by one or in bundles. Pulls are things pulled between cabinets, or between cabinets and "
        "panels; bundle types differ in kind, part, capacity or length; links that a kind cannot carry (copper, both ends in one "
        "area, loss above the budget) lie as looms beside it. Fill is the cross-section of everything times its way along "
        "trays, and the fullest tray segment is that of shortest ways. The price is that of all cables, transceivers and panels."
    )
    blocks: list[Block] = [
        heading("Bundles", Mark("bundles", "Bundles")),
        paragraph(text),
        *table(_TAKES, _takes(plan, bundlings), TEXT_WIDTH, 7),
        *_asked(bundlings),
    ]
    if len(bundlings.methods) > 1:
        blocks += [
            space(12),
            heading("Saved against single cables", size=11),
            paragraph("A minus is more than single cables take.", keep=True),
            *table(_SAVES, _saves(plan, bundlings), TEXT_WIDTH, 7.5),
        ]
    if bundlings.largest:
        words = (
            f"The {grouped(len(bundlings.largest))} bundles with most links, as the plan lays them. The bend radius is that of "
            "the bundle's centre line: the cable at its inside keeps its own."
        )
        blocks += [
            space(12),
            heading("Largest bundles", Mark("largest-bundles", "Largest bundles", 1), size=11),
            paragraph(words, keep=True),
            *table(_LARGEST, _largest(bundlings), TEXT_WIDTH, 7),
        ]
    return sheets("Bundles", blocks)


def _name(method: str) -> str:
    return _NAMES.get(method, method)


def _takes(plan: Plan, bundlings: Bundlings) -> list[tuple[str, ...]]:
    counts = ("cables", "pulls", "bundles", "types", "panels", "direct", "fill_mm2_m")
    return [
        (
            _name(method),
            *(grouped(int(getattr(bundlings, count)[place])) for count in counts),
            f"{bundlings.fullest_percent[place]:.1f}",
            _amount(plan, bundlings.cents[place]),
        )
        for place, method in enumerate(bundlings.methods)
    ]


def _asked(bundlings: Bundlings) -> list[Block]:
    """What was asked of the kinds beyond their defaults."""
    asked = [f"{_name(method)}: {words}" for method, words in zip(bundlings.methods, bundlings.arguments, strict=True) if words]
    return [paragraph(f"Asked for {'; '.join(asked)}.", 7)] if asked else []


def _saves(plan: Plan, bundlings: Bundlings) -> list[tuple[str, ...]]:
    return [
        (
            _name(method),
            *(_share(bundlings, figure, method) for figure in ("cables", "pulls", "types", "fill_mm2_m")),
            _amount(plan, bundlings.saved("cents", method)),
        )
        for method in bundlings.methods[1:]
    ]


def _share(bundlings: Bundlings, figure: str, method: str) -> str:
    """What is saved, and its share of what single cables take."""
    saved, single = bundlings.saved(figure, method), int(getattr(bundlings, figure)[0])
    return f"{grouped(saved)} ({100 * saved / single:.0f}{SPACE}%)" if single else grouped(saved)


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
            trimmed(big.diameter_um / 1000, 1),
            grouped(big.bend_mm),
            metres(big.run_mm),
            f"{big.part}, type {big.polarity}" if big.polarity else big.part,
        )
        for big in bundlings.largest
    ]
