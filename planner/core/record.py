"""Immutable records: arrays with declared dtype, shape, unit and meaning.

A record is a frozen dataclass. Each array field is declared once with `array`. The declaration drives the check on
construction, the read-only C-contiguous copy, the fingerprint, the file format (`planner.core.storage`) and the page
``docs/data-model.md``.

Records outlive the version of the program that stored them. A field added later has a default, which older files get. Any other
change of what is stored is a migration: a function that changes the content of an older file, see `Record`.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import field
from datetime import date
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from planner.core.errors import CheckFailed


def array(dtype: str, shape: str, meaning: str, unit: str = "", *, default: Any = None) -> Any:
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
    default
        Value of all entries where the array is not given, as in files written before the field was declared; its sizes are
        those of other arrays. None if the array must be given.
    """
    metadata = {"dtype": dtype, "shape": shape, "meaning": meaning, "unit": unit, "default": default}
    return field(metadata=metadata) if default is None else field(metadata=metadata, default=None, kw_only=True)


def value(meaning: str, unit: str = "", **options: Any) -> Any:
    """Declare a field that is not an array; `options` are passed to `dataclasses.field`."""
    return field(metadata={"meaning": meaning, "unit": unit}, **options)


Migration = Callable[[dict[str, Any]], None]
"""Changes the stored content of a record, arrays and plain values by field, to that of its next version."""


class Record:
    """Base class of all records; subclasses are ``@dataclass(frozen=True, eq=False)``.

    A record of a plan is declared with its name there, that of the stage that computes it, and the records that it is computed
    from: ``class Bill(Record, name="bill", needs=("inventory", "cables"))``. `network_needs` are those in a plan without a room;
    None if such a plan has no record of this name.

    `migrations` are functions that take the stored content of the record, arrays and plain values by field, as the version of the
    record before them had it, and change it to that of the next. The version of a record is one more than their number::

        def _links_have_a_class(stored):
            stored["link_class"] = stored.pop("link_kind")

        class Topology(Record, name="topology", migrations=(_links_have_a_class,))
    """

    if TYPE_CHECKING:
        # Every subclass is a dataclass.
        __dataclass_fields__: ClassVar[dict[str, Any]]

    record_name: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ()
    network_needs: ClassVar[tuple[str, ...] | None] = None
    migrations: ClassVar[tuple[Migration, ...]] = ()

    def __init_subclass__(
        cls,
        name: str = "",
        needs: tuple[str, ...] = (),
        network_needs: tuple[str, ...] | None = None,
        migrations: tuple[Migration, ...] = (),
    ) -> None:
        cls.record_name, cls.needs, cls.network_needs, cls.migrations = name, needs, network_needs, migrations

    def __post_init__(self) -> None:
        sizes: dict[str, int] = {}
        absent = []
        for spec in dataclasses.fields(self):
            given = getattr(self, spec.name)
            if given is None and spec.metadata.get("default") is not None:
                absent.append(spec)
            elif "dtype" in spec.metadata:
                checked = _checked(type(self).__name__, spec, given, sizes)
                object.__setattr__(self, spec.name, checked)
            elif isinstance(given, dict):
                object.__setattr__(self, spec.name, _frozen(given))
        for spec in absent:
            object.__setattr__(self, spec.name, _filled(type(self).__name__, spec, sizes))

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Copies from other processes are immutable, too.
        self.__dict__.update(state)
        for content in state.values():
            if isinstance(content, np.ndarray):
                content.setflags(write=False)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the content; equal records have equal fingerprints on any machine."""
        names = sorted(spec.name for spec in dataclasses.fields(self))
        return fingerprint_of(type(self).__name__, ((name, getattr(self, name)) for name in names))


def fingerprint_of(record: str, content: Iterable[tuple[str, Any]]) -> str:
    """Return the hash of the content of a record: the name of its type, and names and contents of its fields in this order."""
    digest = hashlib.sha256(record.encode())
    for name, given in content:
        digest.update(name.encode())
        if isinstance(given, np.ndarray):
            digest.update(f"{given.dtype.str}{given.shape}".encode())
            digest.update(given.tobytes())
        else:
            digest.update(json.dumps(plain(given), sort_keys=True).encode())
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


def _filled(owner: str, spec: dataclasses.Field, sizes: dict[str, int]) -> np.ndarray:
    """Return an array that was not given: its default for every entry, in the sizes that other arrays have."""
    shape = []
    for part in spec.metadata["shape"].split(","):
        symbol, _, offset = part.partition("+")
        if not symbol.isdigit() and symbol not in sizes:
            raise CheckFailed(f"{owner}.{spec.name} has a default, and no other array has the size {symbol}")
        shape.append((int(symbol) if symbol.isdigit() else sizes[symbol]) + int(offset or 0))
    content = np.full(shape, spec.metadata["default"], None if spec.metadata["dtype"] == "str" else spec.metadata["dtype"])
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
