"""Selection of a kind of bundling by name."""

from __future__ import annotations

from typing import Any

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.core.reading import arguments
from planner.design.cabling.bundling.bundles.bundles import Bundles
from planner.design.cabling.bundling.bundles.cables import CableSet


def bundle(cables: CableSet, /, kind: str = "loom", **parameters: Any) -> Bundles:
    """Bundle the cables between cabinets by one kind of bundling.

    Parameters
    ----------
    cables
        The cables to bundle.
    kind
        File name of a kind of bundling, or the dotted name of a function.
    parameters
        Arguments of that kind.

    Raises
    ------
    InputError
        When the kind is unknown, or a parameter is not valid or does not fit the network.
    """
    by_kind = registry.function("bundling", kind)
    if cables.bundling is None and kind not in ("loom", "row_loom"):
        remedy = "give rows of the kinds trunk_rule, panel, shuffle_box and fill"
        raise InputError(Problem("bundling", f"the catalogs have no parts for {kind}", remedy))
    try:
        return by_kind(cables, **arguments(by_kind, data=parameters, owner=kind, given=("cables",)))
    except InputError as error:
        raise error.located(section="bundling_parameters") from None
