"""Delay without load."""

from __future__ import annotations

from planner.quantities._quantity import Quantity

QUANTITIES = (
    Quantity(
        "delay_mean_ps",
        "ps",
        "lower",
        "mean delay between different routers, without load",
        "latency",
        lambda p: p.latency.mean_ps,
    ),
    Quantity("delay_worst_ps", "ps", "lower", "largest such delay", "latency", lambda p: p.latency.worst_ps),
    Quantity(
        "endpoint_delay_mean_ps",
        "ps",
        "lower",
        "mean delay between endpoints, without load",
        "latency",
        lambda p: p.latency.endpoint_mean_ps,
    ),
    Quantity("endpoint_delay_worst_ps", "ps", "lower", "largest such delay", "latency", lambda p: p.latency.endpoint_worst_ps),
)
