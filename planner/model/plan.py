"""All records of one study."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.record import Record

for _file in sorted(Path(__file__).parent.glob("*.py")):
    if _file.stem not in ("__init__", Path(__file__).stem):
        import_module(f"planner.model.{_file.stem}")

RECORDS: dict[str, type[Record]] = {kind.record_name: kind for kind in Record.__subclasses__() if kind.record_name}
"""Types of the records of a plan by name: all that the files of this folder declare."""


def _with_records(plan: type) -> type:
    """Declare a field for each record: the record of the stage with that name, None until it has run."""
    for name, kind in RECORDS.items():
        plan.__annotations__[name] = kind | None
        setattr(plan, name, field(default=None, kw_only=True))
    return plan


@dataclass(frozen=True, eq=False)
@_with_records
class Plan:
    """All records of one study: those of the stages that ran, the quantities and the provenance.

    Each record is an attribute with the name of its stage: ``plan.room``, ``plan.cables``; None if the stage did not run.
    """

    name: str
    title: str
    study: dict[str, Any]
    quantities: dict[str, Any] = field(default_factory=dict, kw_only=True)
    provenance: dict[str, Any] = field(default_factory=dict, kw_only=True)

    if TYPE_CHECKING:

        def __init__(self, name: str, title: str, study: dict[str, Any], **given: Any) -> None: ...

        def __getattr__(self, name: str) -> Any: ...
