"""Networks of one family for a sequence of sizes, with the same routers and endpoints per router in all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from planner.core.errors import Infeasible, InputError, Problem
from planner.domain.model import Topology
from planner.network.topology import build
from planner.studies.explore.candidate import Candidate, Demand, max_endpoints, parameter_text
from planner.studies.explore.candidates import candidates
from planner.studies.explore.capacity import limit_of_candidate
from planner.studies.explore.choice import Choice, choose
from planner.studies.explore.smaller import smaller

_MAX_BUILT = 40
"""Maximum number of networks built for one size."""

_NEAR = 1.25
"""Maximum ratio of the endpoints of a member to those that are needed."""

PART = "planner.studies.explore.part"
"""Family of the dense parts of a network."""


@dataclass(frozen=True)
class Members:
    """Networks of a family for a sequence of sizes.

    Attributes
    ----------
    sections
        The section ``[topology]`` of each of them.
    networks
        The networks as they would be built alone.
    last
        Choice of the last one.
    """

    family: str
    sections: tuple[dict[str, Any], ...]
    networks: tuple[Topology, ...]
    last: Choice


def members(
    family: str,
    ports: int,
    sizes: Sequence[int],
    *,
    oversubscription: float = 1.0,
    reserve: bool = False,
    radixes: tuple[int, int] | None = None,
) -> Members:
    """Return the networks of a family for ascending numbers of endpoints.

    The last one is the best-fitting configuration, see `choose`. Those before have its endpoints per router: the smallest one
    that is large enough and smaller by the parameter with which the family grows, see `smaller`. In families without such a rule
    they are the configurations with the minimum number of routers, if there is one for each size with at most a quarter
    more endpoints; otherwise dense parts of the last one, see `planner.studies.explore.part`.

    Parameters
    ----------
    ports
        Ports per router, for links and endpoints.
    sizes
        Required numbers of endpoints.
    reserve
        Whether ports follow the last network, see `smaller`.
    radixes
        Minimum and maximum links per router of the last network.

    Raises
    ------
    InputError
        When the sizes do not ascend.
    Infeasible
        When the family has no configuration for one of the sizes.

    Examples
    --------
    >>> found = members("hyperx", 36, [1000, 2000, 4000])
    >>> [(section["sizes"], network.endpoint_count) for section, network in zip(found.sections, found.networks)]
    [([5, 5, 5], 1000), ([7, 6, 6], 2016), ([8, 8, 8], 4096)]
    """
    if wrong := [f"{after:,} follows {before:,}" for before, after in pairwise(sizes) if after <= before]:
        raise InputError(Problem("sizes", f"must ascend, but {wrong[0]}", "list the smallest size first"))
    demand = Demand(sizes[-1], oversubscription=oversubscription)
    last = choose(family, ports, demand, radixes=radixes)
    sections = _by_rule(last, sizes[:-1], reserve)
    if not sections:
        sections = _by_choice(last, sizes[:-1], candidates(family, ports, demand), ports, demand) or _parts(last, sizes, reserve)
    final = last.topology
    if reserve and (own := smaller(family, last.topology, reserve=True)):
        final = last.topology | own[-1][0]
    sections.append(final)
    return Members(family, tuple(sections), tuple(build(**section) for section in sections), last)


def _by_rule(last: Choice, sizes: Sequence[int], reserve: bool) -> list[dict[str, Any]]:
    """Return the smallest networks by the rule of growth with these numbers of endpoints; [] for families without a rule.

    Raises
    ------
    Infeasible
        When the rule has no network that is large enough.
    """
    changes = smaller(last.family, last.topology, reserve=reserve)
    if not changes:
        return []
    found = []
    for size in sizes:
        large = (last.topology | change for change, leaves in changes if leaves * last.endpoints_per_router >= size)
        section = _first(large, size)
        if section is None:
            raise Infeasible(f"{last.family}: no network for {size:,} endpoints of which {_words(last)} is a larger one")
        found.append(section)
    return found


def _by_choice(
    last: Choice, sizes: Sequence[int], known: Sequence[Candidate], ports: int, demand: Demand
) -> list[dict[str, Any]]:
    """Return the configurations with the minimum number of routers for the endpoints of the last one; [] if one is missing.

    They have no more links per router than the last one, and at most a quarter more endpoints than needed.
    """
    each = last.endpoints_per_router
    found = []
    for size in sizes:
        fits = (
            candidate
            for candidate in known
            if size <= candidate.leaves * each <= _NEAR * size
            and candidate.routers <= last.routers
            and candidate.radix <= last.radix
            and max_endpoints(candidate, ports, demand, candidate.limit) >= each
        )
        order = sorted(fits, key=lambda candidate: (candidate.routers, candidate.radix))[:_MAX_BUILT]
        carry = (one for one in order if max_endpoints(one, ports, demand, limit_of_candidate(one).endpoints) >= each)
        section = _first((one.topology(each) for one in carry), size)
        if section is None:
            return []
        found.append(section)
    return found


def _parts(last: Choice, sizes: Sequence[int], reserve: bool) -> list[dict[str, Any]]:
    """Return dense parts of the last network with the routers that the endpoints need."""
    family = last.topology["family"]
    parameters = {key: value for key, value in last.topology.items() if key != "family"}
    routers = [-(-size // last.endpoints_per_router) for size in sizes[:-1]]
    given = {"network": family, "parameters": parameters, "routers": routers, "ports": "reserve" if reserve else "use"}
    return [{"family": PART, **given, "phase": phase} for phase in range(len(routers))]


def _first(sections: Iterable[dict[str, Any]], size: int) -> dict[str, Any] | None:
    """Return the first section whose network exists and is large enough."""
    for section in islice(sections, _MAX_BUILT):
        # Not every number has a network, such as odd numbers of routers with an odd number of links.
        with suppress(Infeasible, InputError):
            if build(**section).endpoint_count >= size:
                return section
    return None


def section_text(section: dict[str, Any]) -> str:
    """Return the parameters of a section as text.

    >>> section_text({"family": "slimfly", "q": 5})
    'q = 5'
    """
    if section["family"] != PART:
        return parameter_text({key: value for key, value in section.items() if key != "family"})
    return f"{section['routers'][section['phase']]:,} routers of {parameter_text(section['parameters'])}"


def _words(last: Choice) -> str:
    return f"{last.family} with {section_text(last.topology)}"
