"""Growth by the rules of a family: what a topology's own file defines, or its next member."""

from __future__ import annotations

from typing import Any

from planner.core import registry
from planner.core.reading import arguments
from planner.core.reading import parameters as family_parameters
from planner.domain.model import Topology
from planner.network.growth.methods import auto
from planner.network.growth.naming import GROWN
from planner.network.growth.ports import aligned
from planner.network.topology import build


def grow(topology: Topology, **parameters: Any) -> Topology:
    """Return a network grown by its family's rules, with the old routers first and their links' ports unchanged.

    A topology's file may define ``grow(topology, **parameters)`` (Xpander: lifts, PolarFly: replicated clusters, DLN: insertion).
    Others grow to the member with the changed parameters, by the method `auto`.

    Parameters
    ----------
    topology
        The network.
    **parameters
        Those of the family's ``grow``, or those of the larger member that differ.

    Raises
    ------
    InputError
        When the parameters are not valid.
    Infeasible
        When the network cannot grow so.

    Examples
    --------
    >>> from planner.network.growth import step
    >>> old = build("dragonfly", a=4, h=2, groups=5, max_groups=9)
    >>> new = grow(old, groups=6)
    >>> new.router_count, len(step(old, new).moved)
    (24, 0)
    """
    family = topology.family.removeprefix(GROWN)
    own = getattr(registry.load("topology", family), "grow", None)
    if own is not None and not topology.family.startswith(GROWN):
        return aligned(topology, own(topology, **arguments(own, data=parameters, owner=family, given=["topology"])))
    # Of a network that has grown already, parameters of the growth are not those of its family.
    own_keys = family_parameters(registry.function("topology", family))
    known = {key: value for key, value in topology.params.items() if value is not None and key in own_keys}
    return auto.grow(topology, build(family, **(known | parameters)))
