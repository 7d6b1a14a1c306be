"""Replacement sheets: the device, its cables with old and new port, the order of work, and what to check; on paper and as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from planner.core.spreadsheet import Writer
from planner.core.units import stock_named
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.revision import sign_off
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import TICK, Column, filled, table
from planner.studies.diff.replacement import Plug, Replaced, replacements
from planner.studies.diff.result import Comparison

FILE = "replacements.csv"

_COLUMNS = (
    "device", "place", "old_part", "new_part", "serial", "old_port", "new_port", "cable", "what", "far_device", "far_port",
    "far_place", "part", "stock_mm", "old_label", "new_label",
)  # fmt: skip


def write(found: Comparison, path: Path) -> None:
    """Write the cables of all replaced devices, a row for each plug."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = Writer(file)
        rows.writerow(_COLUMNS)
        for device in replacements(found):
            rows.writerows(_row(device, plug) for plug in device.plugs)


def is_needed(found: Comparison) -> bool:
    """Return whether a device is replaced."""
    return bool(replacements(found))


def _row(device: Replaced, plug: Plug) -> tuple[str | int, ...]:
    old, new, far = plug.old, plug.new, plug.far
    return (
        device.name, device.place, device.old_part, device.new_part, device.serial, old.printed if old else "",
        new.printed if new else "", plug.row.number, plug.what, far.device, far.printed, far.place, plug.row.part,
        plug.row.stock_mm, old.label if old else "", new.label if new else "",
    )  # fmt: skip


def replacement_sheets(found: Comparison) -> list[Sheet]:
    """Return a chapter for each replaced device."""
    made: list[Sheet] = []
    for device in replacements(found):
        title = f"Replacement of {device.name}"
        made += sheets(title, _blocks(title, device))
    return made


def _blocks(title: str, device: Replaced) -> Iterator[Block]:
    yield heading(title, Mark(f"replacement-{device.name}", title))
    facts = [
        ("device", device.name), ("place", device.place), ("comes out", device.old_part), ("serial number", device.serial or "–"),
        ("goes in", device.new_part), ("serial number", ""), ("reason", device.reason),
    ]  # fmt: skip
    yield from table(
        (Column("replacement", firm=True), Column("")), [each for each in facts if each != ("reason", "")], TEXT_WIDTH, 8
    )
    yield space(8)
    yield heading("Order of work", size=11)
    for number, text in enumerate(device.steps(), 1):
        yield paragraph(f"{number}. {text}")
    yield space(6)
    yield heading("Cables", size=11)
    columns = (
        Column("", "center"), Column("old port", firm=True), Column("new port", firm=True), Column("cable", "right"),
        Column("what"), Column("far end"), Column("part"), Column("old label", firm=True), Column("new label", firm=True),
    )  # fmt: skip
    rows = [
        (
            TICK, each.old.printed if each.old else "", each.new.printed if each.new else "", f"{each.row.number:,}", each.what,
            str(each.far), f"{each.row.part}, {stock_named(each.row.stock_mm)}", each.old.label if each.old else "",
            each.new.label if each.new and each.is_labeled else "",
        )
        for each in device.plugs
    ]  # fmt: skip
    yield from table(*filled(columns, rows), TEXT_WIDTH, 7)
    yield space(8)
    yield heading("Checks after work", size=11)
    yield from table((Column("", "center"), Column("check")), [(TICK, text) for text in device.checks()], TEXT_WIDTH, 8)
    yield space(10)
    yield heading("Sign-off", size=11)
    yield from sign_off("The crew signs when all boxes are ticked.", [("crew", ""), ("checked", "")])
