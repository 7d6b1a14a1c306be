"""Arguments of public functions, checked as the keys of a study are."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.reading import arguments, parameters
from planner.core.record import Record

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def checked(*others: Callable) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Return a decorator: the function refuses unknown words and values out of range with the messages of a study.

    Checked are parameters whose types a study file can express: words, numbers, and tables of them. What else they must be, such
    as arrays of the right shape, the function itself checks.

    Parameters
    ----------
    others
        Functions or dataclasses that define what the ``**others`` of the function may be.
    """

    def decorate(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
            given = signature.bind(*args, **kwargs).arguments
            rest = next((name for name, one in signature.parameters.items() if one.kind is one.VAR_KEYWORD), "")
            problems = list(faults((function, *others), given | given.get(rest, {})))
            if problems:
                raise InputError(problems)
            return function(*args, **kwargs)

        return call

    return decorate


def faults(functions: tuple[Callable, ...], values: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what a study would refuse among values of the parameters of some functions.

    Values of parameters that a study file cannot express are not checked.
    """
    for function in functions:
        check = _check(function)
        own = {name: plain(values[name]) for name in parameters(check) if name in values}
        try:
            arguments(check, data=own, owner=function.__name__)
        except InputError as error:
            yield from error.problems


@cache
def _check(function: Callable) -> Callable:
    """Return a function of the parameters of a function that a study file can express, none of them required."""
    hints = {name: hint for name, (hint, _) in parameters(function).items() if _is_expressible(hint)}

    def check() -> None: ...

    every = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in hints]
    check.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]  # read by inspect
    check.__annotations__ = hints
    return check


def _is_expressible(hint: Any) -> bool:
    """Return whether a study file can express values of a type."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Literal or hint in (str, int, float, bool, type(None)):
        return True
    if origin is Annotated:
        return _is_expressible(inside[0])
    if origin in (Union, types.UnionType, tuple, list):
        return all(_is_expressible(one) for one in inside if one is not Ellipsis)
    if isinstance(hint, type) and is_dataclass(hint) and not issubclass(hint, Record):
        hints = get_type_hints(hint, include_extras=True)
        return all(_is_expressible(hints[field.name]) or hints[field.name] == dict[str, Any] | None for field in fields(hint))
    return origin is dict and inside == (str, Any)


def plain(content: Any) -> Any:
    """Return a value with numbers and arrays of NumPy as those of Python, in lists and tables too."""
    if isinstance(content, np.generic | np.ndarray):
        return content.tolist()
    if is_dataclass(content) and not isinstance(content, type):
        content = {field.name: getattr(content, field.name) for field in fields(content)}
    if isinstance(content, Mapping):
        return {key: plain(item) for key, item in content.items()}
    if isinstance(content, list | tuple):
        return [plain(item) for item in content]
    return content
