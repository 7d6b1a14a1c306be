"""Mutations of valid inputs: what a slip of the pen, a broken disk or an enemy makes of them."""

from __future__ import annotations

import random
import re

NUMBERS = (
    "0", "-1", "1", "-0.0", "nan", "-nan", "inf", "-inf", "1e308", "-1e308", "1e-308", "1e400", "0.5", "1.5", "2147483647",
    "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "9" * 5000, "0x7fffffff", "1_000", "01", "1e3",
    "65536", "4294967296", "10000000", "true", '""', "[]", "{}", "1979-05-27", "[1, 2, 3]",
)  # fmt: skip
"""Numbers, and what may replace them."""

TEXTS = (
    "", " ", "\\u0000", "\\n", "\\u001b[2J\\u001b[31m", "\\u202etxt", "../../escaped", "/etc/passwd", "/dev/zero", ".", "..",
    ".hidden", "a.b", "os.path", "=1+1", "@SUM(A1)", "x" * 5000, "%s%n", "{cabinet", "{port.__class__}", "{port:>99999}", "é北側",
    "\\ud83d", "\\U0001F6AA", "'", "\\\\", "<b>", "CON", "nul", "~", "$HOME", "*", "auto", "none", "slimfly", "minimal", "1",
)  # fmt: skip
"""Texts as they are written between quotes."""

BYTES = (b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\x1b[2J", b"\xe2\x80\xae", b"[" * 3000, b"{" * 3000, b'"', b"\xc3")


def text(draw: random.Random, given: str, rounds: int = 0) -> str:
    """Return a text with one to four mutations of its lines, numbers, words and quotes."""
    for _ in range(rounds or draw.choice((1, 1, 1, 2, 4))):
        given = draw.choice(_TEXTUAL)(draw, given)
    return given


def data(draw: random.Random, given: bytes) -> bytes:
    """Return bytes with one to three of them changed, cut out, put in or cut off."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        place = draw.randrange(len(given) + 1)
        how = draw.randrange(5)
        if how == 0 and given:
            place = min(place, len(given) - 1)
            given = given[:place] + bytes([given[place] ^ (1 << draw.randrange(8))]) + given[place + 1 :]
        elif how == 1:
            given = given[:place] + draw.choice(BYTES) + given[place:]
        elif how == 2:
            given = given[:place]
        elif how == 3:
            given = given[:place] + given[place + draw.randrange(1, 200) :]
        else:
            start = draw.randrange(len(given) + 1)
            given = given[:place] + given[start : start + draw.randrange(1, 300)] + given[place:]
    return given


def _replaced(draw: random.Random, given: str, pattern: str, new: str) -> str:
    found = list(re.finditer(pattern, given))
    if not found:
        return given
    one = draw.choice(found)
    return given[: one.start()] + new + given[one.end() :]


def _number(draw: random.Random, given: str) -> str:
    return _replaced(draw, given, r"-?\d[\d_]*(\.\d+)?", draw.choice(NUMBERS))


def _quoted(draw: random.Random, given: str) -> str:
    return _replaced(draw, given, r'"[^"\n]*"', f'"{draw.choice(TEXTS)}"')


def _kind(draw: random.Random, given: str) -> str:
    return (
        _replaced(draw, given, r'"[^"\n]*"', draw.choice(NUMBERS))
        if draw.random() < 0.5
        else _replaced(draw, given, r"(?<== )-?\d[\d_]*(\.\d+)?", f'"{draw.choice(TEXTS)}"')
    )


def _value(draw: random.Random, given: str) -> str:
    return _replaced(draw, given, r"(?<== ).*", draw.choice((*NUMBERS, *(f'"{one}"' for one in TEXTS))))


def _word(draw: random.Random, given: str) -> str:
    return _replaced(draw, given, r"[A-Za-z_]\w*", draw.choice(("x", "", "name", "q", "seed", "__class__", "a.b.c", "routers")))


def _line(draw: random.Random, given: str) -> str:
    lines = given.split("\n")
    first, second = draw.randrange(len(lines)), draw.randrange(len(lines))
    how = draw.randrange(5)
    if how == 0:
        del lines[first]
    elif how == 1:
        lines.insert(first, lines[second])
    elif how == 2:
        lines[first], lines[second] = lines[second], lines[first]
    elif how == 3:
        lines = lines[:first]
    else:
        new = ("[", "]", "[x]", "[[x]]", "x = 1", "=", "#", ",,,", "1 2", "\t", "0 0", "-1 -1", "a,b,c,d,e")
        lines.insert(first, draw.choice(new))
    return "\n".join(lines)


def _character(draw: random.Random, given: str) -> str:
    place = draw.randrange(len(given) + 1)
    mark = draw.choice(("\x00", "\x1b", "\u202e", '"', "'", "[", "]", "{", "}", "=", ",", ".", "-", "é", "\ufeff", "9" * 30))
    return given[:place] + mark + given[place + draw.randrange(2) :]


_TEXTUAL = (_number, _number, _quoted, _quoted, _kind, _value, _value, _word, _line, _line, _character)
