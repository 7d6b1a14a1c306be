"""Cable plans made to choose rack units: another one only where its saving exceeds what other routes change by themselves."""

from types import SimpleNamespace

import numpy as np
import pytest

from planner.placement import _stage

PRICE_CENTS = 10_000_000


def cables_of(price_cents: int, tray_mm: int) -> SimpleNamespace:
    """A plan of one cable whose shortest route has 1,000 mm."""
    return SimpleNamespace(
        complete=True,
        price_cents=np.array([price_cents]),
        first_of_piece=np.array([0]),
        carried=np.array([False]),
        tray_mm=np.array([tray_mm]),
        shortest_tray_mm=1000,
    )


@pytest.mark.parametrize(
    ("tray_mm", "saved_cents", "plans"),
    [(1000, 1, 2), (1001, 1, 1), (1001, 999, 1), (1001, 1000, 2)],
    ids=["trays have room", "full trays, small saving", "just too small", "large enough"],
)
def test_savings_below_the_effect_of_other_routes_are_not_planned(tray_mm, saved_cents, plans, monkeypatch):
    planned = []

    def cabled(_, placed):
        planned.append(placed)
        return cables_of(PRICE_CENTS - len(planned), tray_mm)

    def settled(inventory, catalog, placed, cables, lengths, **_):
        # What was moved once is settled.
        return (placed, 0) if placed.fingerprint else (SimpleNamespace(fingerprint="moved"), saved_cents)

    monkeypatch.setattr(_stage, "cabled", cabled)
    monkeypatch.setattr(_stage, "settled", settled)
    monkeypatch.setattr(_stage, "lengths", lambda run: None)
    run = SimpleNamespace(inventory=None, catalog=None, progress=None, drafts={}, arguments=lambda section: {"prefer": "price"})
    placed = _stage._settled(run, SimpleNamespace(fingerprint=""), 4)
    assert len(planned) == plans
    assert placed is planned[-1]
    assert list(run.drafts) == [placed.fingerprint]
