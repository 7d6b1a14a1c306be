"""Sheets and columns of a plan's workbook: planned columns and columns for the crew."""

from __future__ import annotations

from typing import Literal, NamedTuple

Content = Literal["text", "note", "whole", "number", "figure", "date", "tick"]
"""Type of a column: text, handwritten text, whole numbers, numbers, numbers or text, dates, or yes and no."""


class Column(NamedTuple):
    """One column.

    Attributes
    ----------
    name
        Machine-readable name in the hidden first row.
    header
        Title with the unit in the second row.
    content
        Type of its cells.
    crew
        Whether the crew fills it in.
    """

    name: str
    header: str
    content: Content
    crew: bool


class Sheet(NamedTuple):
    """One sheet; the first `keys` columns together identify a row, 0 where rows have no key."""

    name: str
    columns: tuple[Column, ...]
    keys: int

    @property
    def planned(self) -> tuple[Column, ...]:
        """The columns filled by the plan."""
        return tuple(column for column in self.columns if not column.crew)


_UNITS = {"mm": "mm", "um": "µm", "mm2": "mm²", "um2": "µm²", "g": "g", "mw": "mW", "cents": "cents", "percent": "%"}

_HEADERS = {
    "label_a": "label, first end", "label_b": "label, second end", "end_part": "plug or module, first end",
    "end_part_b": "plug or module, second end", "a_unit": "first end: rack unit", "b_unit": "second end: rack unit",
    "stock_mm": "length to buy (mm)", "run_mm": "run length (mm)", "slack_ends_mm": "slack at the ends (mm)",
    "slack_loops_mm": "slack in loops (mm)", "slack_share_mm": "slack as a share (mm)", "margin_mm": "margin to the run (mm)",
    "actual_mm": "actual length (mm)", "installed_on": "installed on (date)", "used_units": "rack units in use",
    "units": "rack units", "cables_listed": "cables with their first end here", "load_g": "mass inside (g)",
    "floor_g": "mass on the floor (g)", "plugs": "PDUs", "bend_mm": "bend radius (mm)", "unit_cents": "unit price (cents)",
    "cents": "price (cents)", "fill_percent": "fill (% of the cross-section)", "design_percent": "fill (% of the design fill)",
    "offered_load": "offered load (phits/cycle/endpoint)", "forward_load": "load from first to second end (phits/cycle)",
    "backward_load": "load from second to first end (phits/cycle)",
}  # fmt: skip


def header_of(name: str) -> str:
    """Return the title of a machine-readable name: ends in words, the unit in parentheses.

    Examples
    --------
    >>> header_of("rise_a_mm"), header_of("b_port"), header_of("power_max_mw")
    ('rise, first end (mm)', 'second end: port', 'power max (mW)')
    """
    if name in _HEADERS:
        return _HEADERS[name]
    words = name.split("_")
    unit = _UNITS[words.pop()] if len(words) > 1 and words[-1] in _UNITS else ""
    end = ""
    if words[0] in ("a", "b") and len(words) > 1:
        text = {"a": "first", "b": "second"}[words.pop(0)] + " end: " + " ".join(words)
    else:
        if words[-1] in ("a", "b"):
            end = {"a": ", first end", "b": ", second end"}[words.pop()]
        text = " ".join(words) + end
    return f"{text} ({unit})" if unit else text


def _sheet(name: str, keys: int, planned: str, crew: str = "") -> Sheet:
    """Return a sheet from column names separated by spaces, each with its type after a colon unless it is text."""
    columns = []
    for text, by_crew in ((planned, False), (crew, True)):
        for entry in text.split():
            column, _, content = entry.partition(":")
            columns.append(Column(column, header_of(column), content or "text", by_crew))
    return Sheet(name, tuple(columns), keys)


_SHEETS = (
    _sheet(
        "cables", 1,
        "cable:whole kind label_a label_b a_cabinet a_unit:whole a_device a_port:whole b_cabinet b_unit:whole b_device "
        "b_port:whole part end_part end_part_b medium stock_mm:whole run_mm:whole rise_a_mm:whole drop_a_mm:whole "
        "tray_mm:whole drop_b_mm:whole rise_b_mm:whole slack_ends_mm:whole slack_loops_mm:whole slack_share_mm:whole "
        "override_mm:whole margin_mm:whole a_side b_side a_jumper_mm:whole b_jumper_mm:whole trays bundle:whole stage",
        "installed:tick actual_mm:whole installer:note installed_on:date remark:note",
    ),
    _sheet(
        "cabinets", 1,
        "cabinet row routers:whole endpoints:whole used_units:whole units:whole cables_listed:whole power_typical_mw:whole "
        "power_max_mw:whole power_limit_mw:whole load_g:whole load_limit_g:whole floor_g:whole floor_limit_g:whole",
        "installed:tick remark:note",
    ),
    _sheet(
        "routers", 1,
        "router cabinet rack_unit:whole units:whole part ports:whole links:whole endpoints:whole free_ports:whole group address "
        "plugs power_typical_mw:whole power_max_mw:whole mass_g:whole",
        "installed:tick serial_number:note remark:note",
    ),
    _sheet(
        "ports", 2,
        "device port:whole kind cabinet rack_unit:whole cage:whole cable:whole label far_device far_port:whole far_cabinet "
        "far_rack_unit:whole",
    ),
    _sheet(
        "bundles", 1,
        "bundle:whole kind part a_cabinet b_cabinet links:whole capacity:whole diameter_um:whole bend_mm:whole run_mm:whole "
        "stock_mm:whole",
        "installed:tick remark:note",
    ),
    _sheet(
        "trays", 1,
        "segment:whole tray kind carries a_x_mm:whole a_y_mm:whole a_z_mm:whole b_x_mm:whole b_y_mm:whole b_z_mm:whole "
        "length_mm:whole cross_section_mm2:whole cables:whole fill_um2:whole fill_percent:number design_percent:number",
        "installed:tick remark:note",
    ),
    _sheet(
        "bill", 0,
        "category part description quantity:whole unit_cents:whole cents:whole currency power_mw:whole mass_g:whole confidence "
        "stock_mm:whole",
    ),
    _sheet("violations", 0, "severity rule where value:number limit:number unit message"),
    _sheet("link load", 1, "cable:whole label_a label_b part offered_load:number forward_load:number backward_load:number"),
    _sheet("quantities", 1, "quantity value:figure unit"),
    _sheet("assumptions", 0, "row confidence estimated source date note"),
    _sheet("plan", 1, "item value:figure"),
)  # fmt: skip

SHEETS = {sheet.name: sheet for sheet in _SHEETS}
"""Every sheet of the workbook, in order. The sheet `plan` identifies the plan and has the number of rows of the others."""
