"""Families by how they grow: the networks of each for a sequence of sizes, and what each step moves."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from inspect import signature
from itertools import pairwise
from typing import Any, Literal, Protocol

from planner.core import registry
from planner.core.errors import Infeasible, InputError, Problem, suggestion
from planner.core.progress import Progress, silent
from planner.network.growth import plan
from planner.studies.explore.candidates import all_families, can_choose
from planner.studies.explore.members import PART, members, section_text

THROUGHPUT_LINKS = 20_000
"""Maximum number of links of a network whose throughput bound is computed; its time grows with routers times links."""

MOVES = 20_000_000
"""Usual effort of the method `match` for each step, in moves."""


class Workers(Protocol):
    """What runs the families, see `planner.core.executors`."""

    def each(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[int, Any], None, None]: ...


@dataclass(frozen=True)
class Wish:
    """What all families have to reach.

    Attributes
    ----------
    sizes
        Numbers of endpoints, ascending.
    ports
        Ports per router, for links and endpoints.
    radixes
        Minimum and maximum links per router.
    method
        Method of growth, see ``planner list growth``.
    reserve
        Whether ports that wait for later routers stay free, where a family or method can do that.
    moves
        Effort of `match` for each step.
    """

    sizes: tuple[int, ...]
    ports: int
    radixes: tuple[int, int] | None = None
    oversubscription: float = 1.0
    method: str = "auto"
    reserve: bool = False
    ends_down: int = 1
    cables_down: int = 40
    moves: int = MOVES
    seed: int = 1


@dataclass(frozen=True)
class Grown:
    """How one family grows.

    Attributes
    ----------
    parameters
        Parameters of the network of each size, as text.
    method
        Method of growth that was used.
    rows
        Figures of each phase, as of `planner.network.growth.Growth.rows`, and ``size``, ``member`` and ``share_moved``.
    reason
        Why there are none.
    """

    family: str
    parameters: tuple[str, ...] = ()
    method: str = ""
    rows: tuple[dict[str, Any], ...] = ()
    reason: str = ""

    @property
    def moved(self) -> int:
        """Moved links of all steps."""
        return sum(row["moved"] for row in self.rows)

    @property
    def bound(self) -> int:
        """Minimum of moved links of all steps, by the quality of the grown networks."""
        return sum(row["bound_quality"] for row in self.rows)

    @property
    def moved_per_endpoint(self) -> float:
        """Moved links of all steps for each endpoint that they add."""
        return self.moved / max(1, self.rows[-1]["endpoints"] - self.rows[0]["endpoints"])


def problems(wish: Wish, families: Sequence[str]) -> list[Problem]:
    """Return all problems of a wish."""
    found = []
    if len(wish.sizes) < 2:
        found.append(Problem("--growth", f"needs at least two sizes, not {len(wish.sizes)}", "write --growth 1000,2000,4000"))
    if any(after <= before for before, after in pairwise(wish.sizes)) or min(wish.sizes, default=1) < 1:
        words = ", ".join(map(str, wish.sizes))
        found.append(Problem("--growth", f"sizes must ascend from 1, not {words}", "list the smallest size first"))
    if wish.method not in (known := registry.names("growth")):
        found.append(Problem("--method", f"there is no method of growth {wish.method!r}", suggestion(wish.method, known)))
    for name in families:
        if not can_choose(name):
            candidates = [each for each in all_families() if can_choose(each)]
            found.append(Problem("--family", f"{name!r} cannot list its configurations", suggestion(name, candidates)))
    return found


def explore_growth(
    wish: Wish, families: Iterable[str] | None = None, *, executor: Workers, progress: Progress = silent
) -> tuple[list[Grown], bool]:
    """Return how families grow, those that move the minimum for each added endpoint first, and whether all are done.

    Parameters
    ----------
    families
        Families; by default all that can choose a configuration.
    executor
        See `planner.core.executors`; the result does not depend on it.

    Raises
    ------
    InputError
        With all problems of the wish.

    Notes
    -----
    Ctrl-C ends the exploration with the families that are done.
    """
    chosen = [name for name in all_families() if can_choose(name)] if families is None else list(dict.fromkeys(families))
    if wrong := problems(wish, chosen):
        raise InputError(wrong)
    found: list[Grown] = []
    try:
        progress("families", 0, len(chosen))
        with closing(executor.each(_task, [(wish, name) for name in chosen])) as outcomes:
            for number, outcome in outcomes:
                found.append(outcome.result())
                progress("families", len(found), len(chosen), family=chosen[number])
    except KeyboardInterrupt:
        return ranked(found), False
    return ranked(found), True


def ranked(found: Iterable[Grown]) -> list[Grown]:
    """Return families by moved links for each added endpoint, then by routers of the last phase; those without growth last."""

    def key(each: Grown) -> tuple[Any, ...]:
        if not each.rows:
            return (True, 0.0, 0, each.family)
        return (False, round(each.moved_per_endpoint, 9), each.rows[-1]["routers"], each.family)

    return sorted(found, key=key)


def _task(task: tuple[Wish, str]) -> Grown:
    wish, family = task
    try:
        return grown(wish, family)
    except (Infeasible, InputError) as error:
        return Grown(family, reason=str(error).removeprefix(f"{family}: "))


def grown(wish: Wish, family: str) -> Grown:
    """Return how one family grows.

    Raises
    ------
    Infeasible
        When the family has no network for one of the sizes, or the method cannot grow them.
    """
    own = members(
        family,
        wish.ports,
        wish.sizes,
        oversubscription=wish.oversubscription,
        reserve=wish.reserve,
        radixes=wish.radixes,
    )
    # Parts of the last network grow inside it: `auto` would leave it where many temporary links move.
    method = "inside" if wish.method == "auto" and own.sections[0]["family"] == PART else wish.method
    known = signature(registry.function("growth", method)).parameters
    options = {name: getattr(wish, name) for name in ("seed", "moves") if name in known}
    ports: Literal["use", "reserve"] = "reserve" if wish.reserve else "use"
    growth = plan(
        own.networks,
        method=method,
        names=[f"{size:,}" for size in wish.sizes],
        ports=ports,
        ends_down=wish.ends_down,
        cables_down=wish.cables_down,
        throughput=max(network.link_count for network in own.networks) <= THROUGHPUT_LINKS,
        **options,
    )
    shares = [0.0, *(change.share_moved for change in growth.steps)]
    connected = [True, *(each.connected for each in growth.windows)]
    rows = [
        {
            "size": size,
            **row,
            "share_moved": share,
            "connected": joined,
            "member": network.family == ideal.family and network.link_count == ideal.link_count,
        }
        for size, row, share, joined, network, ideal in zip(
            wish.sizes, growth.rows(), shares, connected, growth.networks, growth.ideals, strict=True
        )
    ]
    return Grown(family, tuple(section_text(each) for each in own.sections), method, tuple(rows))
