"""Records on disk: one .npz file per record, written atomically, without pickle."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_type_hints

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.locks import lock
from planner.core.plans_of_0_1 import order_of_0_1
from planner.core.record import Record, fingerprint_of, plain

if TYPE_CHECKING:
    from pydantic import TypeAdapter

R = TypeVar("R", bound=Record)


MAX_BYTES = 2**32
"""Maximum unpacked size of a record, since a small archive can unpack to any size."""

LARGE_BYTES, QUICK_LEVEL = 2**26, 1
"""Records above this size are compressed at this level, in a quarter of the time."""

_FULL = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file-size limit is reached",
}


@contextmanager
def replacing(path: Path, needs_bytes: int = 0) -> Iterator[Path]:
    """Yield a temporary path next to `path`, and rename it to `path` when the block succeeds.

    If the block fails, the temporary file is removed and the old file stays unchanged. Files left by a killed process are removed
    by the next one that writes to the same folder.

    Parameters
    ----------
    path
        The file to write.
    needs_bytes
        Upper bound of its size if known, for the message about a full disk.

    Raises
    ------
    OSError
        When the file cannot be written; for a full disk the message states the required and the free space.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(path.parent.resolve())
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}.", suffix=f".partial{path.suffix}")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    temporary = Path(name)
    try:
        # The lock is released when the process ends, which distinguishes leftovers from files being written.
        lock(handle)
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        os.replace(temporary, path)
    except Exception as error:
        if (full := _full(error)) is not None:
            raise _no_space(full, path, temporary, needs_bytes) from None
        raise
    finally:
        temporary.unlink(missing_ok=True)
        os.close(handle)


@cache
def _remove_leftovers(folder: Path) -> None:
    """Remove temporary files of killed processes, once per folder."""
    for entry in folder.glob(".*.partial*"):
        with suppress(OSError), entry.open("rb") as file:
            lock(file.fileno(), wait=False)
            entry.unlink()


def _full(error: BaseException | None) -> OSError | None:
    """Return the error about a full disk that caused an error, since archives raise others while closing."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _FULL:
            return error
        error = error.__cause__ or error.__context__
    return None


def _no_space(error: OSError, path: Path, temporary: Path, needs_bytes: int) -> OSError:
    written = temporary.stat().st_size if temporary.exists() else 0
    need = f"up to {needs_bytes / 1e6:,.1f} MB" if needs_bytes else f"more than {written / 1e6:,.1f} MB"
    free = shutil.disk_usage(path.parent).free
    remedy = f"the file needs {need}, {free / 1e6:,.1f} MB are free; make room or choose another folder with --out"
    return OSError(error.errno, f"cannot be written, {_FULL[error.errno or 0]}: {remedy}", str(path))


def write_json(content: Any, path: Path) -> None:
    """Write JSON with sorted keys."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(plain(content), indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def write_toml(content: dict[str, Any], path: Path) -> None:
    """Write data, such as an expanded study, as TOML; values that are None are left out."""
    import tomli_w

    with replacing(path) as temporary:
        temporary.write_text(tomli_w.dumps(_stated(content)), encoding="utf-8")


def _stated(content: Any) -> Any:
    """Return study data without keys that are None, which TOML cannot express."""
    if isinstance(content, dict):
        return {key: _stated(value) for key, value in content.items() if value is not None}
    return [_stated(value) for value in content] if isinstance(content, list) else content


def save(record: Record, path: Path) -> None:
    """Write a record to an .npz file."""
    arrays, other = {}, {}
    for spec in dataclasses.fields(record):
        content = getattr(record, spec.name)
        if isinstance(content, np.ndarray):
            arrays[spec.name] = content
        else:
            other[spec.name] = plain(content)
    text = json.dumps({"record": type(record).__name__, "version": len(record.migrations) + 1, "fields": other})
    size = len(text) + sum(content.nbytes for content in arrays.values())
    with replacing(path, size) as temporary:
        arrays["_json"] = np.frombuffer(text.encode(), np.uint8)
        level = QUICK_LEVEL if size > LARGE_BYTES else None
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
            for name, content in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                    np.lib.format.write_array(file, content, allow_pickle=False)


@dataclass(frozen=True)
class Stored(Generic[R]):
    """A record from a file.

    Attributes
    ----------
    record
        The record, migrated to this version.
    fingerprint
        Fingerprint of what the file contains, as the version that wrote it computed it; that of the record where it has not
        changed since.
    """

    record: R
    fingerprint: str


def restore(cls: type[R], path: Path) -> R:
    """Read a record written by `save` of this or an earlier version.

    Raises
    ------
    InputError
        When the file is missing, damaged, contains something else or is of a later version.
    """
    return opened(cls, path).record


def opened(cls: type[R], path: Path) -> Stored[R]:
    """Read a record as `restore` does, with the fingerprint of the file's content.

    Raises
    ------
    InputError
        As `restore`.
    """
    try:
        header, content = _read(path)
        if header["record"] != cls.__name__:
            raise ValueError(f"it holds a {header['record']}")
        version, known = int(header.get("version", 1)), len(cls.migrations) + 1
        if version > known:
            remedy = "install the version of Planner that wrote it, or run the study again with this one"
            message = f"is version {version} of {cls.__name__}, and this Planner knows it up to version {known}"
            raise InputError(Problem("", message, remedy, str(path)))
        ordered = sorted(content.items()) if "version" in header else order_of_0_1(cls.__name__, content)
        fingerprint = fingerprint_of(cls.__name__, ordered)
        for migrate in cls.migrations[version - 1 :]:
            migrate(content)
        return Stored(_built(cls, content), fingerprint)
    except InputError:
        raise
    except Exception as error:  # a damaged archive may raise many kinds of errors
        remedy = f"remove it and run the study again ({type(error).__name__}: {str(error)[:120]})"
        raise InputError(Problem("", f"is not a readable {cls.__name__} record", remedy, str(path))) from None


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header of a file and its content: arrays and plain values by field."""
    with path.open("rb") as raw, zipfile.ZipFile(raw) as archive:
        if (size := sum(entry.file_size for entry in archive.infolist())) > MAX_BYTES:
            raise ValueError(f"it unpacks to {size:,} bytes, and the limit is {MAX_BYTES:,}")
    with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
        content = {name: file[name] for name in file.files}
    header = json.loads(content.pop("_json").tobytes())
    return header, content | header["fields"]


def _built(cls: type[R], content: dict[str, Any]) -> R:
    """Return the record of a content; values that are not arrays are checked by their types."""
    hints, arrays = get_type_hints(cls), {spec.name for spec in dataclasses.fields(cls) if "dtype" in spec.metadata}
    return cls(
        **{
            name: given if name in arrays else _adapter(hints[name]).validate_json(json.dumps(given))
            for name, given in content.items()
        }
    )


@cache
def _adapter(hint: Any) -> TypeAdapter[Any]:
    """Return what checks values of a type; building it takes milliseconds, and fields share their types."""
    from pydantic import TypeAdapter

    return TypeAdapter(hint)
