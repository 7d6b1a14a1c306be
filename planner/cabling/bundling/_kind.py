"""A kind of bundling by its name."""

from __future__ import annotations

from typing import Any

from planner import registry
from planner.cabling.bundling._bundles import Bundles
from planner.cabling.bundling._lay import Lay
from planner.errors import InputError, Problem
from planner.reading import arguments


def bundle(lay: Lay, kind: str = "loom", **parameters: Any) -> Bundles:
    """Bundle the cables between cabinets by one kind of bundling.

    Parameters
    ----------
    lay
        The cables to lay.
    kind
        File name of a kind of bundling, or a dotted name of your own.
    parameters
        Arguments of that kind.

    Raises
    ------
    InputError
        When there is no such kind, or a parameter is not valid or does not fit the network.
    """
    by_kind = registry.function("bundling", kind)
    if lay.parts is None and kind not in ("loom", "row_loom"):
        remedy = "give rows of the kinds trunk_rule, panel, shuffle_box and fill"
        raise InputError(Problem("bundling", f"the catalogs have no parts for {kind}", remedy))
    try:
        return by_kind(lay, **arguments(by_kind, data=parameters, owner=kind, given=("lay",)))
    except InputError as error:
        raise error.located(section="bundling_parameters") from None
