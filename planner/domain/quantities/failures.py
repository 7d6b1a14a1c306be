"""Effect of the failure of one domain: the worst of each kind."""

from __future__ import annotations

from collections.abc import Callable

from planner.domain.model import Plan
from planner.domain.quantities._quantity import Quantity

_KINDS = ("cabinet", "row", "zone", "hall", "PDU", "feed", "tray", "tray segment")


def _worst(kind: str, share: str) -> Callable[[Plan], float | None]:
    """Return the function for the largest share among the domains of a kind; None where there are none."""

    def worst(plan: Plan) -> float | None:
        domains = plan.failures.of(kind)
        return float(getattr(plan.failures, share)[domains].max()) if len(domains) else None

    return worst


ORDER = 100

QUANTITIES = tuple(
    Quantity(
        f"worst_{kind.replace(' ', '_').lower()}_{name}", "%", "lower", meaning.format(kind), "failures", _worst(kind, share)
    )
    for kind in _KINDS
    for name, share, meaning in (
        ("unreachable_pairs_percent", "lost_percent", "unreachable endpoint pairs: an end failed or disconnected, worst {}"),
        (
            "disconnected_pairs_percent",
            "disconnected_percent",
            "disconnected endpoint pairs although both ends work, worst {}",
        ),
    )
)
