"""Fonts: choice of font by character, text width, and text that fits a width.

DejaVu Sans covers the alphabets of Europe, Greek, Cyrillic, Arabic, Hebrew, Armenian and Georgian; the glyphs used are
embedded. Chinese, Japanese and Korean characters use the fonts of the PDF reader.
Other characters are written without accents, or as a question mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, groupby, takewhile
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

REGULAR, BOLD = "DejaVuSans", "DejaVuSans-Bold"
for _name in (REGULAR, BOLD):
    pdfmetrics.registerFont(TTFont(_name, str(Path(__file__).parent / "typefaces" / f"{_name}.ttf")))

_CHINESE, _JAPANESE, _KOREAN = "STSong-Light", "HeiseiKakuGo-W5", "HYGothic-Medium"
for _name in (_CHINESE, _JAPANESE, _KOREAN):
    pdfmetrics.registerFont(UnicodeCIDFont(_name))

MIN_PT = 5.5
"""No text is smaller than this."""

_REPLACEMENTS = {"\u2009": "\u00a0", "\u202f": "\u00a0", "\u2007": "\u00a0", "‐": "-", "‑": "-"}
_GLYPHS = set.intersection(*(set(pdfmetrics.getFont(name).face.charToGlyph) for name in (REGULAR, BOLD)))
COMMON = frozenset(map(chr, range(0x20, 0x7F))) | frozenset("\u00a0–·…²±µ")
_WIDTHS = {name: {char: pdfmetrics.stringWidth(char, name, 1) for char in COMMON} for name in (REGULAR, BOLD)}
"""Width of common characters at size 1. They need no other font, and a table is many times faster than a call."""
_TEXTS = 1 << 16
"""Texts whose width is remembered: a cell is measured several times, and many cells are equal."""
_MARKS = " -_/.,:;+"
"""Preferred characters after which to break a long word."""
_HAN = ((0x2E80, 0x2FDF), (0x3000, 0x303F), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF))
_KANA = ((0x3040, 0x30FF), (0x31F0, 0x31FF))
_HANGUL = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7AF))


def is_common(text: str) -> bool:
    """Return whether a text has common characters only, which need no other font."""
    return COMMON.issuperset(text)


@lru_cache(maxsize=_TEXTS)
def printable(text: str) -> str:
    """Return `text` with characters that no font has written without accents, or as a question mark."""
    if COMMON.issuperset(text):
        return text
    return "".join(_substitute(character) for character in unicodedata.normalize("NFC", text))


def _substitute(character: str) -> str:
    if character.isspace() and character != "\u00a0" and character not in _REPLACEMENTS:
        return " "
    if character == "\u00a0" or (character.isprintable() and (ord(character) in _GLYPHS or _is_asian(character))):
        return character
    if character in _REPLACEMENTS:
        return _REPLACEMENTS[character]
    plain = "".join(part for part in unicodedata.normalize("NFKD", character) if ord(part) in _GLYPHS and part.isprintable())
    if plain:
        return plain
    return "" if unicodedata.combining(character) else "?"


def _within(character: str, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(low <= ord(character) <= high for low, high in ranges)


def _is_asian(character: str) -> bool:
    return _within(character, _HAN + _KANA + _HANGUL)


def runs(text: str, font: str = REGULAR) -> list[tuple[str, str]]:
    """Return printable text from left to right as runs of one font each: font and text.

    >>> runs("rack 北京")
    [('DejaVuSans', 'rack '), ('STSong-Light', '北京')]
    """
    return [(font, text)] if COMMON.issuperset(text) else _runs(text, font)


@lru_cache(maxsize=4096)
def _runs(text: str, font: str) -> list[tuple[str, str]]:
    han = _JAPANESE if any(_within(character, _KANA) for character in text) else _CHINESE

    def font_of(character: str) -> str:
        if ord(character) in _GLYPHS or character == "\u00a0":
            return font
        return _KOREAN if _within(character, _HANGUL) else han

    return [(name, "".join(piece)) for name, piece in groupby(_visual(text), font_of)]


def _visual(text: str) -> str:
    """Return text in visual order from left to right: Arabic letters joined, right-to-left runs reversed.

    Without the packages of the extra `rtl`, such text is written in Latin letters.
    """
    if not any(unicodedata.bidirectional(character) in ("R", "AL") for character in text):
        return text
    try:
        from arabic_reshaper import reshape
        from bidi import get_display
    except ModuleNotFoundError:
        from anyascii import anyascii

        return anyascii(text)
    return get_display(reshape(text))


def width_of(text: str, size: float, font: str = REGULAR) -> float:
    """Return the width of printable text in points."""
    if (width := _width_of(text, font)) is not None:
        return size * width
    return sum(pdfmetrics.stringWidth(piece, name, size) for name, piece in _runs(text, font))


@lru_cache(maxsize=_TEXTS)
def _width_of(text: str, font: str) -> float | None:
    """Return the width of a text at size 1; None if it has other than common characters."""
    return sum(map(_WIDTHS[font].__getitem__, text)) if COMMON.issuperset(text) else None


def fitted(text: str, width: float, size: float, font: str = REGULAR) -> tuple[str, float]:
    """Return text and size that fit a width: first smaller, then truncated with an ellipsis."""
    natural = width_of(text, size, font)
    if natural <= width:
        return text, size
    size = max(MIN_PT, size * width / natural)
    if width_of(text, size, font) <= width * 1.0001:
        return text, size
    while text and width_of(text + "…", size, font) > width:
        text = text[:-1]
    return text.rstrip() + "…", size


@lru_cache(maxsize=_TEXTS)
def wrapped(text: str, width: float, size: float, font: str = REGULAR) -> tuple[str, ...]:
    """Return the lines of a text; words wider than the line are broken."""
    # Columns are as wide as their longest word: a rounding error must not break that word.
    width += 0.01
    if width_of(text, size, font) <= width:
        return (text,)
    lines, line = [], ""
    for word in text.split(" "):
        while width_of(word, size, font) > width:
            head = _head(f"{line} {word}" if line else word, width, size, font)
            word = (f"{line} {word}" if line else word)[len(head) :].lstrip()
            lines.append(head.rstrip(" "))
            line = ""
        candidate = f"{line} {word}" if line else word
        if width_of(candidate, size, font) <= width:
            line = candidate
        else:
            lines.append(line)
            line = word
    return (*lines, line) if line else tuple(lines)


def _head(text: str, width: float, size: float, font: str) -> str:
    """Return the characters that fit, at least one; ends after a mark where there is one in the second half."""
    end = max(1, _fitting(text, width, size, font))
    after_mark = 1 + max(text.rfind(mark, 0, end) for mark in _MARKS)
    return text[:after_mark] if end < len(text) and after_mark > end / 2 else text[:end]


def _fitting(text: str, width: float, size: float, font: str) -> int:
    """Return the number of characters that fit."""
    if COMMON.issuperset(text):
        widths: Iterable[float] = accumulate(map(_WIDTHS[font].__getitem__, text))
    else:
        # Letters of some scripts are narrower next to others.
        widths = (width_of(text[:end], 1.0, font) for end in range(1, len(text) + 1))
    return sum(1 for _ in takewhile(lambda each: size * each <= width, widths))
