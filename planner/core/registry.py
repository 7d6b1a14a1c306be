"""Registry of elements: each kind has a folder, each file of it defines an element, and its function declares the parameters.

Files whose names start with an underscore are private. A dotted name (``mylab.topologies.foo``) is imported as a module:
plug-ins work like built-in elements. Such a name is code: who opens a plan of somebody else does so within
``own_code(False)``, where no plug-in is imported. Listing elements parses source text and imports nothing.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from planner.core.errors import InputError, Problem, suggestion


@dataclass(frozen=True)
class Kind:
    """A kind of element: its package and the function that each element defines."""

    package: str
    function: str
    given: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        return Path(__file__).parents[1].joinpath(*self.package.split(".")[1:])


_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")
"""Module name of a plug-in; any other name refers to a file of this package."""

_DOCSTRING = re.compile(r'(?:#[^\n]*\n)*"""(.*?)(?:"""|\n)')
"""Start of a file: the first line of its docstring."""

_PLUGINS: set[str] = set()
"""Files of imported plug-ins."""

_OWN_CODE: ContextVar[bool] = ContextVar("own_code", default=True)

_REMEDY = "add --own-code if you trust it"

KINDS = {
    "topology": Kind("planner.network.topology", "build"),
    "attachment": Kind("planner.network.attachment", "attach", ("ports", "leaves")),
    "placement": Kind("planner.design.placement", "place", ("problem", "seed", "progress")),
    "packing": Kind("planner.design.placement.packing", "pack", ("topology", "capacity", "members", "seed", "whole", "apart")),
    "bundling": Kind("planner.design.cabling.bundling", "bundle", ("cables",)),
    "bound": Kind("planner.design.placement.bound", "bound", ("problem",)),
    "routing": Kind("planner.simulation.routing", "prepare", ("network",)),
    "motif": Kind("planner.simulation.motif", "messages", ("ranks",)),
    "traffic": Kind("planner.simulation.traffic", "prepare", ("topology", "seed")),
    "report": Kind("planner.formats", "write", ("plan", "path", "side_by_side")),
    "growth": Kind("planner.network.growth.methods", "grow", ("old", "target", "progress")),
    "discovery": Kind("planner.fabric.verify.readers", "read", ("text", "file")),
}
"""Registered kinds; `given` names the parameters that the stage supplies rather than the study."""

_KEYS = {"family", "nucleus", "plane", "algorithm", "method", "rule", "formats"} | KINDS.keys()
"""Keys of a study that name elements."""


@contextmanager
def own_code(allowed: bool) -> Iterator[None]:
    """Import plug-ins in the block, or refuse them; what is refused outside stays refused."""
    token = _OWN_CODE.set(allowed and _OWN_CODE.get())
    try:
        yield
    finally:
        _OWN_CODE.reset(token)


def runs_own_code() -> bool:
    """Return whether plug-ins are imported here."""
    return _OWN_CODE.get()


def refused(study: Mapping[str, Any]) -> list[Problem]:
    """Return the problem of every plug-in that a study names; none where plug-ins are imported."""
    if runs_own_code():
        return []
    words = "is code of its own that this plan names, and was not imported"
    return [Problem(place, f"{name!r:.80} {words}", _REMEDY) for place, name in _plugins(study)]


def _plugins(study: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield places and names of the plug-ins in the data of a study, however deeply it is nested."""
    waiting: list[tuple[str, Any, bool]] = [("", study, False)]
    while waiting:
        place, content, names_element = waiting.pop()
        start = f"{place}." if place else ""
        if isinstance(content, Mapping):
            waiting += [(f"{start}{key}", value, key in _KEYS) for key, value in content.items()]
        elif isinstance(content, list | tuple):
            waiting += [(f"{start}{number}", value, names_element) for number, value in enumerate(content)]
        elif names_element and isinstance(content, str) and _DOTTED.fullmatch(content):
            yield place, content


def names(kind: str) -> list[str]:
    """Return the names of all elements of a kind, sorted.

    >>> "slimfly" in names("topology")
    True
    """
    return list(_stems(KINDS[kind].folder))


@cache
def _stems(folder: Path) -> tuple[str, ...]:
    """Return the names of the elements of a folder; they do not change while the program runs, and are read all the time."""
    return tuple(sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")))


def load(kind: str, name: str) -> ModuleType:
    """Import one element.

    Raises
    ------
    InputError
        When there is no such element, or it does not define the function of its kind.
    """
    if _DOTTED.fullmatch(name):
        if not runs_own_code():
            raise InputError(Problem("", f"{kind} {name!r:.80} is code of its own, and was not imported", _REMEDY))
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            raise InputError(Problem("", f"{kind} {name} cannot be imported: {error}", "check PYTHONPATH")) from None
        except (Exception, SystemExit) as error:
            message = f"{kind} {name} failed on import: {type(error).__name__}: {error}"
            raise InputError(Problem("", message, "correct the module")) from None
        _PLUGINS.add(str(getattr(module, "__file__", None)))
    elif name in names(kind):
        module = importlib.import_module(f"{KINDS[kind].package}.{name}")
    else:
        raise InputError(Problem("", f"there is no {kind} {name!r}", suggestion(name, names(kind))))
    if not callable(getattr(module, KINDS[kind].function, None)):
        raise InputError(Problem("", f"{kind} {name} defines no function {KINDS[kind].function}()", "see docs/adding.md"))
    return module


def plugin_frame(error: BaseException) -> str:
    """Return file and line of the innermost plug-in frame in a traceback, or "" if there is none.

    A plug-in is a module that a study refers to by a dotted name.
    """
    place, step = "", error.__traceback__
    while step is not None:
        if (file := step.tb_frame.f_code.co_filename) in _PLUGINS:
            place = f"{file}:{step.tb_lineno}"
        step = step.tb_next
    return place


def function(kind: str, name: str) -> Callable:
    """Return the function that an element defines."""
    return getattr(load(kind, name), KINDS[kind].function)


def summary(kind: str, name: str) -> tuple[str, str]:
    """Return the first docstring line and the parameters of an element, read from its source."""
    spec = KINDS[kind]
    source = (spec.folder / f"{name}.py").read_text(encoding="utf-8")
    docstring, signature = _DOCSTRING.match(source), re.search(rf"^def {spec.function}\(.*?:$", source, re.DOTALL | re.MULTILINE)
    line = docstring[1] if docstring else ""
    # To parse the whole file takes twenty times as long.
    node = ast.parse(f"{signature[0]} pass").body[0] if signature else None
    return line, ", ".join(_parameters(node, spec.given)) if isinstance(node, ast.FunctionDef) else ""


def _parameters(node: ast.FunctionDef, given: tuple[str, ...]) -> list[str]:
    plain = node.args.posonlyargs + node.args.args
    defaults = [None] * (len(plain) - len(node.args.defaults)) + list(node.args.defaults)
    pairs = list(zip(plain, defaults, strict=True)) + list(zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True))
    return [
        # A default with a name is a record: its fields are listed elsewhere.
        argument.arg if default is None or isinstance(default, ast.Name) else f"{argument.arg}={ast.unparse(default)}"
        for argument, default in pairs
        if argument.arg not in given
    ]
