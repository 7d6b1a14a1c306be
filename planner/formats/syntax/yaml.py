"""Text of YAML files: mappings, lists, texts, numbers and truth values, in their order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_][\w./\[\]-]*")
"""Texts that no version of YAML takes for something else, but for the words below."""

_WORDS = ("true", "false", "yes", "no", "on", "off", "null", "y", "n")


def lines(content: Any) -> Iterator[str]:
    r"""Yield the lines of a mapping or a list.

    >>> print("\n".join(lines({"name": "leaf0", "on": [1, {"a": "x: y"}], "none": [], "of": {"b": True}})))
    name: leaf0
    "on":
      - 1
      - a: "x: y"
    none: []
    of:
      b: true
    """
    if isinstance(content, Mapping):
        for key, item in content.items():
            yield from _after(f"{_scalar(key)}:", item, " ")
    else:
        for item in content:
            yield from _item(item)


def _after(head: str, item: Any, space: str) -> Iterator[str]:
    if _is_nested(item):
        yield head
        yield from (f"  {line}" for line in lines(item))
    else:
        yield head + space + _scalar(item)


def _item(item: Any) -> Iterator[str]:
    if not _is_nested(item):
        yield f"- {_scalar(item)}"
        return
    for number, line in enumerate(lines(item)):
        yield f"{'  ' if number else '- '}{line}"


def _is_nested(item: Any) -> bool:
    return isinstance(item, Mapping | Sequence) and not isinstance(item, str) and len(item) > 0


def _scalar(item: Any) -> str:
    if isinstance(item, str) and _PLAIN.fullmatch(item) and item.lower() not in _WORDS:
        return item
    return json.dumps(item, ensure_ascii=False)
