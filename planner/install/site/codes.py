"""What codes and labels name: a row of the schedule and one of its ends, or a device."""

from __future__ import annotations

import re
from collections import Counter
from io import BytesIO
from typing import NamedTuple
from urllib.parse import unquote

from planner.core.errors import InputError, Problem
from planner.core.names import shown
from planner.install.site.cables import Site
from planner.install.site.photos import MAX_BYTES

_MAX_PIXELS = 50_000_000
_WIDEST = 2400
"""Pixels along the longer side of a picture that is searched for codes; larger ones are reduced."""

_NUMBER = re.compile(r"#?0*(\d{1,7}) ?([ABab]?)")
_ADDRESS = re.compile(r"https?://[^/\s]{1,200}/c/([^/\s?#]{1,40})", re.IGNORECASE)
_DEVICE = re.compile(r"https?://[^/\s]{1,200}/d/([^/\s?#]{1,600})", re.IGNORECASE)
_NAMED = re.compile(r"(.{1,120})/([^/]{1,20})", re.DOTALL)


class Code(NamedTuple):
    """A row of the schedule, and its end: a, b, or empty where the code does not name it; or the name of a device."""

    cable: int
    end: str
    device: str = ""


def read(site: Site, text: str) -> Code:
    """Return what a code, a label or a number on a keypad names.

    It is a number with or without an end (``137``, ``137 A``), with the name of the plan (``hall/137A``), an address
    (``HTTP://SITE/C/137A``), or the text of a label that only one end has. A device is known by its name, or an address
    (``HTTP://SITE/D/R001``), in any capitals where no other device has the same letters.

    Raises
    ------
    InputError
        When it names no cable of the plan.
    """
    text = text.strip()
    labeled = _labels(site).get(text)
    if labeled is not None:
        return labeled
    at = _DEVICE.fullmatch(text)
    if device := _named(site, unquote(at[1]) if at else text):
        return Code(0, "", device)
    address = _ADDRESS.fullmatch(text)
    named = None if address else _NAMED.fullmatch(text)
    found = _NUMBER.fullmatch(address[1] if address else named[2] if named else text)
    if found is not None and int(found[1]) in site.by_number and (named is None or named[1] in ("", *site.names)):
        return Code(int(found[1]), found[2].lower())
    if named is not None and found is not None and named[1] not in site.names:
        raise InputError(Problem("code", f"{shown(text[:80])!r} is a label of another plan", "look for one of this plan"))
    raise InputError(
        Problem("code", f"{shown(text[:80])!r} names no cable of the plan", "type the number on the label, as 137 A")
    )


def device(site: Site, text: str) -> str:
    """Return the name of a device from that in an address.

    Raises
    ------
    InputError
        When the plan has no such device.
    """
    if found := _named(site, text):
        return found
    raise InputError(Problem("code", f"{shown(text[:80])!r} is no device of the plan", "find it in the list of its cabinet"))


def _named(site: Site, text: str) -> str:
    """Return the device with a name as written, or else in any capitals; empty if it is none, or several."""
    if text in site.devices:
        return text
    found = [name for name in site.devices if name.lower() == text.lower()]
    return found[0] if len(found) == 1 else ""


def _labels(site: Site) -> dict[str, Code]:
    """Return the ends by the texts of their labels, where no other end has the same."""
    every = [(end.label, Code(row.number, name)) for row in site.rows for name, end in zip("ab", row.ends, strict=True)]
    count = Counter(label for label, _ in every)
    return {label: code for label, code in every if label and count[label] == 1}


def photographed(content: bytes) -> list[str]:
    """Return the texts of the codes on a photo.

    Raises
    ------
    InputError
        When it is no picture, or too large.
    ModuleNotFoundError
        When the package that reads codes is not installed.
    """
    import zxingcpp
    from PIL import Image

    wrong = Problem("photo", "is no picture that can be read", f"take JPEG or PNG of up to {MAX_BYTES:,} bytes")
    if len(content) > MAX_BYTES:
        raise InputError(wrong)
    try:
        picture = Image.open(BytesIO(content), formats=("JPEG", "PNG", "WEBP"))
        if picture.width * picture.height > _MAX_PIXELS:
            raise InputError(Problem("photo", "has too many pixels", "take a smaller one"))
        picture.draft("L", (_WIDEST, _WIDEST))
        gray = picture.convert("L")
        gray.thumbnail((_WIDEST, _WIDEST))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise InputError(wrong) from None
    return [each.text for each in zxingcpp.read_barcodes(gray)]
