"""A section of a study: its keys are the parameters of functions, checked before anything runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from planner.core import reading, registry
from planner.core.errors import InputError, Problem, suggestion


@dataclass(frozen=True)
class Variant:
    """The element that carries out a stage: its parameters are keys of the section as well.

    Attributes
    ----------
    kind
        Kind of the element.
    key
        Key with its name.
    default
        Name if the key is missing; "" if the key is required.
    """

    kind: str
    key: str
    default: str = ""


@dataclass(frozen=True)
class Section:
    """A section of a study.

    Attributes
    ----------
    name
        Its name in the study.
    functions
        Functions whose parameters are its keys.
    given
        Parameters that the flow supplies.
    variant
        Element whose parameters are keys as well.
    elements
        Pluggable elements by kind, with defaults; ``<kind>_parameters`` holds the parameters of an element.
    tables
        Nested tables that are no parameters, with their types.
    optional
        Whether the stage runs only if the study has the section.
    finish
        Checks what a signature cannot express; takes and returns the arguments.
    without_cables
        Returns the problems of the arguments in a study without catalog and room.
    is_list
        Whether it is a list of tables, ``[[name]]``: the only argument, which has the section's name.
    """

    name: str
    functions: tuple[Callable[..., Any], ...]
    given: tuple[str, ...] = ()
    variant: Variant | None = None
    elements: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, type] = field(default_factory=dict)
    optional: bool = False
    finish: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    without_cables: Callable[[dict[str, Any]], list[Problem]] | None = None
    is_list: bool = False


def read(section: Section, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a section with defaults filled in.

    Raises
    ------
    InputError
        With all problems; places are relative to the section.
    """
    content = dict(content)
    problems: list[Problem] = []
    tables = {key: _table(section.name, key, kind, content.pop(key, {})) for key, kind in section.tables.items()}
    functions, given, owner = section.functions, section.given, section.name
    if section.variant is not None:
        owner, element = _variant(section.variant, content)
        functions, given = (*functions, element), (*given, *registry.KINDS[section.variant.kind].given)
    chosen: dict[str, dict[str, Any]] = {}
    for kind, usual in section.elements.items():
        with collected(problems):
            chosen |= parameters(kind, content.get(kind, usual), content.get(f"{kind}_parameters", {}), usual)
    arguments: dict[str, Any] = {}
    with collected(problems):
        arguments = reading.arguments(*functions, data=content, owner=owner, given=given)
        if section.finish is not None:
            arguments = section.finish(arguments)
    if problems:
        raise InputError(problems)
    return arguments | chosen | tables


def _table(section: str, key: str, kind: type, content: Any) -> Any:
    if not isinstance(content, dict):
        raise InputError(Problem(key, f"must be a section, not {content!r}", f"write [{section}.{key}]"))
    return reading.construct(kind, content, section=key)


def _variant(variant: Variant, content: dict[str, Any]) -> tuple[str, Callable[..., Any]]:
    """Return name and function of the element that a section chooses."""
    name = content.get(variant.key, variant.default)
    if not isinstance(name, str) or not name:
        message = f"{name!r} names no {variant.kind}" if variant.default else f"a {variant.kind} needs a {variant.key}"
        raise InputError(Problem(variant.key, message, suggestion("", registry.names(variant.kind))))
    return name, element(variant.kind, name, variant.key)


def parameters(kind: str, name: Any, given: Any, usual: str = "") -> dict[str, dict[str, Any]]:
    """Return the checked parameters of an element; {} if they are not a table, which is reported elsewhere.

    Parameters
    ----------
    usual
        Default name, which needs no element: the stage chooses one.

    Raises
    ------
    InputError
        When there is no such element, or with all problems of its parameters.
    """
    if name == usual and not given:
        return {}
    function = element(kind, str(name), kind)
    if not isinstance(given, dict) or not given:
        return {}
    place = f"{kind}_parameters"
    checked = reading.arguments(function, data=given, owner=str(name), given=registry.KINDS[kind].given, section=place)
    return {place: {key: checked[key] for key in given}}


def element(kind: str, name: str, key: str) -> Callable[..., Any]:
    """Return the function of an element; `key` is the place of its name in messages."""
    try:
        return registry.function(kind, name)
    except InputError as error:
        raise error.located(section=key) from None


@contextmanager
def collected(problems: list[Problem], section: str = "") -> Iterator[None]:
    """Collect problems so that the rest of a section, or of a study, is checked too."""
    try:
        yield
    except InputError as error:
        problems += error.located(section=section).problems if section else error.problems
