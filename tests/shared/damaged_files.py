"""Damage to files, drawn from a seed: what transfers, editors and strangers do to them."""

from __future__ import annotations

import io
import json
import random
import re
import tarfile
import zipfile
from collections.abc import Callable
from typing import Any

RUNS = " \"{[(<:=,\n\t'}])>;#/\\0aF"
"""Characters of long runs: patterns with two open ends take quadratic time over them."""


def damaged(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    """Return content with one to three kinds of damage; `others` are files from which lines are mixed in."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        content = draw.choice(KINDS)(content, others, draw)
    return content


def _at(content: bytes, draw: random.Random) -> int:
    return draw.randrange(len(content) + 1)


def truncated(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    return content[: _at(content, draw)]


def beheaded(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    return content[_at(content, draw) :]


def cut_out(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    start = _at(content, draw)
    return content[:start] + content[start + draw.choice((1, 2, 5, 50, 500)) :]


def characters(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    for _ in range(draw.choice((1, 3, 20))):
        place = _at(content, draw)
        inserted = draw.choice(
            (b"\x00", b"\xff\xfe", b"\xc3", b'"', b"{", b"}", b"[", b",", b":", b"\n", b"-", "é€😀".encode(), b"\x1b[31m")
        )
        content = content[:place] + inserted + content[place + draw.randrange(3) :]
    return content


def long_run(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    place = _at(content, draw)
    return content[:place] + draw.choice(RUNS).encode() * draw.choice((100, 3000, 30_000)) + content[place:]


def repeated_pair(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    place = _at(content, draw)
    return content[:place] + (draw.choice(RUNS) + draw.choice(RUNS)).encode() * draw.choice((100, 10_000)) + content[place:]


def lines(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    rows = content.split(b"\n")
    strangers = draw.choice(others).split(b"\n") if others else rows
    for _ in range(draw.choice((1, 2, 8))):
        place = draw.randrange(len(rows))
        match draw.randrange(5):
            case 0:
                del rows[place]
            case 1:
                rows.insert(place, rows[place])
            case 2:
                rows.insert(place, draw.choice(strangers))
            case 3:
                other = draw.randrange(len(rows))
                rows[place], rows[other] = rows[other], rows[place]
            case _:
                rows[place] = rows[place][: draw.randrange(len(rows[place]) + 1)]
        rows = rows or [b""]
    return b"\n".join(rows)


def numbers(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    found = list(re.finditer(rb"[0-9]+", content))
    for match in sorted(draw.sample(found, min(len(found), draw.choice((1, 3)))), key=lambda match: -match.start()):
        wrong = draw.choice((b"-1", b"9" * 30, b"9" * 5000, b"0", b"1e999", b"NaN", b"0x10", b"", "٣".encode(), b"99999", b"1.5"))
        content = content[: match.start()] + wrong + content[match.end() :]
    return content


def joined(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    return content + draw.choice([content, *others])


def line_ends(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    return content.replace(b"\n", draw.choice((b"\r\n", b"\r", b"", b" ", b"\n\n", b"\v")))


def encoding(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    return content.decode("utf-8", errors="replace").encode(
        draw.choice(("utf-16", "utf-16-le", "utf-8-sig", "utf-32")), errors="replace"
    )


def types(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    """Change the type of some values of a JSON text; other texts stay."""
    try:
        whole = json.loads(content)
    except (ValueError, RecursionError):
        return lines(content, others, draw)
    for _ in range(draw.choice((1, 2, 5))):
        whole = _changed(whole, draw)
    return json.dumps(whole).encode()


def nested(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    depth = draw.choice((30, 300, 50_000))
    return draw.choice((b"[", b'{"a":', b"<a>")) * depth + (content if draw.random() < 0.5 else b"")


def _changed(value: Any, draw: random.Random) -> Any:
    """Return a value with one change somewhere inside."""
    if isinstance(value, dict) and value and draw.random() < 0.85:
        key = draw.choice(list(value))
        if draw.random() < 0.1:
            return {other: item for other, item in value.items() if other != key}
        return value | {key: _changed(value[key], draw)}
    if isinstance(value, list) and value and draw.random() < 0.85:
        place = draw.randrange(len(value))
        return [*value[:place], _changed(value[place], draw), *value[place + 1 :]]
    return draw.choice(
        (None, True, -1, 10**40, 1.5, "", "x", [], {}, [[]], [None], {"value": None}, {"name": []}, [{}], "\x00", "9" * 5000)
    )


KINDS: tuple[Callable, ...] = (
    truncated, beheaded, cut_out, characters, long_run, repeated_pair, lines, lines, numbers, joined, line_ends, encoding,
    types, types, nested,
)  # fmt: skip


def packed(members: dict[str, bytes], draw: random.Random) -> bytes:
    """Return an archive of a kind drawn."""
    output = io.BytesIO()
    if draw.random() < 0.4:
        with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
    else:
        with tarfile.open(fileobj=output, mode=draw.choice(("w", "w:gz"))) as archive:
            for name, content in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return output.getvalue()
