"""Public functions refuse what a study refuses: unknown words and values out of range."""

import importlib
import re
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from annotated_types import Ge

from planner.core.checking import checked, faults
from planner.core.errors import InputError
from planner.studies.stages import SECTIONS

ROOT = Path(__file__).parents[1]


def has_words(hint):
    return get_origin(hint) is Literal or any(has_words(one) for one in get_args(hint))


def documented():
    """Yield the functions that docs/api.md lists, and those whose parameters are keys of a study."""
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    for module, members in re.findall(r"^::: ([\w.]+)\n    options:\n      members: \[(.*)\]", text, re.MULTILINE):
        yield from (getattr(importlib.import_module(module), name) for name in members.split(", "))
    for section in SECTIONS.values():
        yield from section.functions


def hints_of(function):
    try:
        return get_type_hints(function, include_extras=True)
    except NameError:
        # A type that is imported for type checking alone.
        assert "Literal" not in str(function.__annotations__)
        return {}


def cases():
    functions = {one for one in documented() if callable(one) and not isinstance(one, type)}
    hints = {function: hints_of(function) for function in functions}
    return {
        f"{function.__module__}.{function.__name__} {name}": (function, name)
        for function in sorted(functions, key=lambda one: (one.__module__, one.__name__))
        for name, hint in hints[function].items()
        if name != "return" and has_words(hint)
    }


@pytest.mark.parametrize("case", cases())
def test_documented_functions_refuse_unknown_words(case):
    function, name = cases()[case]
    assert hasattr(function, "__wrapped__"), "decorate it with planner.core.checking.checked"
    assert [problem.place.partition(".")[0] for problem in faults((function,), {name: "no such word"})] == [name]


@checked()
def bake(dough: np.ndarray, *, heat: Literal["low", "high"] = "low", minutes: Annotated[int, Ge(1)] = 10, **others: Any) -> tuple:
    """Return what it was called with."""
    return dough.sum(), heat, minutes, others


def test_all_wrong_arguments_are_reported_together():
    with pytest.raises(InputError) as caught:
        bake(np.ones(3), heat="hot", minutes=0, cake=True)
    assert [str(problem) for problem in caught.value.problems] == [
        "heat: must be 'low' or 'high', not 'hot'",
        "minutes: must be greater than or equal to 1, not 0",
    ]


def test_numbers_of_numpy_are_numbers_and_a_missing_argument_is_the_error_of_python():
    assert bake(np.ones(3), heat="high", minutes=np.int64(3), cake=1) == (3, "high", 3, {"cake": 1})
    with pytest.raises(TypeError, match="missing a required argument: 'dough'"):
        bake(heat="low")
    with pytest.raises(InputError, match="minutes: must be a valid integer, not True"):
        bake(np.ones(3), minutes=True)
