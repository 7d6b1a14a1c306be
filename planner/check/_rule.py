"""Declaration and discovery of design rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from planner.model import Violation

Rule = Callable[..., Iterator[Violation]]
_F = TypeVar("_F", bound=Rule)


def rule(order: int, *, networks: bool = False, source: bool = False) -> Callable[[_F], _F]:
    """Declare a function as a design rule: its name is the rule's name, its docstring the meaning.

    Parameters
    ----------
    order
        Position among the rules.
    networks
        Whether the rule applies to plans without cables.
    source
        Whether the rule compares a plan with its study: its second parameter is then a `Source`.
    """

    def declared(function: _F) -> _F:
        function.order, function.networks, function.source = order, networks, source
        return function

    return declared


def declared_rules() -> list[Rule]:
    """Return the rules of all public files of this folder in order."""
    files = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    found = [item for file in files for item in _rules(import_module(f"planner.check.{file}"))]
    return sorted(found, key=lambda rule: (rule.source, rule.order, rule.__name__))


def _rules(module: object) -> Iterable[Rule]:
    """Return the rules that a module declares, without those that it imports."""
    own = module.__name__
    return [item for item in vars(module).values() if hasattr(item, "order") and getattr(item, "__module__", "") == own]
