"""JSON of strangers, parsed within bounds."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from planner.core.errors import InputError, Problem

MAX_DEPTH = 40
"""Maximum nesting depth of objects and lists."""


def parsed(text: str, file: str) -> Any:
    """Return the content of a JSON text.

    Raises
    ------
    InputError
        When it is not JSON, or it is nested too deeply.
    """
    try:
        content = json.loads(text, parse_int=whole, parse_constant=constant)
    except json.JSONDecodeError as error:
        message = f"is not valid JSON: {error.msg} in column {error.colno}"
        raise InputError(Problem("", message, "collect the file again", file, error.lineno)) from None
    except (RecursionError, ValueError) as error:
        reason = "is nested too deeply" if isinstance(error, RecursionError) else f"contains {error}"
        raise InputError(Problem("", reason, "collect the file again", file)) from None
    if deeper(content):
        raise InputError(Problem("", f"is nested deeper than {MAX_DEPTH} levels", "collect the file again", file))
    return content


def objects(content: Any) -> list[dict]:
    """Return the objects of a list; of one object itself; nothing of anything else."""
    if isinstance(content, dict):
        return [content]
    return [item for item in content if isinstance(item, dict)] if isinstance(content, list) else []


def word(content: Any) -> str:
    """Return a text or number as text without blanks around it; empty for anything else."""
    if isinstance(content, str):
        return content.strip()[:1000]
    return str(content) if isinstance(content, int | float) and not isinstance(content, bool) else ""


def whole(text: str) -> int:
    if len(text) > 20:
        raise ValueError(f"a number of {len(text):,} digits")
    return int(text)


def constant(text: str) -> NoReturn:
    raise ValueError(f"the number {text}")


def deeper(content: Any) -> bool:
    level = [content]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for outer in level
            if isinstance(outer, dict | list)
            for item in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True
