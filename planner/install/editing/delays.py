"""The worst delay of a placement that is being edited."""

from __future__ import annotations

import numpy as np

from planner.design.latency import worst_ps
from planner.domain.catalog import rows
from planner.domain.model import Plan
from planner.install.editing.current import Current
from planner.studies.stage import Study

VISITS = 2_000_000
"""Maximum product of sources and ports of routers for the delay after a move, about 20 ms of one core."""

_MIN_SOURCES = 8
"""Minimum number of sources in a network of any size."""


class Delays:
    """Maximum delay between two routers of any network, from a full count on."""

    def __init__(self, study: Study, plan: Plan):
        self._plan, self._fec = plan, study.sections["latency"]["fec"]
        self._models = rows("delay_model", tuple(str(study.base / file) for file in study.sections["catalog"]["files"]))
        counted = [plan.of(name).latency for name in plan.network_names]
        self._worst = [int(each.worst_path[0]) if each is not None and len(each.worst_path) else 0 for each in counted]
        self.counted_ps = max((each.worst_ps for each in counted if each is not None), default=0)
        self.counted_is_bound = any(each is not None and each.sampled for each in counted)

    def after(self, current: Current, devices: np.ndarray) -> tuple[int, bool]:
        """Return the maximum delay after a move of some devices, ps, and whether only some routers count as sources.

        Where all routers are too many, those of the worst pair of the full count and those that moved count first.
        """
        worst, is_bound, plan = 0, False, self._plan
        for number, name in enumerate(plan.network_names):
            topology, first = plan.of(name).topology, plan.inventory.routers(number).start
            routers = topology.router_count
            if not routers:
                continue
            wanted = max(_MIN_SOURCES, VISITS // max(len(topology.indices), 1))
            chosen = np.arange(routers)
            if wanted < routers:
                own = devices[(devices >= first) & (devices < first + routers)] - first
                order = np.concatenate([[self._worst[number]], own, np.linspace(0, routers - 1, wanted).astype(np.int64)])
                chosen = np.sort(order[np.sort(np.unique(order, return_index=True)[1])][:wanted])
                is_bound = True
            worst = max(worst, worst_ps(topology, plan.inventory.of(number), current, self._models, chosen, fec=self._fec))
        return worst, is_bound
