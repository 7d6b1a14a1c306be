"""Zero-load delay."""

from __future__ import annotations

from collections.abc import Callable

from planner.domain.model import DELAY_PARTS, Plan
from planner.domain.quantities._quantity import Quantity


def _part(part: int) -> Callable[[Plan], float | None]:
    """Return the function for the mean of one part of the delay over all pairs; None where no pair has any."""

    def mean(plan: Plan) -> float | None:
        latency = plan.latency
        total = float((latency.class_parts_ps[:, part] * latency.class_pairs).sum())
        return total / int(latency.class_pairs.sum()) if total else None

    return mean


def _error(name: str) -> Callable[[Plan], float | None]:
    return lambda p: getattr(p.latency, name) if p.latency.sampled else None


ORDER = 90

QUANTITIES = (
    Quantity(
        "delay_mean_ps",
        "ps",
        "lower",
        "mean zero-load delay between different routers",
        "latency",
        lambda p: p.latency.mean_ps,
    ),
    Quantity(
        "delay_worst_ps",
        "ps",
        "lower",
        "maximum zero-load delay between routers; a lower bound of it where sources are sampled",
        "latency",
        lambda p: p.latency.worst_ps,
    ),
    Quantity(
        "endpoint_delay_mean_ps",
        "ps",
        "lower",
        "mean zero-load delay between endpoints",
        "latency",
        lambda p: p.latency.endpoint_mean_ps,
    ),
    Quantity(
        "endpoint_delay_worst_ps",
        "ps",
        "lower",
        "maximum zero-load delay between endpoints; a lower bound of it where sources are sampled",
        "latency",
        lambda p: p.latency.endpoint_worst_ps,
    ),
    *(
        Quantity(
            f"delay_{part.replace(' ', '_').lower()}_mean_ps",
            "ps",
            "",
            f"share of delay_mean_ps: {'forward error correction' if part == 'FEC' else part}",
            "latency",
            _part(number),
        )
        for number, part in enumerate(DELAY_PARTS)
    ),
    *(
        Quantity(name, unit, "lower", f"half-width of the 95 % confidence interval of {of}", "latency", _error(field))
        for name, unit, of, field in (
            ("mean_hops_error", "hops", "mean_hops", "mean_hops_error"),
            ("delay_mean_error_ps", "ps", "delay_mean_ps", "mean_error_ps"),
            ("endpoint_delay_mean_error_ps", "ps", "endpoint_delay_mean_ps", "endpoint_mean_error_ps"),
        )
    ),
)
