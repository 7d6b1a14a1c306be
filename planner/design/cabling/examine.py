"""Checks of the cabling parameters before placement."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.design.cabling.labels import examine_label
from planner.design.cabling.overrides import overrides as read_overrides
from planner.domain.model import Catalog, Inventory, Room
from planner.hall.floor import Slack


def examine(
    inventory: Inventory,
    catalog: Catalog,
    room: Room,
    *,
    label: str = "tia606",
    overrides: Path | None = None,
    bundling: str = "loom",
    slack: Slack | None = None,
    **others: Any,
) -> None:
    """Refuse labels, overrides and bundling that do not fit the network, the parts and the room.

    Parameters
    ----------
    inventory, catalog, room
        The network, its parts and the room.
    label, overrides, bundling
        As for `planner.design.cabling.cable`; its other parameters are ignored.
    slack
        Nominal and minimum slack.

    Raises
    ------
    InputError
        With all problems.
    """
    problems: list[Problem] = [*slack.problems()] if slack else []
    try:
        examine_label(label)
    except InputError as error:
        problems += error.problems
    # Occupied slots are not known yet; unknown slot names are wrong in any case.
    nowhere = np.zeros((inventory.connection_count, 2), np.int64)
    try:
        read_overrides(overrides, inventory, nowhere, room.slot_names)
    except InputError as error:
        problems += error.problems
    if catalog.bundling is None and bundling not in ("loom", "row_loom"):
        remedy = "give rows of the kinds trunk_rule, panel, shuffle_box and fill"
        problems.append(Problem("bundling", f"the catalogs have no parts for {bundling}", remedy))
    if problems:
        raise InputError(problems)
