"""Content of files, folders and archives, within bounds; nothing is written and no link is followed."""

from __future__ import annotations

import gzip
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from planner.core.archives import Damaged, require_small_directory, tar_members
from planner.core.errors import InputError, Problem

MAX_FILE = 2**29
"""Maximum size of a file, and of a member of an archive, unpacked."""

MAX_TOTAL = 2**30
"""Maximum size of all members of an archive, unpacked."""

MAX_FILES = 20_000
"""Maximum number of files in a folder or an archive."""

_LEFT_OUT = re.compile(r"(^|/)(\.(?!\.?/)|__MACOSX/|ibdiagnet2?\.(?!db_csv$|lst$|net_dump|cables$)[^/]*$)")
"""Names in folders and archives that are no discovery: hidden files, and what ibdiagnet writes next to its tables."""


class Content(NamedTuple):
    """A file: its path, for a member of an archive with its name after a colon, and what is in it.

    Of a workbook it is the list of its members after the letters PK: its reader opens `file`.
    """

    file: str
    data: bytes

    @property
    def text(self) -> str:
        """Text of the file; what is not UTF-8 inside a name is replaced. Raises `InputError` when the file is not text."""
        if self.data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            # Redirections of PowerShell.
            return self.data.decode("utf-16", errors="replace").lstrip("\ufeff")
        if self.data[:4] in (b"PK\x03\x04", b"PK\x05\x06") or self.data[:2] == b"\x1f\x8b":
            raise InputError(Problem("", "is an archive or a workbook inside an archive", "unpack it", self.file))
        if b"\x00" in self.data:
            raise InputError(Problem("", "is not text: it contains null bytes", "give the file as the tool wrote it", self.file))
        return self.data.decode("utf-8-sig", errors="replace")


def contents(path: Path) -> Iterator[Content]:
    """Yield the content of a file, of the files of a folder, or of the members of an archive.

    Raises
    ------
    InputError
        When it cannot be read, exceeds a bound, or is a damaged archive.
    """
    found = 0
    try:
        for content in _folder(path) if path.is_dir() else _file(path):
            found += 1
            yield content
    except (OSError, ValueError) as error:
        # A path may contain a null character, or characters that the locale cannot encode.
        reason = getattr(error, "strerror", None) or error
        raise InputError(Problem("", f"cannot be read: {reason}", "check the name", str(path))) from None
    if not found:
        raise InputError(Problem("", "contains no files", "give the folder or archive of one discovery", str(path)))


def _folder(path: Path) -> Iterator[Content]:
    # Links inside a folder are not followed: they may lead anywhere, or in circles.
    found = sorted(file for file in path.rglob("*") if file.is_file() and not file.is_symlink())
    wanted = [file for file in found if not _LEFT_OUT.search(file.relative_to(path).as_posix())]
    if len(wanted) > MAX_FILES:
        raise InputError(Problem("", f"contains more than {MAX_FILES:,} files", "give the folder of one discovery", str(path)))
    problems: list[Problem] = []
    for file in wanted:
        try:
            yield from _file(file)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)


def _file(path: Path) -> Iterator[Content]:
    if path.exists() and not path.is_file():
        raise InputError(Problem("", "cannot be read: it is not a file", "give a file, a folder or an archive", str(path)))
    with path.open("rb") as file:
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise _large(str(path), MAX_FILE)
    if data.startswith(b"PK\x03\x04") or data.startswith(b"PK\x05\x06"):
        yield from _zip(path, data)
    elif data.startswith(b"\x1f\x8b"):
        yield from _gzip(path, data)
    elif data[257:262] == b"ustar":
        yield from _tar(path, io.BytesIO(data))
    else:
        yield Content(str(path), data)


def _zip(path: Path, data: bytes) -> Iterator[Content]:
    try:
        file = io.BytesIO(data)
        require_small_directory(file, MAX_FILES)
        with zipfile.ZipFile(file) as archive:
            members = [member for member in archive.infolist() if not member.filename.endswith("/")]
            names = [member.filename for member in members]
            if "[Content_Types].xml" in names:
                yield Content(str(path), ("PK\n" + "\n".join(names[:1000])).encode("utf-8", errors="replace"))
                return
            _bounded(path, len(members), sum(member.file_size for member in members))
            left = MAX_TOTAL
            for member in members:
                if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    # Others may take gigabytes of memory to unpack a few bytes.
                    raise Damaged("a member is packed by a method other than deflate")
                # A link is stored as a file whose content is its target.
                if _LEFT_OUT.search(member.filename) or (member.external_attr >> 16) & 0o170000 == 0o120000:
                    continue
                with archive.open(member) as opened:
                    content = _taken(opened, f"{path}:{member.filename}", left)
                left -= len(content)
                yield Content(f"{path}:{member.filename}", content)
    except (Damaged, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, struct.error) as error:
        # Encrypted members raise RuntimeError, unknown methods of compression NotImplementedError.
        raise InputError(Problem("", f"is a damaged archive: {error}", "pack it again", str(path))) from None


def _gzip(path: Path, data: bytes) -> Iterator[Content]:
    try:
        with gzip.open(io.BytesIO(data)) as file:
            head = file.read(512)
            file.seek(0)
            if head[257:262] == b"ustar":
                yield from _tar(path, _Limited(file, str(path)))
            else:
                yield Content(str(path), _taken(file, str(path), MAX_TOTAL))
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise InputError(Problem("", f"is a damaged archive: {error}", "pack it again", str(path))) from None


def _tar(path: Path, file: io.IOBase) -> Iterator[Content]:
    try:
        count = size = 0
        for member in tar_members(file):
            count, size = count + 1, size + member.size
            _bounded(path, count, size)
            name = f"{path}:{member.name}"
            if member.is_file and not _LEFT_OUT.search(member.name):
                if member.size > min(MAX_FILE, MAX_TOTAL):
                    raise _large(name, MAX_FILE)
                yield Content(name, member.read())
    except (Damaged, zlib.error, EOFError) as error:
        raise InputError(Problem("", f"is a damaged archive: {error}", "pack it again", str(path))) from None


def _bounded(path: Path, count: int, size: int) -> None:
    if count > MAX_FILES:
        raise InputError(Problem("", f"contains more than {MAX_FILES:,} files", "pack one discovery", str(path)))
    if size > MAX_TOTAL:
        raise _large(str(path), MAX_TOTAL)


def _taken(file: IO[bytes] | gzip.GzipFile, name: str, left: int) -> bytes:
    limit = min(MAX_FILE, left)
    content = file.read(limit + 1)
    if len(content) > limit:
        raise _large(name, limit)
    return content


def _large(file: str, limit: int) -> InputError:
    return InputError(Problem("", f"is larger than {limit / 1e6:,.0f} MB", "give the discovery of one fabric", file))


class _Limited(io.RawIOBase):
    """A stream that fails after `MAX_TOTAL` bytes, whatever its members claim."""

    def __init__(self, file: io.IOBase, name: str):
        self._file, self._name, self._left = file, name, MAX_TOTAL

    def read(self, size: int = -1) -> bytes:
        found = self._file.read(size)
        self._left -= len(found)
        if self._left < 0:
            raise _large(self._name, MAX_TOTAL)
        return found
