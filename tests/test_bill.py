"""The bill adds up."""

from collections import Counter

from planner.bill import bill


def test_totals_by_hand(small_plan):
    """50 routers at 10,260 USD and 136 W; 5 cabinets; every cable at its price, with its labour."""
    plan = small_plan
    assert plan.bill.cents("routers") == 50 * 1_026_000
    assert plan.bill.cents("cabinets") == 5 * plan.catalog.cabinet.price_cents
    assert plan.bill.cents("cables") + plan.bill.cents("transceivers") == plan.cables.price_cents.sum()
    # Mudigonda 2011: 2.50 USD inside a cabinet, 6.25 USD between cabinets.
    between = int((plan.cables.cabinet[:, 0] != plan.cables.cabinet[:, 1]).sum())
    assert plan.bill.cents("labour") == 250 * (375 - between) + 625 * between
    assert plan.bill.cents() == sum(plan.bill.cents(c) for c in ("routers", "cabinets", "cables", "transceivers", "labour"))
    assert plan.bill.power_mw() == 50 * 136_000 + 2 * int(plan.cables.of_assembly("power_mw").sum())


def test_one_line_per_part_and_length(small_plan):
    lines = Counter((line.category, line.part, line.description) for line in small_plan.bill.lines)
    assert set(lines.values()) == {1}
    assert sum(line.quantity for line in small_plan.bill.lines if line.category == "cables") == 375


def test_transceivers_come_in_pairs(small_plan, lab_lengths):
    """With nothing but transceivers and fibre on sale there are two modules for every fibre."""
    from planner import catalog
    from planner.cabling import cable

    optical = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", cables=("100g-sr4-transceiver", "om4-mpo12-upc"))
    cables = cable(small_plan.topology, optical, small_plan.placement, lab_lengths)
    made = bill(small_plan.topology, optical, small_plan.placement, cables)
    modules = [line for line in made.lines if line.category == "transceivers"]
    assert [line.quantity for line in modules] == [750]
    assert made.cents("cables") + made.cents("transceivers") == cables.price_cents.sum()
    assert made.power_mw() == 50 * 136_000 + 750 * modules[0].unit_power_mw


def test_estimated_prices_are_marked(small_plan):
    confidence = {line.part: line.confidence for line in small_plan.bill.lines}
    assert confidence["nvidia-sb7800"] == "D"
    assert confidence["mudigonda-2011"] != "D"
