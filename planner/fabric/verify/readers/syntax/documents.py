"""Parsing of JSON and XML from strangers: bounded, with line numbers, and tolerant of the shapes that one command prints."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from planner.core.errors import InputError, Problem
from planner.fabric.verify.readers.syntax.json import MAX_DEPTH, constant, deeper, whole

_START = re.compile(r"^[ \t]*(?=[\[{])", re.MULTILINE)
_ESCAPED_CONTROL = re.compile("\\\\(?=[\b\f\n\r\t])")
_GAP = re.compile("[ \\t\\r\\n,;\ufeff]*")
_PROMPT = 200
"""Maximum length of prompts and commands between two outputs."""

_DECODER = json.JSONDecoder(strict=False, parse_int=whole, parse_constant=constant)


def documents(text: str, file: str) -> list[Any]:
    """Return the JSON values of a text, one after the other; lines before the first one are skipped.

    Older `lldpcli` writes a line break in a text as a backslash and the line break itself, which is no JSON; it is read all the
    same.

    Raises
    ------
    InputError
        When there is none, one is not JSON, or it is nested too deeply.
    """
    text = _ESCAPED_CONTROL.sub("", text)
    start = _START.search(text)
    if start is None:
        raise InputError(Problem("", "has no JSON", "save the output of the command as it is", file))
    found, at = [], start.end()
    try:
        while at < len(text):
            value, at = _DECODER.raw_decode(text, at)
            found.append(value)
            at = _next(text, at, file)
    except json.JSONDecodeError as error:
        remedy = "save the output again: it is cut off or damaged"
        raise InputError(Problem("", f"is not valid JSON: {error.msg}", remedy, file, error.lineno)) from None
    except (RecursionError, ValueError) as error:
        message = "is nested too deeply" if isinstance(error, RecursionError) else f"has a value out of bounds: {error}"
        raise InputError(Problem("", message, "save the output again", file)) from None
    if any(deeper(value) for value in found):
        raise InputError(Problem("", f"is nested more than {MAX_DEPTH} levels deep", "save the output again", file))
    return found


def _next(text: str, at: int, file: str) -> int:
    """Return where the next JSON value begins, or the end of the text; a prompt and a command may be in between."""
    at = _GAP.match(text, at).end()  # type: ignore[union-attr]  # the pattern fits any text
    if text[at : at + 1] in ("{", "[", ""):
        return at
    following = _START.search(text, at)
    end = following.end() if following else len(text)
    if end - at > _PROMPT or re.search(r'["{}\[\]]', text[at:end].replace("[standalone: master]", "")):
        line = text.count("\n", 0, at) + 1
        message, remedy = "goes on after the end of its JSON", "save the output again: it is damaged"
        raise InputError(Problem("", message, remedy, file, line))
    return end


def tables(value: Any, key: str) -> Iterator[Any]:
    """Yield the values under a key, wherever in a document it is; nothing inside them."""
    waiting = deque([value])
    while waiting:
        item = waiting.popleft()
        if isinstance(item, dict):
            if key in item:
                yield item[key]
            else:
                waiting += item.values()
        elif isinstance(item, list):
            waiting += item


def word(value: Any) -> str:
    """Return the text of a value: itself, the first of a list, or what is under ``value`` or ``data``; empty if there is none."""
    for _ in range(MAX_DEPTH):
        if isinstance(value, list):
            value = value[0] if value else ""
        elif isinstance(value, dict):
            value = value.get("value", value.get("data", ""))
        else:
            break
    if isinstance(value, str):
        return clean(value)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def clean(text: str) -> str:
    """Return a text of a stranger in one line, without control characters and unpaired surrogates, at most 1,000 characters.

    >>> clean(" Cumulus\\n\\x1b[31m Linux ")
    'Cumulus [31m Linux'
    """
    text = text[:1000]
    if text.isprintable() and "  " not in text:
        return text.strip()
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(text.split())


def element(text: str, file: str) -> ElementTree.Element:
    """Return the root of an XML document without namespaces.

    Raises
    ------
    InputError
        When it is not XML, or declares a document type or entities, which no discovery tool does.
    """
    start = text.find("<")
    if start < 0 or re.search(r"<!\s*(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        message = "declares a document type" if start >= 0 else "has no XML"
        raise InputError(Problem("", message, "save the output of the command as it is", file))
    # Command lines print a prompt before and after the document.
    end = text.rfind(">") + 1
    try:
        root = ElementTree.fromstring(text[start:end])
    except (ElementTree.ParseError, ValueError, RecursionError) as error:
        line = text.count("\n", 0, start) + getattr(error, "position", (1, 0))[0]
        remedy = "save the output again: it is cut off or damaged"
        raise InputError(Problem("", f"is not valid XML: {error}", remedy, file, line)) from None
    for item in root.iter():
        item.tag = str(item.tag).rpartition("}")[2]
    return root
