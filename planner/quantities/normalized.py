"""What the money, power and energy buy: each over the endpoints, and over Gb/s of injection, bisection and throughput."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from planner.model import Plan
from planner.quantities._quantity import Quantity

Figure = Callable[[Plan], float | None]


def injection_gbps(plan: Plan) -> int:
    """Return what all endpoints together can send."""
    return plan.topology.endpoint_count * plan.catalog.endpoint.rate_gbps


def throughput_gbps(plan: Plan) -> float:
    """Return what all endpoints together receive at the largest load that the simulation saw accepted in a steady state."""
    accepted = float(plan.simulation.accepted[plan.simulation.settled].max(initial=0))
    return accepted * plan.topology.endpoint_count * plan.catalog.router.rate_gbps


_AMOUNTS: tuple[tuple[str, str, str, Figure], ...] = (
    ("cost", "cents", "the bill", lambda p: p.bill.cents()),
    ("power", "mW", "typical power", lambda p: p.bill.power_mw()),
    ("energy", "kWh", "energy on the bill", lambda p: p.bill.energy_kwh or None),
)

# The interval of the bisection gives two figures: the cut that was found the less, the proven bound the more.
_SHARES: tuple[tuple[str, str, str, str, Figure], ...] = (
    ("per_endpoint", "", "the endpoints", "bill topology", lambda p: p.topology.endpoint_count),
    ("per_injection_gbps", "/(Gb/s)", "the rate of all endpoints", "bill topology catalog", injection_gbps),
    (
        "per_bisection_gbps_min", "/(Gb/s)", "the rate of the best cut into halves that was found", "bill catalog bisection",
        lambda p: p.bisection.upper * p.catalog.router.rate_gbps,
    ),
    (
        "per_bisection_gbps_max", "/(Gb/s)", "the rate that every cut into halves has at least", "bill catalog bisection",
        lambda p: p.bisection.lower * p.catalog.router.rate_gbps,
    ),
    (
        "per_throughput_gbps", "/(Gb/s)", "the largest rate that the simulation saw accepted", "bill topology catalog simulation",
        throughput_gbps,
    ),
)  # fmt: skip


def _quotient(amount: Figure, share: Figure) -> Figure:
    def of(plan: Plan) -> float | None:
        above, below = amount(plan), share(plan)
        return above / below if above is not None and below else None

    return of


def _quantities() -> Iterator[Quantity]:
    for name, unit, what, amount in _AMOUNTS:
        for suffix, per, over, needs, share in _SHARES:
            # One direction of a cut or link counts, as everywhere.
            yield Quantity(
                f"{name}_{suffix}_{unit.lower()}", unit + per, "lower", f"{what} over {over}", needs, _quotient(amount, share)
            )


QUANTITIES = tuple(_quantities())
