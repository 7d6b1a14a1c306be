"""Cable schedule as Parquet, one row per cable: typed columns for data frames, also of millions of cables."""

from __future__ import annotations

from pathlib import Path

import pyarrow
from pyarrow import parquet

from planner.domain.model import Plan
from planner.view.selection import WHOLE, Selection
from planner.view.tables import tables_of

_TYPES = {"text": pyarrow.string(), "whole": pyarrow.int64(), "number": pyarrow.float64(), "figure": pyarrow.string()}


def write(plan: Plan, path: Path, *, selection: Selection = WHOLE) -> None:
    """Write the columns of the cable schedule in CSV, with the same names and units, texts as dictionaries.

    Columns are made one after the other, since all cells of millions of cables together take more memory than their plan.

    Parameters
    ----------
    selection
        Which cables.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.

    References
    ----------
    .. [1] Apache Parquet format, https://parquet.apache.org/docs/file-format/
    """
    chosen, cables = pyarrow.array(selection.cables(plan)), tables_of(plan)["cables"]
    data, columns = cables.data(plan), {}
    for column in cables.planned:
        (cells,) = cables.cells(data, [column])
        array = pyarrow.array(cells, _TYPES[column.content]).take(chosen)
        columns[column.name] = array.dictionary_encode() if column.content == "text" else array
    parquet.write_table(pyarrow.table(columns), path, compression="zstd")
