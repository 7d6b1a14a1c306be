"""Changes of single fields of records: each gives the record with one field made wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import islice
from typing import Any, get_args, get_type_hints

import numpy as np

from planner.core.errors import CheckFailed
from planner.core.record import Record

Change = tuple[str, str, Record | Exception]
"""Name of the field, what was done, and the changed record; the error where no such record can be made."""

Other = tuple[str, Any]
"""What was done, and the other content."""


def changes(record: Record, parts: int | None = None) -> Iterator[Change]:
    """Yield changes of every field of a record, at least two of each field that has two other contents.

    Parameters
    ----------
    parts
        How many fields of a part, such as a line of the bill, are changed; by default all.
    """
    hints = get_type_hints(type(record))
    for spec in dataclasses.fields(record):
        content = getattr(record, spec.name)
        if content is None:
            found = _in_place_of_none(hints[spec.name])
        else:
            found = _of_array(content) if isinstance(content, np.ndarray) else _of_value(content, parts)
        for what, changed in found:
            try:
                yield spec.name, what, dataclasses.replace(record, **{spec.name: changed})
            except (CheckFailed, OverflowError, ValueError) as error:
                yield spec.name, what, error


def _of_array(content: np.ndarray) -> Iterator[Other]:
    """Other values in the middle and in the last place, and two unlike elements exchanged."""
    if not content.size:
        return
    text = content.dtype.kind == "U"
    for place in sorted({content.size // 2, content.size - 1}):
        changed = content.astype(object) if text else content.copy()
        changed.flat[place] = _other(content.flat[place].item())
        yield f"element {place}", changed.astype(str) if text else changed
    unlike = np.flatnonzero(content.ravel() != content.flat[0])
    if len(unlike):
        changed = content.copy()
        changed.flat[0], changed.flat[unlike[-1]] = content.flat[unlike[-1]], content.flat[0]
        yield f"elements 0 and {unlike[-1]} exchanged", changed


def _other(content: Any) -> Any:
    if isinstance(content, bool):
        return not content
    if isinstance(content, int):
        return content + 1 if content < 2**31 - 1 else content - 1
    if isinstance(content, float):
        return 0.5 if np.isnan(content) else content * 1.2345 + 0.0123
    return content + "x"


def _in_place_of_none(kinds: Any) -> Iterator[Other]:
    """A number where none is stated; a part of the catalog would need a whole row."""
    if int in get_args(kinds) or float in get_args(kinds):
        yield "1234 in place of none", 1234
        yield "1 in place of none", 1


def _of_value(content: Any, parts: int | None) -> Iterator[Other]:
    if isinstance(content, bool):
        yield "the contrary", not content
    elif isinstance(content, int | float):
        yield "more", _other(content)
        yield "less", content - (1 if isinstance(content, int) else 0.25)
    elif isinstance(content, str):
        yield "another text", content + "x"
        yield "no text" if content else "a text", "" if content else "loom"
    elif isinstance(content, dict):
        for key in list(content)[:1]:
            yield "without a key", {k: v for k, v in content.items() if k != key}
            for what, changed in _of_value(content[key], parts):
                yield f"{key}: {what}", content | {key: changed}
    elif isinstance(content, tuple) and content:
        yield "without the last", content[:-1]
        yield "the last twice", (*content, content[-1])
        for what, changed in _of_value(content[0], parts):
            yield f"the first: {what}", (changed, *content[1:])
    elif dataclasses.is_dataclass(content):
        for spec in islice(dataclasses.fields(content), parts):
            for what, changed in _of_value(getattr(content, spec.name), parts):
                yield f"{spec.name}: {what}", dataclasses.replace(content, **{spec.name: changed})
