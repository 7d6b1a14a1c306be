"""Every quantity reads the records that it names and no others."""

from dataclasses import fields, replace

import pytest
from shared.plans import grown, planned

from planner.core.record import Record
from planner.domain.quantities import QUANTITIES


@pytest.mark.slow
@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda quantity: quantity.name)
def test_a_quantity_needs_the_records_that_it_names(quantity):
    needs = quantity.needs.split()
    plan = grown() if "kept" in needs else planned("plain")
    assert all(getattr(plan, name) is not None for name in needs)
    others = [spec.name for spec in fields(plan) if isinstance(getattr(plan, spec.name), Record) and spec.name not in needs]
    alone = replace(plan, **dict.fromkeys(others))
    assert quantity.of(alone) == quantity.of(plan)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain", "twin ports", "several networks"])
def test_a_piece_is_one_cable_in_every_sum(name):
    """The bill lists what is bought: its lines give the number of cables and their stock length."""
    plan = planned(name)
    lines = [line for line in plan.bill.lines if line.category == "cables" and line.stock_mm]
    value = {key: entry["value"] for key, entry in plan.quantities.items()}
    assert value["stock_mm"] == sum(line.quantity * line.stock_mm for line in lines)
    assert value["cables"] == sum(line.quantity for line in lines)
    assert value["cables"] == sum(value[f"cables_{medium}"] for medium in ("copper", "active_copper", "optical"))
    networks = [name for name in plan.network_names if name]
    assert value["cables"] == (sum(value[f"cables@{network}"] for network in networks) or value["cables"])
    assert value["stock_mm"] == (sum(value[f"stock_mm@{network}"] for network in networks) or value["stock_mm"])
    # Each piece runs as far as its longest connection.
    runs = {}
    for piece, run_mm in zip(plan.cables.piece.tolist(), plan.cables.run_mm.tolist(), strict=True):
        runs[piece] = max(runs.get(piece, 0), run_mm)
    assert value["run_mm"] == sum(runs.values())


def test_splitters_and_twin_cables_are_fewer_than_their_connections():
    plan = planned("twin ports")
    assert plan.quantities["cables"]["value"] < plan.cables.cable_count
