"""Throughput and delay at once: the flow-level model on the networks of the plan, without packets."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable
from typing import Any

from planner.core.errors import Problem
from planner.install.serve.door import Answer, Call, Denied, Door
from planner.install.serve.pages import page
from planner.install.serve.served import Served
from planner.simulation.fluid.estimates import Estimates

MAX_ROUTERS = 2500
"""Routers of the largest network that is estimated on request; the work grows with their square."""

PATIENCE_S = 10.0
"""How long a request waits for the estimate of another one."""


class Estimated:
    """Estimates of the plan that is served; one thread computes at a time."""

    follows_plan = True

    def __init__(self, served: Served):
        plan = served.planned.plan
        if plan is None:
            message = "only its cable schedule is served, which has no network"
            raise Denied(404, Problem("plan", message, "serve the folder of the plan"))
        self.lock = threading.Lock()
        self.estimates = Estimates(plan)


def shown(served: Served, call: Call) -> Answer:
    """Return the page."""
    return page("throughput")


def choices(served: Served, call: Call) -> dict[str, Any]:
    """Return what can be chosen, and what the study has."""
    return served.kept(Estimated).estimates.choices()


def curve(served: Served, call: Call) -> dict[str, Any]:
    """Return the estimates for a network, a routing and a traffic pattern, and what packets showed if the plan has that."""
    own = served.kept(Estimated)
    named = tuple(call.query.get(key, "") for key in ("network", "routing", "traffic"))
    own.estimates.require(*named)
    sizes = {each["name"]: each["routers"] for each in own.estimates.choices()["networks"]}
    if sizes[named[0]] > MAX_ROUTERS:
        message = f"has {sizes[named[0]]:,} routers; at most {MAX_ROUTERS:,} are estimated on request"
        raise Denied(400, Problem("network", message, "planner simulate --model"))
    if not own.lock.acquire(timeout=PATIENCE_S):
        problem = Problem("estimate", "another one is being computed", "try again in a few seconds")
        raise Denied(503, problem, {"Retry-After": "5"})
    try:
        found = own.estimates.curve(*named)
    finally:
        own.lock.release()
    packets = own.estimates.simulated(*named)
    return {
        "saturation": _known(found.saturation),
        "range": [_known(each) for each in found.saturation_range],
        "limited_by": found.limited_by,
        "mean_hops": _known(found.mean_hops),
        "cycle_ns": found.cycle_ps / 1000 if found.cycle_ps else None,
        "offered": found.offered.tolist(),
        "delay_mean": _all_known(found.delay_mean.tolist()),
        "delay_p99": _all_known(found.delay_p99.tolist()),
        "advice": [each for each in (found.advice, found.delay_advice) if each],
        "packets": None if packets is None else {name: _all_known(values.tolist()) for name, values in packets.items()},
    }


def _all_known(values: Iterable[float]) -> list[float | None]:
    return [_known(value) for value in values]


def _known(value: float) -> float | None:
    """Return a number that JSON has."""
    return value if math.isfinite(value) else None


ROUTES = [
    Door("GET", "/throughput", shown),
    Door("GET", "/api/throughput", choices, threads="heavy"),
    Door("GET", "/api/throughput/curve", curve, threads="heavy"),
]
