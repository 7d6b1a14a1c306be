"""Ports that later phases of a machine will use: the plan of each phase prints them with the name of that phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from planner.domain.model import Inventory, Reserved


def reserve(plans: dict[str, Path]) -> None:
    """Reserve the ports that later phases use, see [a machine bought in phases](tutorials/phases.md); `planner run` of a study
    with phases writes this section.

    Parameters
    ----------
    plans
        Plan of each later phase by its name, the next one first: its folder, schedule in CSV, or workbook.
    """


def reserved(plans: Mapping[str, Sequence[Any]], inventory: Inventory) -> Reserved:
    """Return the ports of devices of this plan that later plans use, given the rows of their schedules.

    A port that several phases use is reserved for the first of them.

    """
    number = {name: device for device, name in enumerate(inventory.names.tolist())}
    found: dict[tuple[int, int], tuple[int, str]] = {}
    for phase, rows in enumerate(plans.values()):
        for row in rows:
            for end, far in (row.ends, row.ends[::-1]):
                if end.device in number:
                    found.setdefault((number[end.device], end.port), (phase, far.device))
    ordered = sorted(found.items())
    return Reserved(
        phases=tuple(plans),
        device=np.array([device for (device, _), _ in ordered], np.int64),
        port=np.array([port for (_, port), _ in ordered], np.int64),
        phase=np.array([phase for _, (phase, _) in ordered], np.int64),
        far=np.array([far for _, (_, far) in ordered], np.str_),
    )
