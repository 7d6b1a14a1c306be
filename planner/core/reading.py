"""Reading and checking of TOML files; all problems are reported together, with line numbers."""

from __future__ import annotations

import datetime
import inspect
import json
import re
import tomllib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from planner.core import names
from planner.core.errors import InputError, Problem, suggestion

MAX_BYTES = 2**26
"""Maximum size of a text file."""

MAX_DEPTH = 20
"""Maximum nesting depth of tables and lists."""

_HEADER = re.compile(r"^\s*\[(\[)?\s*([^\[\]]+?)\s*\]?\]\s*(#.*)?$")
_KEY = re.compile(r"""^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")


Lines = Mapping[str, int | str]
"""Line of each dotted key, or the option that set it."""


@dataclass(frozen=True)
class Document:
    """A TOML file: its data, and for each dotted key (``"row.3.pitch_mm"``) its line or the option that set it."""

    file: str
    data: dict[str, Any]
    lines: dict[str, int | str] = field(default_factory=dict)


def read(path: str | Path) -> Document:
    """Read a TOML file.

    Raises
    ------
    InputError
        When there is no such file, or it is not TOML.
    """
    path, content = Path(path), text(path)
    try:
        data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        number = int(line[1]) if line else content.count("\n") + 1
        raise InputError(Problem("", f"is not valid TOML: {error}", "correct the line", str(path), number)) from None
    except (RecursionError, ValueError) as error:
        raise InputError(_beyond(error, content, str(path))) from None
    document = Document(str(path), data, _lines(content))
    if problems := list(limits(data)):
        raise InputError(problems).located(document.file, lines=document.lines)
    return document


def text(path: str | Path, max_bytes: int = MAX_BYTES) -> str:
    """Return the text of a file, without a byte order mark.

    Raises
    ------
    InputError
        When there is no such file, it is too large, or it is not UTF-8.
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file():
            raise InputError(Problem("", "cannot be read: it is not a file", "give the path of a text file", str(path)))
        with path.open("rb") as file:
            content = file.read(max_bytes + 1)
        if len(content) > max_bytes:
            raise InputError(Problem("", f"is larger than {max_bytes / 1e6:,.0f} MB", "check the name", str(path)))
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(Problem("", f"byte {error.start} is not UTF-8 text", "save the file as UTF-8", str(path))) from None
    except (OSError, ValueError) as error:
        # A path may contain a null character, or characters that the locale cannot encode.
        reason = getattr(error, "strerror", None) or error
        raise InputError(Problem("", f"cannot be read: {reason}", "check the name", f"{path}")) from None


def value(text: str) -> Any:
    """Parse a TOML value; anything else is returned as text.

    Raises
    ------
    InputError
        When a number is too long or the nesting too deep.
    """
    try:
        found = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        found = text.strip()
    except (RecursionError, ValueError) as error:
        raise InputError(_beyond(error, text)) from None
    if problems := list(limits({"": found})):
        raise InputError(problems)
    return found


def limits(data: dict[str, Any]) -> Iterator[Problem]:
    """Yield problems with valid TOML or YAML: integers beyond 64 bits, deep nesting, control characters, keys other than text."""
    waiting: deque[tuple[str, Any, int]] = deque([("", data, 0)])
    while waiting:
        place, content, depth = waiting.popleft()
        if depth > MAX_DEPTH:
            yield Problem(".".join(place.split(".")[:4]), f"tables are nested deeper than {MAX_DEPTH} levels", "use fewer levels")
        elif isinstance(content, dict):
            yield from (Problem(place, f"a key {wrong}", "remove it") for key in content if (wrong := _fault_of_key(key)))
            waiting += ((f"{place}.{key}" if place else key, item, depth + 1) for key, item in content.items())
        elif isinstance(content, list):
            waiting += ((f"{place}.{number}", item, depth + 1) for number, item in enumerate(content))
        elif isinstance(content, int) and not -(2**63) <= content < 2**63:
            yield Problem(place, f"an integer of {content.bit_length()} bits is too large", "use at most 64 bits")
        elif isinstance(content, str) and (wrong := names.fault(content, lines=True)):
            yield Problem(place, wrong, "remove it")


def _fault_of_key(key: Any) -> str:
    return names.fault(key) if isinstance(key, str) else f"is {str(key)[:40]!r}, not text"


def is_deeper(content: Any, levels: int = MAX_DEPTH) -> bool:
    """Return whether tables and lists are nested deeper than some levels, without recursion."""
    waiting = [(content, 0)]
    while waiting:
        found, depth = waiting.pop()
        if isinstance(found, dict | list):
            if depth >= levels:
                return True
            waiting += [(each, depth + 1) for each in (found.values() if isinstance(found, dict) else found)]
    return False


_LONG_NUMBER = re.compile(r"\d{1000}")


def _beyond(error: Exception, text: str, file: str = "") -> Problem:
    """Return the problem with valid TOML that exceeds the limits of the parser."""
    if isinstance(error, RecursionError):
        return Problem("", "brackets are nested too deeply", "use fewer levels", file)
    found = _LONG_NUMBER.search(text)
    line = text.count("\n", 0, found.start()) + 1 if found and file else 0
    return Problem("", "contains a number of more than 1,000 digits", "write a smaller one", file, line)


def construct(cls: type, data: dict[str, Any], *, file: str = "", section: str = "", lines: Lines | None = None) -> Any:
    """Return ``cls(**data)`` for a dataclass after checking every value against its annotation.

    Raises
    ------
    InputError
        With every wrong, missing and unknown key.
    """
    return _checked(_adapter(cls), cls.__name__, _hints(cls), data, file, section, lines)


def arguments(
    *functions: Callable,
    data: dict[str, Any],
    owner: str,
    given: Iterable[str] = (),
    section: str = "",
) -> dict[str, Any]:
    """Return `data` checked as keyword arguments of `functions`, with defaults filled in.

    Parameters
    ----------
    functions
        Functions whose parameters are combined; ``**others`` are ignored.
    owner
        Name of the element in messages.
    given
        Parameters that the caller supplies; not allowed in `data`.

    Raises
    ------
    InputError
        With every wrong, missing and unknown key.
    """
    adapter, hints = _model(functions, frozenset(given))
    checked = _checked(adapter, owner, hints, data, "", section, None)
    return {name: getattr(checked, name) for name in hints}


@lru_cache(maxsize=256)
def _model(functions: tuple[Callable, ...], given: frozenset[str]) -> tuple[Any, dict[str, Any]]:
    """Return the model of the parameters of some functions that are not given, and their types."""
    from pydantic import ConfigDict, TypeAdapter, create_model

    fields: dict[str, Any] = {}
    for function in functions:
        for name, (hint, default) in parameters(function).items():
            if name not in given:
                fields[name] = (hint, ... if default is inspect.Parameter.empty else default)
    model = create_model("Arguments", __config__=ConfigDict(extra="forbid", allow_inf_nan=False), **fields)
    return TypeAdapter(model), {name: hint for name, (hint, _) in fields.items()}


class Options:
    """Base of records whose fields are options one by one: a function with a parameter of such a type has these options."""


def parameters(function: Callable) -> dict[str, tuple[Any, Any]]:
    """Return type and default of each parameter, with the fields of `Options` in place of their record.

    A parameter without a default has ``inspect.Parameter.empty``; ``**others`` are left out.
    """
    found: dict[str, tuple[Any, Any]] = {}
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        hint = hints.get(name, Any)
        if isinstance(hint, type) and issubclass(hint, Options):
            found |= parameters(hint)
        elif parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            found[name] = (hint, parameter.default)
    return found


def composed(function: Callable, values: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a function from values of its `parameters`."""
    found = dict(values)
    for name, hint in get_type_hints(function).items():
        if isinstance(hint, type) and issubclass(hint, Options):
            found[name] = hint(**{key: found.pop(key) for key in parameters(hint) if key in found})
    return found


@cache
def _hints(cls: type) -> dict[str, Any]:
    """Return the type hints of a dataclass, including annotations."""
    return get_type_hints(cls, include_extras=True)


@cache
def _adapter(cls: type) -> Any:
    """Return the validator of a dataclass; building it is expensive."""
    from pydantic import TypeAdapter

    return TypeAdapter(cls)


def _checked(adapter: Any, owner: str, hints: dict[str, Any], data: dict, file: str, section: str, lines: Lines | None) -> Any:
    """Validate data; `hints` are the types of its keys."""
    from pydantic import ValidationError

    try:
        # JSON mode is strict about types, yet accepts a list for a tuple.
        return adapter.validate_json(json.dumps(data, default=_json), strict=True)
    except ValidationError as error:
        items = _relevant(error.errors(include_url=False), data)
        problems = [_problem(item, owner, hints) for item in items]
    except UnicodeEncodeError:
        problems = [Problem("", "text contains an unpaired surrogate", "remove it")]
    raise InputError(problems).located(file, section, lines)


def _relevant(items: Sequence[Mapping], data: dict) -> list[Mapping]:
    """Drop validation errors that follow from others.

    For a key that takes values of several forms, such as a name or a table, keep the errors about the form that was given. Their
    places contain a tag, ``literal[…]`` or the name of a type, which is removed.
    """
    kept: list[Mapping] = []
    other: dict[tuple, list[Mapping]] = {}
    for item in items:
        loc = item["loc"]
        # A list with invalid items is also reported as too short.
        if item["type"] == "too_short" and any(other["loc"][: len(loc)] == loc for other in items if other is not item):
            continue
        own, unlike = _untagged(loc, data)
        (kept if unlike is None else other.setdefault(unlike, [])).append({**item, "loc": own})
    # Where no form was given, the first one is expected.
    places = [item["loc"] for item in kept]
    return kept + [items[0] for place, items in other.items() if all(loc[: len(place)] != place for loc in places)]


_FORMS = {dict: "table", list: "list", tuple: "list", int: "number", float: "number"}


def _untagged(loc: tuple, data: Any) -> tuple[tuple, tuple | None]:
    """Return a place without tags, and the place whose first tag is not about the form that was given; None without one.

    Keys of the data are no tags.
    """
    own: list[int | str] = []
    unlike = None
    for part in loc:
        inside = part in data if isinstance(data, dict) else isinstance(data, list | tuple) and part in range(len(data))
        form = "" if inside else _form(part)
        if not form:
            own.append(part)
            data = data[part] if inside else None
        elif unlike is None and form != _FORMS.get(type(data), "name"):
            unlike = tuple(own)
    return tuple(own), unlike


def _form(part: int | str) -> str:
    """Return the form of value that a tag in the place of a validation error means; empty if it is a key or number."""
    text = str(part)
    if text.startswith(("tuple[", "list[")):
        return "list"
    if text in ("int", "float", "constrained-int", "constrained-float"):
        return "number"
    if text.startswith(("literal[", "function-")) or text in ("str", "bool", "constrained-str"):
        return "name"
    return "table" if text[:1].isupper() else ""


def _reason(loc: tuple, hints: dict[str, Any]) -> str:
    """Return the reason for the limits of a value, if its type states one."""
    reason = ""
    for key in (part for part in loc if part in hints):
        waiting, hints, reason = [hints[key]], {}, ""
        while waiting:
            hint = waiting.pop()
            waiting += get_args(hint)
            if isinstance(hint, names.Because):
                reason = hint.reason
            elif isinstance(hint, type) and is_dataclass(hint):
                hints = hints | _hints(hint)
    return reason


def _problem(item: Mapping, owner: str, hints: dict[str, Any]) -> Problem:
    place = ".".join(str(part) for part in item["loc"])
    leaf = str(item["loc"][-1]) if item["loc"] else ""
    if item["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        known = _keys(item["loc"][:-1], hints)
        return Problem(place, f"{owner} has no such key", suggestion(leaf, known) if known else "remove it")
    if item["type"] in ("missing", "missing_argument"):
        return Problem(place, f"{owner} needs this key", f"add {leaf} = …")
    if item["type"] == "predicate_failed":
        return Problem(place, names.fault(item["input"]), "remove it")
    shown = repr(item.get("input"))
    message = item["msg"].replace("Input should be", "must be").replace("Value error, ", "")
    limited = item["type"].startswith(("greater_than", "less_than"))
    return Problem(place, f"{message}, not {shown[:80]}", _reason(item["loc"], hints) if limited else "")


def _keys(table: tuple[int | str, ...], hints: dict[str, Any]) -> Iterable[str]:
    """Return the known keys of a table, () if they are not known; `hints` are those of the outermost one."""
    if not table:
        return hints
    inside = [kind for kind in (hints.get(str(table[0])), *get_args(hints.get(str(table[0])))) if is_dataclass(kind)]
    return _keys(table[1:], _hints(inside[0])) if len(inside) == 1 and isinstance(inside[0], type) else ()


def _json(content: Any) -> Any:
    if isinstance(content, datetime.date | datetime.time):
        return content.isoformat()
    if is_dataclass(content):
        return {spec.name: getattr(content, spec.name) for spec in fields(content)}
    return str(content)


def _lines(text: str) -> dict[str, int | str]:
    """Map each dotted key of a TOML text to its line; entries of [[name]] are ``name.0``, ``name.1`` …"""
    lines: dict[str, int | str] = {}
    counts: dict[str, int] = {}
    prefix = ""
    quote = ""
    for number, line in enumerate(text.split("\n"), 1):
        if quote:
            quote = "" if quote in line else quote
            continue
        if header := _HEADER.match(line.rstrip("\r")):
            name = _dotted(header[2])
            # A subtable of an array of tables belongs to the last entry.
            parts = name.split(".")
            for depth in range(1, len(parts)):
                parent = ".".join(parts[:depth])
                if parent in counts:
                    name = f"{parent}.{counts[parent]}.{'.'.join(parts[depth:])}"
            if header[1]:
                counts[name] = counts.get(name, -1) + 1
                name = f"{name}.{counts[name]}"
            prefix = name + "."
            lines[name] = number
        elif key := _KEY.match(line):
            lines[prefix + _dotted(key[1])] = number
        for mark in ('"""', "'''"):
            if line.count(mark) == 1:
                quote = mark
    return lines


def _dotted(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))
