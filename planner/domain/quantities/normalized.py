"""Cost, power and energy per endpoint and per Gb/s of injection, bisection and throughput."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from planner.domain.model import Plan
from planner.domain.quantities._quantity import Quantity

Figure = Callable[[Plan], float | None]


def injection_gbps(plan: Plan) -> int:
    """Return the injection bandwidth of all endpoints together."""
    inventory = plan.inventory
    return int(inventory.of_part("rate_gbps")[inventory.ends[inventory.endpoints(), 1]].sum())


def link_gbps(plan: Plan) -> int:
    """Return the rate of a link; that of the slowest routers where they differ."""
    return int(plan.inventory.of_routers("rate_gbps").min())


def throughput_gbps(plan: Plan) -> float:
    """Return the bandwidth that all endpoints together receive at the highest load accepted in a steady state."""
    plan = plan.of_section("simulation")
    accepted = float(plan.simulation.accepted[plan.simulation.settled].max(initial=0))
    return accepted * plan.topology.endpoint_count * link_gbps(plan)


_AMOUNTS: tuple[tuple[str, str, str, Figure], ...] = (
    ("cost", "cents", "total of the bill", lambda p: p.bill.cents()),
    ("power", "mW", "typical power", lambda p: p.bill.power_mw()),
    ("energy", "kWh", "energy in the bill", lambda p: p.bill.energy_kwh or None),
)

# The bisection is an interval: the best cut found gives the minimum, the proven lower bound the maximum.
_SHARES: tuple[tuple[str, str, str, str, Figure], ...] = (
    ("per_endpoint", "", "endpoint", "bill topology", lambda p: p.topology.endpoint_count),
    ("per_injection_gbps", "/(Gb/s)", "Gb/s of injection bandwidth", "bill inventory", injection_gbps),
    (
        "per_bisection_gbps_min", "/(Gb/s)", "Gb/s of bisection bandwidth, best cut found", "bill inventory bisection",
        lambda p: p.bisection.upper * link_gbps(p),
    ),
    (
        "per_bisection_gbps_max", "/(Gb/s)", "Gb/s of bisection bandwidth, proven lower bound", "bill inventory bisection",
        lambda p: p.bisection.lower * link_gbps(p),
    ),
    (
        "per_throughput_gbps", "/(Gb/s)", "Gb/s of accepted throughput, simulated", "bill topology inventory simulation",
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
            # Bandwidth of a cut or link is that of one direction, as everywhere.
            yield Quantity(
                f"{name}_{suffix}_{unit.lower()}", unit + per, "lower", f"{what} per {over}", needs, _quotient(amount, share)
            )


ORDER = 120

QUANTITIES = tuple(_quantities())
