"""Archives of strangers: what a library would read without a bound is bounded before one sees it.

The module `tarfile` follows chains of extended headers by recursion and parses each with a pattern whose time grows with the
square of its length, and `zipfile` makes an object for every entry of a directory of any size. Tar is a sequence of blocks of
512 bytes; the few kinds of blocks that matter here are read by `tar_members`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO, Protocol

BLOCK = 512

MAX_EXTENSION_BYTES = 2**16
"""Maximum size of an extended header of a tar; a path has up to 4,096 bytes."""

MAX_EXTENSIONS = 8
"""Maximum number of extended headers in front of a member."""

MAX_ENTRY_BYTES = 1024
"""Mean size of an entry in the directory of a zip, of which 46 bytes are fixed."""

_END, _END_64, _PLACE_64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_WITHOUT_DATA = b"123456"
"""Kinds of members of a tar that only have a header: links, devices, folders and pipes."""


class Damaged(ValueError):
    """An archive that is damaged, or beyond the bounds of its headers."""


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class Member:
    """A member of a tar: its name, the size that it states, and whether it is a file."""

    def __init__(self, name: str, size: int, is_file: bool, file: _Readable):
        self.name, self.size, self.is_file = name, size, is_file
        self._file, self._left = file, size + -size % BLOCK

    def read(self) -> bytes:
        """Return the content; once."""
        content = _exactly(self._file, self.size)
        self._left -= self.size
        return content

    def skip(self) -> None:
        """Go to the next header."""
        while self._left:
            found = self._file.read(min(self._left, 2**20))
            if not found:
                raise Damaged("it ends within a member")
            self._left -= len(found)


def tar_members(file: _Readable) -> Iterator[Member]:
    """Yield the members of a tar in their order; each can be read until the next one is requested.

    Raises
    ------
    Damaged
        When a header is damaged, an extended one is too long, or there are too many of these in front of a member.
    """
    name, stated, extensions = "", None, 0
    while (block := file.read(BLOCK)) and any(block):
        if len(block) < BLOCK or not _is_sound(block):
            raise Damaged("a header is damaged")
        kind, size = block[156:157], _number(block[124:136])
        if kind in (b"x", b"g", b"X", b"L", b"K"):
            extensions += 1
            if size > MAX_EXTENSION_BYTES or extensions > MAX_EXTENSIONS:
                raise Damaged("its extended headers are too long, or too many")
            content = _exactly(file, size + -size % BLOCK)[:size]
            if kind == b"L":
                name = _text(content)
            elif kind != b"K":
                records = _records(content) if kind != b"g" else {}
                name = _text(records.get(b"path", b"")) or name
                stated = _digits(records[b"size"]) if b"size" in records else stated
            continue
        if kind == b"S":
            raise Damaged("it has a sparse file")
        own = name or _name(block)
        size = size if stated is None else stated
        is_file = kind in b"07\0" and not own.endswith("/")
        member = Member(own, size, is_file, file) if kind not in _WITHOUT_DATA else Member(own, 0, False, file)
        name, stated, extensions = "", None, 0
        yield member
        member.skip()


def _exactly(file: _Readable, size: int) -> bytes:
    found = file.read(size)
    while len(found) < size:
        more = file.read(size - len(found))
        if not more:
            raise Damaged("it ends within a member")
        found += more
    return found


def _is_sound(block: bytes) -> bool:
    """Return whether a header has the sum that it states, of its bytes with or without sign."""
    stated = _number(block[148:156])
    plain = block[:148] + b" " * 8 + block[156:]
    return stated in (sum(plain), sum(byte - 256 * (byte > 127) for byte in plain))


def _number(field: bytes) -> int:
    if field[0] & 0x80:
        return int.from_bytes(field[1:], "big") + ((field[0] & 0x7F) << 8 * (len(field) - 1))
    digits = field.split(b"\0", 1)[0].strip()
    if not all(48 <= digit < 56 for digit in digits):
        raise Damaged("a header is damaged")
    return int(digits or b"0", 8)


def _digits(text: bytes) -> int:
    if not text.isdigit() or len(text) > 20:
        raise Damaged("an extended header is damaged")
    return int(text)


def _name(block: bytes) -> str:
    name, prefix = _text(block[:100]), _text(block[345:500])
    # GNU tar has other fields in this place.
    return f"{prefix}/{name}" if prefix and block[257:263] == b"ustar\0" else name


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode("utf-8", "replace")


def _records(content: bytes) -> dict[bytes, bytes]:
    """Return the records of an extended header: ``length key=value`` and an end of line each."""
    found, start = {}, 0
    while start < len(content) and content[start]:
        space = content.find(b" ", start, start + 8)
        end = start + _digits(content[start:space] if space > start else b"")
        key, equals, value = content[space + 1 : max(end - 1, 0)].partition(b"=")
        if not equals or end > len(content) or content[end - 1 : end] != b"\n":
            raise Damaged("an extended header is damaged")
        if key.startswith(b"GNU.sparse."):
            raise Damaged("it has a sparse file")
        found[key] = value
        start = end
    return found


def require_small_directory(file: IO[bytes], max_entries: int) -> None:
    """Require that the directory of a zip is not longer than that of some number of entries.

    Raises
    ------
    Damaged
        When it is longer, or there is none.
    """
    size = file.seek(0, 2)
    file.seek(start := max(0, size - 2**16 - 22))
    tail = file.read()
    place = len(tail) - 22 if tail[-22:-18] == _END and tail[-2:] == b"\0\0" else tail.rfind(_END)
    if place < 0 or len(tail) < place + 22:
        raise Damaged("it has no directory")
    (length,) = struct.unpack("<L", tail[place + 12 : place + 16])
    if place >= 20 and tail[place - 20 : place - 16] == _PLACE_64:
        # The library takes the size from the record that is directly in front of its place.
        file.seek(max(0, start + place - 20 - 56))
        record = file.read(56)
        if record[:4] == _END_64:
            (length,) = struct.unpack("<Q", record[40:48])
    file.seek(0)
    if length > max_entries * MAX_ENTRY_BYTES:
        raise Damaged(f"its directory has {length:,} bytes")
