"""Changes of single fields of records: each returns the record with one field made wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import numpy as np

from planner.errors import CheckFailed
from planner.record import Record

Change = tuple[str, str, Any]
"""Name of the field (of a part of it), what was done, and the changed record; an error where it cannot be made."""


def changes(record: Record) -> Iterator[Change]:
    """Yield changes of every field of a record, at least two of each field that has two other values."""
    for spec in dataclasses.fields(record):
        content = getattr(record, spec.name)
        if content is None:
            found = _in_place_of_none(get_type_hints(type(record))[spec.name])
        else:
            found = _of_array(content) if isinstance(content, np.ndarray) else _of_value(content, spec.name)
        for field, what, changed in found:
            try:
                yield field or spec.name, what, dataclasses.replace(record, **{spec.name: changed})
            except (CheckFailed, OverflowError, ValueError) as error:
                yield field or spec.name, what, error


def _of_array(content: np.ndarray) -> Iterator[Change]:
    """Changes of the first, the last, and a middle element; two elements that differ change places."""
    if not content.size:
        return
    for place in sorted({0, content.size // 2, content.size - 1}):
        changed = content.copy() if content.dtype.kind != "U" else content.astype(object)
        changed.flat[place] = _other(content.flat[place].item())
        yield "", f"element {place}", changed.astype(str) if content.dtype.kind == "U" else changed
    differs = np.flatnonzero(content.ravel() != content.flat[0])
    if len(differs):
        changed = content.copy()
        changed.flat[0], changed.flat[differs[-1]] = content.flat[differs[-1]], content.flat[0]
        yield "", f"elements 0 and {differs[-1]} change places", changed


def _other(content: Any) -> Any:
    if isinstance(content, bool):
        return not content
    if isinstance(content, int):
        return content + 1 if content < 2**31 - 1 else content - 1
    if isinstance(content, float):
        return 0.5 if np.isnan(content) else content * 1.2345 + 0.0123
    return content + "x"


def _in_place_of_none(kinds: Any) -> Iterator[Change]:
    """A number or text where nothing is stated; a part of the catalog would need a whole row."""
    if int in get_args(kinds) or float in get_args(kinds):
        yield "", "1234 in place of none", 1234
        yield "", "1 in place of none", 1


def _of_value(content: Any, name: str) -> Iterator[Change]:
    """Changes of a field that is no array; parts of it are named by a dot."""
    if content is None:
        return
    if isinstance(content, bool):
        yield "", "the contrary", not content
    elif isinstance(content, int | float):
        for what, changed in (("more", _other(content)), ("less", content - (1 if isinstance(content, int) else 0.25))):
            yield "", what, changed
    elif isinstance(content, str):
        yield "", "another text", content + "x"
        yield "", "no text" if content else "a text", "" if content else "loom"
    elif isinstance(content, dict):
        for key in list(content)[:1]:
            yield "", "without a key", {k: v for k, v in content.items() if k != key}
            for _, what, changed in _of_value(content[key], name):
                yield "", f"{key}: {what}", content | {key: changed}
    elif isinstance(content, tuple):
        yield from _of_tuple(content, name)
    elif dataclasses.is_dataclass(content):
        yield from _of_part(content, name)


def _of_tuple(content: tuple, name: str) -> Iterator[Change]:
    if not content:
        return
    yield "", "without the last", content[:-1]
    yield "", "the last twice", (*content, content[-1])
    for place in sorted({0, len(content) - 1}):
        for field, what, changed in _of_value(content[place], name):
            yield field, f"{place}: {what}", (*content[:place], changed, *content[place + 1 :])


def _of_part(part: Any, name: str) -> Iterator[Change]:
    for spec in dataclasses.fields(part):
        content = getattr(part, spec.name)
        if isinstance(content, np.ndarray):
            continue
        for field, what, changed in _of_value(content, spec.name):
            yield f"{name}.{field or spec.name}", what, dataclasses.replace(part, **{spec.name: changed})
