"""Bundling: what cables between cabinets are laid as; one file per kind."""

from __future__ import annotations

from typing import Any

from planner import registry
from planner.cabling.bundling._bundles import KINDS, REASONS, Bundles, Laid, Panels
from planner.cabling.bundling._compare import compare
from planner.cabling.bundling._lay import Lay

__all__ = ["KINDS", "REASONS", "Bundles", "Laid", "Lay", "Panels", "bundle", "compare"]


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
        When there is no such kind, or a parameter does not fit the network.
    """
    return registry.function("bundling", kind)(lay, **parameters)
