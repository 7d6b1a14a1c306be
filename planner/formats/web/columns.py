"""Declared columns and arrays on the page, each array in the narrowest type, so that a page of 20,000 cables stays small."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from planner.view.tables import Column, Table

_WHOLE = ("u1", "u2", "u4", "i1", "i2", "i4")
"""Types of whole numbers that a browser reads as they are, in the order in which they are tried."""


_WIDE = 36
"""Width in the workbook, in characters, from which on cells of the page wrap."""


def with_columns(table: Table, data: Any, arrays: dict[str, Any], *, objects: bool = True) -> dict[str, Any]:
    """Return the arrays of a table's objects, with those of its columns that they lack, and its columns.

    Parameters
    ----------
    data
        The table's data, in the order of the arrays.
    arrays
        Arrays that the page needs anyway, by name.
    objects
        Whether rows are objects of the page, which the first column names.
    """
    columns = [column for column in table.columns if column.run_part or {"page", "card"} & set(column.shown)]
    own = table.columns[0] if objects else None
    lacking = [column for column in columns if (column.array or column.name) not in arrays and column is not own]
    added = {
        column.name: _numbers(cells) if column.is_number else texts(cells)
        for column, cells in zip(lacking, table.cells(data, lacking), strict=True)
    }
    return {**arrays, **added, "columns": [_described(column, column is own) for column in columns]}


def _described(column: Column, own: bool) -> dict[str, Any]:
    """Return what the page needs to show a column; that of the objects' own names needs no array."""
    factor, decimals, unit = column.common
    return {
        "title": column.title, "heading": column.heading, "array": None if own else column.array or column.name,
        "side": column.side, "link": column.link, "number": column.is_number, "factor": factor, "decimals": decimals,
        "unit": unit, "page": "page" in column.shown, "card": "card" in column.shown, "part": column.run_part,
        "wide": (column.width or 0) >= _WIDE,
    }  # fmt: skip


def _numbers(cells: Sequence[Any]) -> dict[str, str]:
    """Return numbers as an array; empty cells are not numbers."""
    return packed(np.array(cells, float) if None in cells else cells)


def texts(cells: Sequence[str]) -> list[str] | dict[str, Any]:
    """Return texts as a list, or where many are equal as the distinct ones with the index of each.

    Examples
    --------
    >>> texts(["a", "b"]), texts(["a", "a", "a"])
    (['a', 'b'], {'texts': ['a'], 'index': {'dtype': 'u1', 'base64': 'AAAA'}})
    """
    distinct = {text: number for number, text in enumerate(dict.fromkeys(cells))}
    if 2 * len(distinct) >= len(cells):
        return list(cells)
    return {"texts": list(distinct), "index": packed([distinct[text] for text in cells])}


def packed(values: np.ndarray | Sequence[float]) -> dict[str, str]:
    """Return an array, flattened by rows, as ``{"dtype": …, "base64": …}``; little-endian.

    Examples
    --------
    >>> packed([1, 2, 300])
    {'dtype': 'u2', 'base64': 'AQACACwB'}
    """
    values = np.ravel(np.asarray(values))
    dtype = _narrowest(values)
    return {"dtype": dtype, "base64": base64.b64encode(values.astype(f"<{dtype}").tobytes()).decode("ascii")}


def _narrowest(values: np.ndarray) -> str:
    if values.dtype.kind == "b":
        return "u1"
    if values.dtype.kind == "f":
        return "f4" if values.dtype.itemsize <= 4 else "f8"
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    for name in _WHOLE:
        limits = np.iinfo(name)
        if limits.min <= low and high <= limits.max:
            return name
    # Integers beyond 32 bits: a browser is exact up to 2⁵³, far above any length, price or power here.
    return "f8"
