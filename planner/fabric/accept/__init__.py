"""Acceptance of a built network: cabling record, fabric report, measured optical loss, bit error ratios, signatures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.domain.model import Plan
from planner.fabric import baseline
from planner.fabric.accept._accept import accepted, plan_of
from planner.fabric.accept._ber import ber_results, bound_of, minutes_needed
from planner.fabric.accept._loss import Channel, LossRules, loss_results
from planner.fabric.accept._measured import COLUMNS, columns_of, read_loss
from planner.fabric.accept._record import Acceptance, BerResult, CableRecord, CrewNote, LossResult, LossTest, OpenPoint, ScanFile
from planner.fabric.accept.outputs import write
from planner.fabric.verify.parts import Limits
from planner.fabric.verify.result import Source
from planner.fabric.verify.run import verified
from planner.formats import WHOLE, Selection
from planner.formats import workbook as workbooks

__all__ = [
    "COLUMNS",
    "Acceptance",
    "BerResult",
    "CableRecord",
    "Channel",
    "CrewNote",
    "LossResult",
    "LossRules",
    "LossTest",
    "OpenPoint",
    "ScanFile",
    "accepted",
    "ber_results",
    "bound_of",
    "columns_of",
    "examined_files",
    "loss_results",
    "minutes_needed",
    "plan_of",
    "read_loss",
    "scan_files",
    "write",
]


def examined_files(
    plan: Path,
    files: Sequence[Path],
    *,
    loss: Path | None = None,
    columns: Mapping[str, str] | None = None,
    ber: float | None = None,
    workbook: Path | None = None,
    names: Path | None = None,
    anchors: Path | None = None,
    selection: Selection = WHOLE,
    progress: Progress = silent,
) -> tuple[Acceptance, Plan]:
    """Return the acceptance of a built network, and the plan for the headers of its sheets.

    Parameters
    ----------
    plan
        Folder of the plan, or its cable schedule as CSV or workbook.
    files
        Discovery files, folders of them, or archives.
    loss, columns
        Measured optical loss as CSV, and its headings by `COLUMNS`.
    ber
        Maximum symbol and effective bit error ratio; without it that of the catalog.
    workbook
        Workbook of the plan that the crew filled in; without it a plan that is a workbook.
    names, anchors, selection
        See `planner.fabric.verify.run.verified`.

    Raises
    ------
    InputError
        With all problems of the plan, the files, the measurements and the workbook.
    """
    if columns and loss is None:
        raise InputError(Problem("columns", "names headings, and there are no measurements", "give --loss"))
    own = baseline.read(plan)
    tests = None if loss is None else read_loss(loss, own.rows, columns)
    book = workbook or (plan if plan.suffix.lower() == ".xlsx" else None)
    noted = None if book is None else workbooks.read(book)
    verification = verified(plan, files, names=names, anchors=anchors, selection=selection, progress=progress)
    limits = Limits.usual(symbol_ber=ber, effective_ber=ber)
    found = accepted(own, verification, files=scan_files(files, verification.sources), loss=tests, workbook=noted, limits=limits)
    return found, plan_of(found, own)


def scan_files(paths: Sequence[Path], sources: Iterable[Source] = ()) -> list[ScanFile]:
    """Return name, formats, time and hash of discovery files, folders and archives.

    Parameters
    ----------
    sources
        What was read from them; of several, the first and the last time.

    Raises
    ------
    InputError
        When a file cannot be read.
    """
    found = []
    listed = list(sources)
    for path in paths:
        own = [each for each in listed if each.file == str(path) or each.file.startswith((f"{path}:", f"{path}/"))]
        formats = ", ".join(sorted({each.format for each in own}))
        times = sorted({each.taken for each in own} - {""})
        taken = " to ".join(dict.fromkeys(times[:1] + times[-1:]))
        found.append(ScanFile(path.name, formats, taken, "" if path.is_dir() else _hash(path)))
    return found


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(Problem("", f"cannot be read: {error.strerror}", "check the name", str(path))) from None
