"""Immutable records: arrays with declared dtype, shape, unit and meaning.

A record is a frozen dataclass. Each array field is declared once with `array`. The declaration drives the check on
construction, the read-only C-contiguous copy, the fingerprint, the file format (`planner.core.storage`) and the page
``docs/data-model.md``.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import field
from datetime import date
from functools import cached_property
from pathlib import PurePath
from typing import Any, ClassVar

import numpy as np

from planner.core.errors import CheckFailed


def array(dtype: str, shape: str, meaning: str, unit: str = "") -> Any:
    """Declare an array field.

    Parameters
    ----------
    dtype
        NumPy dtype name; ``"str"`` for unicode text of any width.
    shape
        Comma-separated sizes: a number, a symbol (the same symbol means the same size throughout
        the record) or a symbol plus a number: ``"L,2"``, ``"R+1"``.
    meaning, unit
        Description and unit, shown in the data model page.
    """
    return field(metadata={"dtype": dtype, "shape": shape, "meaning": meaning, "unit": unit})


def value(meaning: str, unit: str = "", **options: Any) -> Any:
    """Declare a field that is not an array; `options` are passed to `dataclasses.field`."""
    return field(metadata={"meaning": meaning, "unit": unit}, **options)


class Record:
    """Base class of all records; subclasses are ``@dataclass(frozen=True, eq=False)``.

    A record of a plan is declared with its name there, that of the stage that computes it, and the records that it is computed
    from: ``class Bill(Record, name="bill", needs=("inventory", "cables"))``. `network_needs` are those in a plan without a room;
    None if such a plan has no record of this name.
    """

    record_name: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ()
    network_needs: ClassVar[tuple[str, ...] | None] = None

    def __init_subclass__(cls, name: str = "", needs: tuple[str, ...] = (), network_needs: tuple[str, ...] | None = None) -> None:
        cls.record_name, cls.needs, cls.network_needs = name, needs, network_needs

    def __post_init__(self) -> None:
        sizes: dict[str, int] = {}
        for spec in dataclasses.fields(self):
            given = getattr(self, spec.name)
            if "dtype" in spec.metadata:
                checked = _checked(type(self).__name__, spec, given, sizes)
                object.__setattr__(self, spec.name, checked)
            elif isinstance(given, dict):
                object.__setattr__(self, spec.name, _frozen(given))

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Copies from other processes are immutable, too.
        self.__dict__.update(state)
        for content in state.values():
            if isinstance(content, np.ndarray):
                content.setflags(write=False)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the content; equal records have equal fingerprints on any machine."""
        digest = hashlib.sha256(type(self).__name__.encode())
        for spec in dataclasses.fields(self):
            content = getattr(self, spec.name)
            digest.update(spec.name.encode())
            if isinstance(content, np.ndarray):
                digest.update(f"{content.dtype.str}{content.shape}".encode())
                digest.update(content.tobytes())
            else:
                digest.update(json.dumps(plain(content), sort_keys=True).encode())
        return digest.hexdigest()[:16]


def plain(content: Any) -> Any:
    """Convert `content` to JSON-compatible dicts, lists, numbers and text."""
    if dataclasses.is_dataclass(content) and not isinstance(content, type):
        return {f.name: plain(getattr(content, f.name)) for f in dataclasses.fields(content)}
    if isinstance(content, dict):
        return {str(key): plain(item) for key, item in content.items()}
    if isinstance(content, list | tuple):
        return [plain(item) for item in content]
    if isinstance(content, np.generic):
        return content.item()
    if isinstance(content, np.ndarray):
        return content.tolist()
    if isinstance(content, PurePath | date):
        return str(content)
    return content


def _frozen(content: Any) -> Any:
    """Convert free-form content to what a file restores, tuples and plain values, so that resumed runs print the same."""
    if isinstance(content, dict):
        return {str(key): _frozen(item) for key, item in content.items()}
    if isinstance(content, list | tuple):
        return tuple(_frozen(item) for item in content)
    return plain(content)


def _checked(owner: str, spec: dataclasses.Field, given: Any, sizes: dict[str, int]) -> np.ndarray:
    meta = spec.metadata
    wanted = np.dtype(np.str_) if meta["dtype"] == "str" else np.dtype(meta["dtype"])
    content = np.asarray(given)
    if content.size == 0 and content.ndim < meta["shape"].count(",") + 1:
        content = content.reshape(tuple(0 if part.isidentifier() else int(part) for part in meta["shape"].split(",")))
    if wanted.kind != "U" and content.size and not np.array_equal(content.astype(wanted), content, equal_nan=wanted.kind == "f"):
        raise CheckFailed(f"{owner}.{spec.name} does not fit {wanted}")
    content = np.array(content, dtype=content.dtype if wanted.kind == "U" and content.dtype.kind == "U" else wanted, order="C")
    _check_shape(f"{owner}.{spec.name}", meta["shape"], content.shape, sizes)
    content.setflags(write=False)
    return content


def _check_shape(name: str, declared: str, shape: tuple[int, ...], sizes: dict[str, int]) -> None:
    parts = declared.split(",")
    if len(parts) != len(shape):
        raise CheckFailed(f"{name} has {len(shape)} dimensions, declared as ({declared})")
    for part, size in zip(parts, shape, strict=True):
        symbol, _, offset = part.partition("+")
        expected = int(symbol) if symbol.isdigit() else sizes.setdefault(symbol, size - int(offset or 0)) + int(offset or 0)
        if expected != size:
            raise CheckFailed(f"{name} has shape {shape}, declared as ({declared}) with {part} = {expected}")
