"""Records on disk: one .npz per record, written under a temporary name and renamed. No pickle."""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import numpy as np

from planner.errors import InputError, Problem
from planner.record import Record, plain

R = TypeVar("R", bound=Record)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside `path`, and rename it to `path` when the block succeeds.

    A block that fails leaves nothing behind and the old file as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}.", suffix=f".partial{path.suffix}")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(content: Any, path: Path) -> None:
    """Write JSON with sorted keys."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(plain(content), indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def save(record: Record, path: Path) -> None:
    """Write a record to an .npz file."""
    arrays, other = {}, {}
    for spec in dataclasses.fields(record):
        content = getattr(record, spec.name)
        if isinstance(content, np.ndarray):
            arrays[spec.name] = content
        else:
            other[spec.name] = plain(content)
    text = json.dumps({"record": type(record).__name__, "fields": other}, sort_keys=True)
    with replacing(path) as temporary:
        np.savez_compressed(temporary, _json=np.frombuffer(text.encode(), np.uint8), **arrays)


def restore(cls: type[R], path: Path) -> R:
    """Read a record that `save` wrote.

    Raises
    ------
    InputError
        When the file is missing, damaged or holds something else.
    """
    from pydantic import TypeAdapter

    hints = get_type_hints(cls)
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            content = {name: file[name] for name in file.files}
        header = json.loads(content.pop("_json").tobytes())
        if header["record"] != cls.__name__:
            raise ValueError(f"it holds a {header['record']}")
        for name, given in header["fields"].items():
            content[name] = TypeAdapter(hints[name]).validate_json(json.dumps(given))
        return cls(**content)
    except Exception as error:  # a damaged archive may fail in any of a dozen ways
        remedy = f"remove it and run the study again ({type(error).__name__}: {str(error)[:120]})"
        raise InputError(Problem("", f"is not a readable {cls.__name__} record", remedy, str(path))) from None
