"""Registry of elements: each kind has a folder, each file of it defines an element, and its function declares the parameters.

Files whose names start with an underscore are private. Plug-ins work like built-in elements. Those of an installed package have a
name, which its entry point gives to a module; they are as trusted as what is installed. A dotted name (``mylab.topologies.foo``)
is imported as a module. Such a name is code: who opens a plan of somebody else does so within ``own_code(False)``, where it is
not imported. Listing elements parses source text and imports no element.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from planner.core.errors import InputError, Problem, suggestion


@dataclass(frozen=True)
class Kind:
    """A kind of element.

    Attributes
    ----------
    package
        The package whose files are its elements.
    function
        The function that each element defines.
    group
        Entry points of its plug-ins.
    given
        Parameters of the function that the stage supplies rather than the study.
    """

    package: str
    function: str
    group: str
    given: tuple[str, ...]

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
    name: Kind(package, function, f"planner.{group}", tuple(given.split()))
    for name, package, function, group, given in (
        ("topology", "planner.network.topology", "build", "topologies", ""),
        ("attachment", "planner.network.attachment", "attach", "attachments", "ports leaves"),
        ("placement", "planner.design.placement", "place", "placements", "problem seed progress"),
        ("packing", "planner.design.placement.packing", "pack", "packings", "topology capacity members seed whole apart"),
        ("bundling", "planner.design.cabling.bundling", "bundle", "bundlings", "cables"),
        ("bound", "planner.design.placement.bound", "bound", "bounds", "problem"),
        ("routing", "planner.simulation.routing", "prepare", "routings", "network"),
        ("motif", "planner.simulation.motif", "messages", "motifs", "ranks"),
        ("traffic", "planner.simulation.traffic", "prepare", "traffic", "topology seed"),
        ("report", "planner.formats", "write", "formats", "plan path"),
        ("growth", "planner.network.growth.methods", "grow", "growth", "old target progress"),
        ("discovery", "planner.fabric.verify.readers", "read", "discovery", "text file"),
    )
}
"""Registered kinds."""

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
    return [Problem(place, f"{name!r:.80} {words}", _REMEDY) for place, name in _elements(study) if _DOTTED.fullmatch(name)]


def _elements(study: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield places and names of the elements in the data of a study, however deeply it is nested."""
    waiting: list[tuple[str, Any, bool]] = [("", study, False)]
    while waiting:
        place, content, names_element = waiting.pop()
        start = f"{place}." if place else ""
        if isinstance(content, Mapping):
            waiting += [(f"{start}{key}", value, key in _KEYS) for key, value in content.items()]
        elif isinstance(content, list | tuple):
            waiting += [(f"{start}{number}", value, names_element) for number, value in enumerate(content)]
        elif names_element and isinstance(content, str):
            yield place, content


def names(kind: str) -> list[str]:
    """Return the names of all elements of a kind, sorted.

    >>> "slimfly" in names("topology")
    True
    """
    return sorted({*_stems(KINDS[kind].folder), *installed(kind)})


@cache
def installed(kind: str) -> Mapping[str, EntryPoint]:
    """Return the plug-ins of installed packages by name; those with the name of a built-in element are left out."""
    own = _stems(KINDS[kind].folder)
    return {point.name: point for point in entry_points(group=KINDS[kind].group) if point.name not in own}


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
        module = _imported(kind, name, name, "check PYTHONPATH")
    elif name in _stems(KINDS[kind].folder):
        module = importlib.import_module(f"{KINDS[kind].package}.{name}")
    elif point := installed(kind).get(name):
        package = point.dist.name if point.dist else "its package"
        module = _imported(kind, name, point.value, f"install {package} again, or remove it")
    else:
        raise InputError(Problem("", f"there is no {kind} {name!r}", suggestion(name, names(kind))))
    if not callable(getattr(module, KINDS[kind].function, None)):
        raise InputError(Problem("", f"{kind} {name} defines no function {KINDS[kind].function}()", "see docs/adding.md"))
    return module


def _imported(kind: str, name: str, path: str, remedy: str) -> ModuleType:
    """Import the module of a plug-in."""
    try:
        module = importlib.import_module(path)
    except ImportError as error:
        raise InputError(Problem("", f"{kind} {name} cannot be imported: {error}", remedy)) from None
    except (Exception, SystemExit) as error:
        message = f"{kind} {name} failed on import: {type(error).__name__}: {error}"
        raise InputError(Problem("", message, "correct the module")) from None
    _PLUGINS.add(str(getattr(module, "__file__", None)))
    return module


def _source(kind: str, name: str) -> str:
    """Return the source text of an element, which is not imported; "" if a package does not have what its entry point names."""
    file = KINDS[kind].folder / f"{name}.py"
    if point := installed(kind).get(name):
        with suppress(ImportError, ValueError):
            spec = importlib.util.find_spec(point.value)
            file = Path(spec.origin or "") if spec else Path()
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def plugin_files(study: Mapping[str, Any]) -> dict[str, Path]:
    """Return the files of the plug-ins that the data of a study names, by module: its results depend on them."""
    names = {name for _, name in _elements(study)}
    modules = {name for name in names if _DOTTED.fullmatch(name)}
    modules |= {point.value for kind in KINDS for name in names if (point := installed(kind).get(name))}
    return {module: Path(str(sys.modules[module].__file__)) for module in modules if module in sys.modules}


def plugin_frame(error: BaseException) -> str:
    """Return file and line of the innermost plug-in frame in a traceback, or "" if there is none.

    A plug-in is a module that a study refers to by a dotted name, or of another installed package.
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
    source = _source(kind, name)
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
