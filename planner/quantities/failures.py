"""What the loss of failure domains does."""

from __future__ import annotations

from collections.abc import Callable

from planner.model import Plan
from planner.quantities._quantity import Quantity

_KINDS = ("cabinet", "row", "zone", "hall", "PDU", "feed", "tray", "tray segment")


def _most(kind: str, share: str) -> Callable[[Plan], float | None]:
    """The largest share among the domains of a kind; None where there are none."""

    def most(plan: Plan) -> float | None:
        own = plan.failures.of(kind)
        return float(getattr(plan.failures, share)[own].max()) if len(own) else None

    return most


QUANTITIES = tuple(
    Quantity(f"worst_{kind.replace(' ', '_').lower()}_{name}", "%", "lower", meaning.format(kind), "failures", _most(kind, share))
    for kind in _KINDS
    for name, share, meaning in (
        ("lost_pairs_percent", "lost_percent", "most pairs of endpoints that the loss of one {} takes"),
        (
            "disconnected_pairs_percent",
            "parted_percent",
            "most pairs of endpoints that the loss of one {} leaves without a way, their own routers and cables being whole",
        ),
    )
)
