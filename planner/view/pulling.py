"""The order in which cables are pulled."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Plan


def pulling_rank(plan: Plan) -> np.ndarray:
    """Return the rank of every cable in the pulling order, int64 (W,).

    This is the order of the work order; without one by install stage, longest tray routes first. Then from the top of the
    cabinet down, by port.
    """
    cables = plan.cables
    first = (plan.work.task,) if plan.work is not None else (-cables.tray_mm, cables.stage)
    order = np.lexsort((cables.port[:, 0], -cables.unit[:, 0], cables.cabinet[:, 0], *first))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank
