"""Signatures of kernels as text, and the list of those that commands use, `signatures.jsonl`.

An array is ``"int32 2 C"``: dtype, dimensions and order, with ``readonly`` or ``unaligned`` where it is. The dtype of an array of
records is the name of its declaration. A tuple is a list, and a ``NamedTuple`` its name with the list of its fields.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types

LIST = Path(__file__).with_name("signatures.jsonl")


class Kernel(NamedTuple):
    """A kernel to be compiled."""

    name: str
    """Dotted name."""
    arguments: list[Any]
    """Types of its arguments as text."""
    seconds: float
    """CPU time to compile it."""


def read(path: Path) -> list[Kernel]:
    """Return the kernels of a list, one in a line; none where there is no such file."""
    if not path.is_file():
        return []
    return [Kernel(*json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def found(name: str) -> Any:
    """Return the object of a dotted name; its module is imported."""
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def texts(kinds: Iterable[types.Type]) -> list[Any]:
    """Return types as text."""
    return [_text(kind) for kind in kinds]


def kinds(texts: Iterable[Any]) -> tuple[types.Type, ...]:
    """Return the types of which `texts` returned the text."""
    return tuple(_kind(text) for text in texts)


def _text(kind: types.Type) -> Any:
    if isinstance(kind, types.Array):
        words = [_dtype(kind.dtype), str(kind.ndim), kind.layout]
        return " ".join(words + ["readonly"] * (not kind.mutable) + ["unaligned"] * (not kind.aligned))
    if isinstance(kind, types.BaseNamedTuple):
        return {f"{kind.instance_class.__module__}.{kind.instance_class.__qualname__}": texts(kind.types)}
    return texts(kind.types) if isinstance(kind, types.BaseTuple) else str(kind)


def _dtype(kind: types.Type) -> str:
    """Return the name of a dtype; records are declared as constants of modules of this package."""
    if not isinstance(kind, types.Record):
        return str(kind)
    modules = sorted(name for name in sys.modules if name.startswith("planner."))
    names = (
        f"{module}.{name}"
        for module in modules
        for name, value in vars(sys.modules[module]).items()
        if isinstance(value, np.dtype) and value.names and from_dtype(value) == kind
    )
    return next(names, str(kind))


def _kind(text: Any) -> types.Type:
    if isinstance(text, list):
        return types.BaseTuple.from_types(kinds(text))
    if isinstance(text, dict):
        ((name, fields),) = text.items()
        return types.BaseTuple.from_types(kinds(fields), found(name))
    dtype, *words = text.split()
    scalar = from_dtype(found(dtype)) if "." in dtype else getattr(types, dtype)
    if not words:
        return scalar
    dimensions, order, *more = words
    return types.Array(scalar, int(dimensions), order, readonly="readonly" in more, aligned="unaligned" not in more)
