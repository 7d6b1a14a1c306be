"""Declaration and discovery of design rules, and of the figures by which reported quantities are verified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeVar

from planner.domain.model import Catalog, Plan, Room, Topology, Violation


class Rule(Protocol):
    """A declared design rule, see `rule`."""

    __name__: str
    order: int
    networks: bool
    source: bool
    each: str

    def __call__(self, plan: Plan, *source: Source) -> Iterator[Violation]: ...


Number = tuple[str, float | int | None]
_F = TypeVar("_F", bound=Callable[..., Iterator[Violation]])


def rule(order: int, *, networks: bool = False, source: bool = False, each: str = "") -> Callable[[_F], _F]:
    """Declare a function as a design rule: its name is the rule's name, its docstring the meaning.

    Parameters
    ----------
    order
        Position among the rules.
    networks
        Whether the rule applies to plans without cables.
    source
        Whether the rule compares a plan with its study: its second parameter is then a `Source`.
    each
        Record of a single network that the rule is about: it is evaluated for each network that has one.
    """

    def declared(function: _F) -> _F:
        vars(function).update(order=order, networks=networks, source=source, each=each)
        return function

    return declared


def figures(function: Callable[[Plan], Iterator[Number]]) -> Callable[[Plan], Iterator[Number]]:
    """Declare a function that recomputes quantities from the records: yields name and value, None where a plan has none."""
    vars(function).update(recomputes=True)
    return function


def declared_rules() -> list[Rule]:
    """Return the rules of all public files of this folder in order."""
    return sorted(_declared("order"), key=lambda rule: (rule.source, rule.order, rule.__name__))


@cache
def declared_figures() -> tuple[Callable[[Plan], Iterator[Number]], ...]:
    """Return the functions of all public files of this folder that recompute quantities."""
    return tuple(_declared("recomputes"))


def _declared(mark: str) -> Iterator[Any]:
    """Yield the functions with a mark, from the files that define them."""
    for name in sorted(path.stem for path in Path(__file__).parents[1].glob("*.py") if not path.stem.startswith("_")):
        module = import_module(f"planner.check.{name}")
        yield from (item for item in vars(module).values() if hasattr(item, mark) and item.__module__ == module.__name__)


@dataclass(frozen=True)
class Window:
    """A window of work: the links that are taken out and put in, each as its two ends, name of the router and port."""

    number: int
    out: tuple[frozenset[tuple[str, int]], ...]
    put: tuple[frozenset[tuple[str, int]], ...]


@dataclass(frozen=True, eq=False)
class Source:
    """Built from the study, not taken from the plan.

    Attributes
    ----------
    topologies
        Topology of each network by name.
    catalog, room
        As the study describes them; a network study has neither.
    rows
        From the name of a kind of catalog row to all its rows, those of the study's own files among them.
    bare
        From the number of one of several networks to its topology without attached nodes.
    later
        Plan of the next phase of a machine that is bought in phases; None for others.
    windows
        Windows of work of the step to that stage; None where they are not at hand.
    limits
        Maximum number of ports of a router, and of cables, that are out at once; None where unknown.
    """

    topologies: Mapping[str, Topology]
    catalog: Catalog | None
    room: Room | None
    rows: Callable[[str], Iterable[Any]]
    bare: Callable[[int], Topology]
    later: Plan | None = None
    windows: tuple[Window, ...] | None = None
    limits: tuple[int, int] | None = None
