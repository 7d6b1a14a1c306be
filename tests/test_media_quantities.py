"""The electrical and optical parts of a plan, counted by hand."""

from types import SimpleNamespace

import numpy as np

from planner.domain.quantities.media import QUANTITIES


def plan(assembly=(), piece=(), stock=(), power=(), cents=(), modules=(), media=("copper", "active copper", "optical")):
    """Rows of a cable plan, with the fields that these quantities use."""
    kinds = np.array(assembly, int)
    return SimpleNamespace(
        cables=SimpleNamespace(
            assemblies=media if len(kinds) else (),
            of_assembly=lambda name: np.array(media)[kinds],
            piece=np.array(piece, int),
            stock_mm=np.array(stock, np.int32),
            power_mw=np.array(power, np.int64).reshape(-1, 2),
            price_cents=np.array(cents, np.int64),
            modules=np.array(modules, int).reshape(-1, 2),
        )
    )


def measured(made):
    return {quantity.name: quantity.of(made) for quantity in QUANTITIES}


def test_a_twin_port_cable_counts_once():
    """Rows 0 and 2 ride one copper cable of 2 m; two jumpers of 10 m share the module at their first end."""
    made = plan(
        assembly=[0, 2, 0, 2, 0], piece=[0, 1, 0, 2, 3], stock=[2000, 10_000, 2000, 10_000, 1000],
        power=[(100, 100), (3000, 2000), (0, 0), (0, 2000), (50, 50)], cents=[900, 4500, 0, 2500, 300],
        modules=[(0, 0), (1, 1), (0, 0), (0, 1), (0, 0)],
    )  # fmt: skip
    found = measured(made)
    assert (found["passive_copper_cables_bought"], found["active_copper_cables_bought"], found["optical_cables_bought"]) == (
        2,
        0,
        2,
    )
    assert (found["passive_copper_stock_mm"], found["optical_stock_mm"]) == (3000, 20_000)
    assert (found["passive_copper_power_mw"], found["optical_power_mw"]) == (300, 7000)
    assert (found["passive_copper_cents"], found["active_copper_cents"], found["optical_cents"]) == (1200, 0, 7000)
    assert found["transceivers"] == 3


def test_no_cables():
    assert set(measured(plan()).values()) == {0}
