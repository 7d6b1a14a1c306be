"""A sequence of phases: the networks, what each step moves against the proven minimum, and quality next to ideal members."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from planner.core import registry
from planner.core.checking import checked
from planner.core.errors import Infeasible
from planner.core.progress import Progress, silent
from planner.core.reading import arguments
from planner.domain.model import Topology
from planner.network.growth.bounds import moved_by_ports, moved_by_quality
from planner.network.growth.methods import inside
from planner.network.growth.naming import embedding
from planner.network.growth.step import Step, step
from planner.network.growth.windows import Windows, windows
from planner.network.metrics import bisection, channel_load, distances, spectrum


@dataclass(frozen=True)
class Quality:
    """Figures of one network.

    Attributes
    ----------
    diameter, mean_hops
        Of all pairs of routers; None if some have no path.
    connectivity
        Second smallest eigenvalue of the Laplacian.
    cut
        Upper bound of the bisection, links.
    throughput
        Throughput bound of uniform traffic over minimal paths; None where it was not computed.
    """

    diameter: int | None
    mean_hops: float | None
    connectivity: float
    cut: int
    throughput: float | None


def quality(network: Topology, *, throughput: bool = True) -> Quality:
    """Return the figures of a network."""
    hops = distances(network)
    return Quality(
        hops.diameter,
        hops.mean,
        spectrum(network).connectivity,
        bisection(network, starts=4).upper,
        channel_load(network).throughput if throughput else None,
    )


@dataclass(frozen=True)
class Growth:
    """A network through its phases.

    Attributes
    ----------
    names
        Name of each phase.
    networks
        Network of each phase; routers keep their ids from phase to phase, new ones come last.
    ideals
        Network of each phase as it would be built alone.
    steps
        What stays, is moved and is added from each phase to the next.
    bounds
        Proven minimum of moved links of each step: by ports, for networks with as many links among new routers; and by quality,
        for networks of the same algebraic connectivity.
    windows
        Windows of work of each step.
    qualities, ideal_qualities
        Figures of the networks and of the ideal ones.
    """

    names: tuple[str, ...]
    networks: tuple[Topology, ...]
    ideals: tuple[Topology, ...]
    steps: tuple[Step, ...]
    bounds: tuple[tuple[int, int], ...]
    windows: tuple[Windows, ...]
    qualities: tuple[Quality, ...]
    ideal_qualities: tuple[Quality, ...]

    @property
    def phase_of_router(self) -> np.ndarray:
        """Phase in which each router of the last network is installed, int64 (R,)."""
        sizes = [network.router_count for network in self.networks]
        return np.searchsorted(sizes, np.arange(sizes[-1]), side="right")

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield figures of each phase by name, each figure next to that of the ideal network."""
        for number, (name, network) in enumerate(zip(self.names, self.networks, strict=True)):
            change = self.steps[number - 1] if number else None
            own, ideal = self.qualities[number], self.ideal_qualities[number]
            yield {
                "phase": name,
                "routers": network.router_count,
                "endpoints": network.endpoint_count,
                "links": network.link_count,
                "kept": len(change.kept) if change else 0,
                "moved": len(change.moved) if change else 0,
                "bound_quality": self.bounds[number - 1][1] if change else 0,
                "bound_ports": self.bounds[number - 1][0] if change else 0,
                "added": len(change.added) if change else network.link_count,
                "windows": self.windows[number - 1].count if change else 0,
                "diameter": own.diameter,
                "diameter_ideal": ideal.diameter,
                "mean_hops": own.mean_hops,
                "mean_hops_ideal": ideal.mean_hops,
                "cut": own.cut,
                "cut_ideal": ideal.cut,
                "throughput": own.throughput,
                "throughput_ideal": ideal.throughput,
            }

    def table(self) -> str:
        """Return the phases as a table for the terminal; figures of ideal networks are in brackets.

        ``at least`` is the bound for the connectivity of the grown network, ``by ports`` the one for its number of links among
        new routers.
        """
        head = [
            "phase",
            "routers",
            "links",
            "kept",
            "moved",
            "at least",
            "by ports",
            "added",
            "windows",
            "diameter",
            "mean hops",
            "cut",
        ]
        head += ["throughput"] if self.qualities[0].throughput is not None else []
        lines = [head]
        for row in self.rows():
            cells = [row["phase"], *(f"{row[name]:,}" for name in _COUNTS)]
            cells += [with_ideal(row, name, form) for name, form in _FIGURES.items() if name.replace("_", " ") in head]
            lines.append(cells)
        width = [max(len(line[column]) for line in lines) for column in range(len(head))]
        return "\n".join("  ".join(cell.rjust(size) for cell, size in zip(line, width, strict=True)) for line in lines)


_COUNTS = ("routers", "links", "kept", "moved", "bound_quality", "bound_ports", "added", "windows")
_FIGURES = {"diameter": "d", "mean_hops": ".3f", "cut": ",d", "throughput": ".3f"}


def with_ideal(row: dict[str, Any], name: str, form: str) -> str:
    """Return a figure of a grown network, and that of the ideal one in brackets."""
    own, ideal = ("–" if value is None else format(value, form) for value in (row[name], row[f"{name}_ideal"]))
    return f"{own} ({ideal})"


@checked()
def plan(
    phases: Sequence[Topology],
    *,
    method: str = "auto",
    names: Sequence[str] = (),
    ports: Literal["use", "reserve"] = "use",
    ends_down: int = 1,
    cables_down: int = 40,
    throughput: bool = False,
    progress: Progress = silent,
    **options: Any,
) -> Growth:
    """Plan the growth of a network over all its phases.

    Parameters
    ----------
    phases
        The network of each phase as it would be built alone, ascending in routers.
    method
        Method of growth, see ``planner list growth``, or a dotted module name. With
        ``inside``, phases that are not inside the last one by their coordinates are planned as dense parts of it.
    names
        Name of each phase; by default 1, 2 …
    ports
        With ``inside``: whether idle ports take temporary links, or stay free.
    ends_down, cables_down
        Limits of the windows of work, see `windows`.
    throughput
        Whether to compute the throughput bound; its time grows with routers times links.
    progress
        Progress callback.
    **options
        Options of the method.

    Raises
    ------
    InputError
        When there is no such method or its options are not valid.
    Infeasible
        When a phase has fewer routers than the one before it, or the method cannot grow it.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> growth = plan([build("dragonfly", a=4, h=2, groups=g, max_groups=9) for g in (5, 6, 9)])
    >>> [len(change.moved) for change in growth.steps]
    [0, 0]
    """
    for before, after in pairwise(phases):
        if after.router_count < before.router_count:
            message = f"a phase of {after.router_count} routers follows one of {before.router_count}"
            raise Infeasible(f"{message}; list phases in ascending size, or take routers out with shrink")
    if not phases:
        raise Infeasible("growth needs at least one phase")
    names = tuple(names) or tuple(str(number + 1) for number in range(len(phases)))
    networks = _networks(phases, method, ports, options, progress)
    steps = tuple(step(old, new) for old, new in pairwise(networks))
    figures, ideals = [], []
    for network, ideal in zip(networks, phases, strict=True):
        figures.append(quality(network, throughput=throughput))
        ideals.append(figures[-1] if network is ideal else quality(ideal, throughput=throughput))
    return Growth(
        names,
        tuple(networks),
        tuple(phases),
        steps,
        tuple(bounds(change, found.connectivity) for change, found in zip(steps, figures[1:], strict=True)),
        tuple(windows(change, ends_down=ends_down, cables_down=cables_down) for change in steps),
        tuple(figures),
        tuple(ideals),
    )


def bounds(step: Step, connectivity: float) -> tuple[int, int]:
    """Return the minimum moved links of a step by its ports, and by the algebraic connectivity of the grown network."""
    old = step.old.router_count
    free = np.maximum(step.new.degree[:old] - step.old.degree, 0)
    among_new = int((step.new.links >= old).all(axis=1).sum())
    by_ports = moved_by_ports(free, step.new.degree[old:], among_new)
    added = step.new.router_count - old
    return by_ports, moved_by_quality(free, added, connectivity) if added else 0


def _networks(
    phases: Sequence[Topology], method: str, ports: Literal["use", "reserve"], options: dict[str, Any], progress: Progress
) -> list[Topology]:
    if method == "inside" and not _hereditary(phases):
        sizes = [phase.router_count for phase in phases[:-1]]
        first, *others = [*inside.phases(phases[-1], sizes, ports=ports, **options), phases[-1]]
        networks = [first]
        for target in others:
            networks.append(inside.grow(networks[-1], target))
        return networks
    grow = registry.function("growth", method)
    takes = signature(grow).parameters
    known = arguments(grow, data=options, owner=method, given=["old", "target", "progress"])
    if "progress" in takes:
        known["progress"] = progress
    networks = [phases[0]]
    for target in phases[1:]:
        networks.append(grow(networks[-1], target, **known))
    return networks


def _hereditary(phases: Sequence[Topology]) -> bool:
    """Return whether each network is inside the next one with all its links."""
    for old, target in pairwise(phases):
        if embedding(old, target) is None or len(step(old, inside.grow(old, target)).moved):
            return False
    return True
