"""The bill adds up."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.check.bill import bill_complete
from planner.core import section
from planner.core.errors import InputError
from planner.design.bill import bill, pack_lines, terms
from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.placement import Interior, place
from planner.domain import catalog
from planner.domain.catalog import rows
from planner.domain.model import Bill, BillLine, Catalog, Plan
from planner.domain.parts import (
    Assembly,
    CabinetPart,
    ElectricityRates,
    EndpointPart,
    LaborRates,
    RouterPart,
    SparesPolicy,
    TrayPart,
)
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology
from planner.studies import study
from planner.studies.stages import SECTIONS

KNOWN = {"source": "data sheet", "confidence": "A"}
POLICY = SparesPolicy(id="two-per-hundred", cables_percent=2.0, cables_min=3, routers_min=1, **KNOWN)
RATES = ElectricityRates(id="ten-cents", cents_per_kwh=10.0, pue=1.5, date="2025-01", **KNOWN)
TRAY = TrayPart(
    id="mesh", widths_mm=(100, 300, 600), price_cents_per_m=(900, 1500, 2500), height_mm=100, mass_g_per_m=2000, **KNOWN
)


def own_rows(kind):
    """The shipped rows, and a few that are easy to reckon with."""
    return (*rows(kind), *{"spares": (POLICY,), "electricity": (RATES,), "tray": (TRAY,)}.get(kind, ()))


def billed(plan: Plan, **terms) -> Bill:
    terms = {"rows": own_rows, "spares": "none"} | terms
    return bill(
        inventory=plan.inventory, catalog=plan.catalog, room=plan.room, placement=plan.placement, cables=plan.cables, **terms
    )


def whole(plan: Plan, **terms) -> Plan:
    return replace(plan, bill=billed(plan, **terms))


# -- by hand ----------------------------------------------------------------------------------


def simple_catalog(**labor) -> Catalog:
    """One sort of cable, of 3 m, for everything; round prices."""
    router = RouterPart(
        id="switch", ports=8, connector="Q", rate_gbps=100, units=1, power_typical_mw=450_000, power_max_mw=900_000, 
        mass_g=11_000, delay_ps=0, price_cents=2_000_000, date="2026-05", **KNOWN,
    )  # fmt: skip
    server = EndpointPart(
        id="server", endpoints=1, connector="Q", rate_gbps=100, units=1, power_typical_mw=0, power_max_mw=0, mass_g=10_000,
        **KNOWN,
    )  # fmt: skip
    cabinet = CabinetPart(
        id="cabinet", units=42, width_mm=600, depth_mm=1112, height_mm=2000, mass_g=100_000, load_g=1_000_000,
        price_cents=250_000, date="2024", **KNOWN,
    )  # fmt: skip
    rates = LaborRates(id="rates", **{"in_cabinet_cents": 250, "between_cabinets_cents": 625} | labor, **KNOWN)
    copper = Assembly(
        id="copper", medium="copper", kind="DAC", rate_gbps=100, connector_a="Q", connector_b="Q", reach_mm=3000,
        stock_mm=(3000,), price_cents=(10_000,), power_mw=1500, diameter_um=6000, bend_mm=40, mass_g_per_m=50,
        delay_ps_per_m=4500, delay_end_ps=0, length_part="copper",
    )  # fmt: skip
    origins = tuple(row.origin for row in (router, server, cabinet, rates))
    copper_row = replace(rates.origin, id="copper", date="2025")
    return Catalog(router, server, cabinet, rates, (*origins, copper_row), (copper,), (copper,))


def ring(parts: Catalog) -> Plan:
    """Three routers in a ring with an endpoint each, all in one cabinet: 6 cables of 3 m."""
    network = topology.build("torus", sizes=[3], endpoints_per_router=1)
    room = floor.room("lab", routers=3)
    lengths = Lengths(room, parts.cabinet, Slack())
    placed = place(network, parts, lengths, seed=1, algorithm="identity")
    return Plan(
        "ring",
        "Ring",
        {},
        catalog=parts,
        room=room,
        topology=network,
        inventory=inventory(network, parts),
        placement=placed,
        cables=cable(inventory(network, parts), parts, placed, lengths),
    )


def test_three_routers_to_the_cent():
    made = billed(ring(simple_catalog(label_cents=30)))
    assert [(line.category, line.quantity, line.unit_cents) for line in made.lines] == [
        ("routers", 3, 2_000_000), ("cabinets", 1, 250_000), ("cables", 6, 10_000), ("labels", 12, 30), ("labor", 6, 250),
    ]  # fmt: skip
    assert made.cents() == 6_000_000 + 250_000 + 60_000 + 360 + 1500
    assert made.power_mw() == 3 * 450_000 + 6 * 2 * 1500
    assert made.mass_g() == 3 * 11_000 + 100_000 + 6 * 150
    assert (made.currency, made.oldest, made.newest, made.undated) == ("USD", "2024", "2026-05", 1)


def test_spares_and_energy_to_the_cent():
    """Spares: 1 router and 3 cables (2 % of 6 is 1, the minimum 3). 1,368 W x 1.5 x 17,520 h are 35,951.04 kWh."""
    made = billed(ring(simple_catalog()), spares="two-per-hundred", years=2, electricity="ten-cents")
    spares = [(x.part, x.quantity, x.stock_mm) for x in made.lines if x.category == "spares"]
    assert spares == [("switch", 1, 0), ("copper", 3, 3000)]
    assert made.cents("spares") == 2_000_000 + 3 * 10_000
    assert (made.energy_kwh, made.cents("energy")) == (35_952, 359_520)
    # Spares are in a drawer.
    assert (made.power_mw(), made.mass_g()) == (1_368_000, 3 * 11_000 + 100_000 + 6 * 150)
    assert made.newest == "2026-05"


def test_figures_of_the_rates_can_be_replaced():
    made = billed(ring(simple_catalog()), years=0.5, electricity="ten-cents", cents_per_kwh=8.15, pue=1.0, load=0.5)
    # 1,368 W x 0.5 x 4,380 h are 2,995.92 kWh; 2,996 at 8.15 cents are 24,417.4 cents.
    assert (made.energy_kwh, made.cents("energy")) == (2996, 24_418)
    assert (made.electricity.cents_per_kwh, made.electricity.pue, made.years) == (8.15, 1.0, 0.5)


def test_labor_by_the_hour_where_both_are_known():
    """Two hours and a second are three hours to pay."""
    by_hour = ring(simple_catalog(hour_cents=6000))
    assert [(x.quantity, x.unit_cents) for x in billed(by_hour, hours_s=7201).lines if x.category == "labor"] == [(3, 6000)]
    assert billed(by_hour).cents("labor") == 1500
    assert billed(ring(simple_catalog()), hours_s=7201).cents("labor") == 1500


def test_cabinets_are_fitted_out(lab):
    """50 routers in 5 cabinets of 42 units: 2 PDUs each, a manager for every 3 routers, the rest closed unit by unit."""
    chosen = {"pdu": "apc-ap8886", "cable_manager": "panduit-wmpf1e", "blanking_panel": "apc-ar8136blk"}
    parts = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", **chosen)
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    lengths = Lengths(lab, parts.cabinet, Slack())
    interior = Interior(routers_per_manager=3, reserve_top_units=4, reserve_bottom_units=2)
    placed = place(network, parts, lengths, seed=1, algorithm="identity", interior=interior, bounds=False)
    plan = Plan(
        "fitted",
        "",
        {},
        catalog=parts,
        room=lab,
        topology=network,
        inventory=inventory(network, parts),
        placement=placed,
        cables=cable(inventory(network, parts), parts, placed, lengths),
    )
    plan = whole(plan)
    quantity = {line.part: line.quantity for line in plan.bill.lines if line.category == "fittings"}
    cabinets, managers = placed.cabinet_count, len(placed.fixture_kind)
    boxes = len(np.unique(np.column_stack([placed.cabinet[network.router_count :], placed.unit[network.router_count :]]), axis=0))
    free = cabinets * (42 - 6) - 50 * parts.router.units - boxes * parts.endpoint.units - managers * parts.manager.units
    assert quantity == {
        "apc-ap8886": cabinets * placed.feeds * placed.pdus_per_feed,
        "panduit-wmpf1e": managers,
        "apc-ar8136blk": free,
    }
    assert plan.bill.cents("fittings") == sum(
        quantity[part.id] * part.price_cents for part in (parts.pdu, parts.manager, parts.blanking)
    )
    assert not [*bill_complete(plan)]
    assert billed(plan, prices="slimfly").cents("fittings") == 0


def test_meters_of_tray(small_plan):
    """Without a tray meters by cross-section, with one the narrowest that is wide enough; used ones carry a cable."""
    room, fill = small_plan.room, small_plan.cables.fill_um2
    meters = sum(-(-int(room.segment_mm[room.segment_mm2 == area].sum()) // 1000) for area in np.unique(room.segment_mm2))
    every, used = billed(small_plan, trays="all"), billed(small_plan, trays="used")
    assert sum(x.quantity for x in every.lines if x.category == "trays") == meters
    assert every.cents("trays") == 0
    lying = np.unique(room.segment_mm2[fill > 0])
    assert sum(x.quantity for x in used.lines if x.category == "trays") == sum(
        -(-int(room.segment_mm[(room.segment_mm2 == area) & (fill > 0)].sum()) // 1000) for area in lying
    )
    priced = [x for x in billed(small_plan, trays="all", tray="mesh").lines if x.category == "trays"]
    for line, area in zip(priced, np.unique(room.segment_mm2), strict=True):
        width = next(width for width in (100, 300, 600) if width * 100 >= area)
        assert (line.unit_cents, line.unit_mass_g) == ({100: 900, 300: 1500, 600: 2500}[width], 2000)


# -- a whole plan -----------------------------------------------------------------------------


def test_totals_of_a_plan(small_plan):
    """50 routers at 10,260 USD and 136 W; 5 cabinets; every cable at its price, with its labor."""
    plan = whole(small_plan)
    assert plan.bill.cents("routers") == 50 * 1_026_000
    assert plan.bill.cents("cabinets") == 5 * plan.catalog.cabinet.price_cents
    assert plan.bill.cents("cables") + plan.bill.cents("transceivers") == plan.cables.price_cents.sum()
    # Mudigonda 2011: 2.50 USD inside a cabinet, 6.25 USD between cabinets.
    between = int((plan.cables.cabinet[:, 0] != plan.cables.cabinet[:, 1]).sum())
    assert plan.bill.cents("labor") == 250 * (375 - between) + 625 * between
    assert plan.bill.cents() == sum(plan.bill.cents(category) for category in plan.bill.categories)
    assert plan.bill.power_mw() == 50 * 136_000 + 2 * int(plan.cables.of_assembly("power_mw").sum())
    assert not [*bill_complete(plan)]


def test_one_line_per_part_and_length(small_plan):
    made = billed(small_plan)
    assert set(Counter((line.category, line.part, line.description) for line in made.lines).values()) == {1}
    assert sum(line.quantity for line in made.lines if line.category == "cables") == 375


def test_transceivers_come_in_pairs(small_plan, lab_lengths):
    """With transceivers and fiber alone on sale there are two modules for every fiber."""
    optical = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", cables=("100g-sr4-transceiver", "om4-mpo12-upc"))
    cables = cable(inventory(small_plan.topology, optical), optical, small_plan.placement, lab_lengths)
    made = billed(replace(small_plan, catalog=optical, cables=cables), spares="one-per-hundred")
    modules = [line for line in made.lines if line.category == "transceivers"]
    assert [line.quantity for line in modules] == [750]
    assert made.cents("cables") + made.cents("transceivers") == cables.price_cents.sum()
    assert made.power_mw() == 50 * 136_000 + 750 * modules[0].unit_power_mw
    # 1 % of 750 modules, rounded up, in addition to those of routers and fibers.
    assert [x.quantity for x in made.lines if x.category == "spares" and "transceiver" in x.description] == [8]


def test_what_several_links_share_is_bought_once():
    """Four QM9700 in a ring with 8 endpoints each; cages have two ports, so 32 endpoint links take 16 twin-port cables."""
    network = topology.build("torus", sizes=[4], endpoints_per_router=8)
    room = floor.room("lab", routers=4)
    modules = ("800g-2xsr4-transceiver", "om4-mpo12-apc")
    for names, cables_bought, labels in ((modules, 36, 72), ((), 20, 40)):
        parts = catalog.select("nvidia-qm9700", "dgx-h100", "apc-ar3300", cables=names)
        lengths = Lengths(room, parts.cabinet, Slack())
        placed = place(network, parts, lengths, seed=1, algorithm="identity")
        plan = Plan(
            "twin",
            "",
            {},
            catalog=parts,
            room=room,
            topology=network,
            inventory=inventory(network, parts),
            placement=placed,
            cables=cable(inventory(network, parts), parts, placed, lengths),
        )
        plan = whole(plan, spares="one-per-hundred")
        quantity = Counter()
        for line in plan.bill.lines:
            quantity[line.category] += line.quantity
        assert (quantity["cables"], quantity["labels"], quantity["labor"]) == (cables_bought, labels, cables_bought)
        assert quantity["transceivers"] == plan.cables.modules.sum()
        assert plan.bill.cents("cables") + plan.bill.cents("transceivers") == plan.cables.price_cents.sum()
        assert not [*bill_complete(plan)]


def test_estimated_prices_are_marked(small_plan):
    confidence = {line.part: line.confidence for line in billed(small_plan).lines}
    assert confidence["nvidia-sb7800"] == "D"
    assert confidence["mudigonda-2011"] != "D"


def test_cisco_s_one_per_cent_of_each_size(small_plan):
    """OL-15617-01: an additional 1 % of cables for each cable size, so one of each below a hundred."""
    made = billed(small_plan, spares="cisco-cables")
    bought = {(x.part, x.stock_mm): x.quantity for x in made.lines if x.category == "cables"}
    assert {(x.part, x.stock_mm): x.quantity for x in made.lines if x.category == "spares"} == {
        part: -(-quantity // 100) for part, quantity in bought.items()
    }


def test_the_order_of_cables_makes_no_difference(small_plan):
    """The same cables listed backwards, links and endpoints each for themselves."""
    links = small_plan.topology.link_count
    order = np.r_[np.arange(links)[::-1], np.arange(links, small_plan.cables.cable_count)[::-1]]
    rows_of = {
        name: getattr(small_plan.cables, name)[order]
        for name in ("device", "port", "cage", "cabinet", "run_mm", "stock_mm", "assembly", "price_cents")
    }
    turned = replace(small_plan, cables=replace(small_plan.cables, **rows_of))
    for prices in ("catalog", "slimfly", "mudigonda-stock"):
        terms = {"spares": "one-per-hundred", "years": 1, "prices": prices, "power": "spectralfly"}
        assert billed(turned, **terms).lines == billed(small_plan, **terms).lines


# -- properties -------------------------------------------------------------------------------


@given(st.integers(0, 100_000), st.floats(0, 100, allow_nan=False), st.floats(0, 100, allow_nan=False), st.integers(0, 9))
def test_more_spares_never_cost_less(installed, one, other, lowest):
    low, high = sorted((one, other))
    few = replace(POLICY, cables_percent=low, cables_min=0).quantity("cables", installed)
    more = replace(POLICY, cables_percent=high, cables_min=0).quantity("cables", installed)
    highest = replace(POLICY, cables_percent=high, cables_min=lowest).quantity("cables", installed)
    assert few <= more <= highest <= max(installed, lowest)
    assert few >= installed * low / 100 * (1 - 1e-12)


@given(st.integers(0, 10**12), st.integers(1, 40), st.floats(1, 3), st.floats(0.01, 1))
def test_energy_is_linear_in_years(power_mw, years, pue, load):
    """Up to the rounding of each bill to a whole kWh."""
    rates = replace(RATES, pue=pue, load=load)
    assert rates.kwh(power_mw, 0) == 0
    assert years * (rates.kwh(power_mw, 1) - 1) <= rates.kwh(power_mw, years) <= years * rates.kwh(power_mw, 1)
    assert rates.kwh(power_mw, 2 * years) <= 2 * rates.kwh(power_mw, years)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.data())
def test_totals_are_sums_of_lines(small_plan, data):
    terms = {
        "prices": data.draw(st.sampled_from(("catalog", "slimfly", "mudigonda-stock", "mudigonda-custom"))),
        "power": data.draw(st.sampled_from(("catalog", "slimfly", "spectralfly"))),
        "spares": data.draw(st.sampled_from(("none", "one-per-hundred", "cisco-cables", "two-per-hundred"))),
        "years": data.draw(st.sampled_from((0, 0.5, 5))),
        "trays": data.draw(st.sampled_from(("none", "used", "all"))),
        "tray": data.draw(st.sampled_from(("", "mesh"))),
    }
    plan = whole(small_plan, **terms)
    made = plan.bill
    assert made.cents() == sum(x.quantity * x.unit_cents + x.over_cents for x in made.lines)
    assert made.cents() == sum(map(made.cents, made.categories))
    assert all(0 <= line.over_cents < line.quantity for line in made.lines)
    assert all(line.quantity > 0 for line in made.lines)
    assert not [*bill_complete(plan)]


# -- the verifier -----------------------------------------------------------------------------

FAULTS = {
    "one spare too few": lambda made: _changed(made, "spares", -1),
    "one label too many": lambda made: _changed(made, "labels", 1),
    "one cable too many": lambda made: _changed(made, "cables", 1),
    "less energy": lambda made: _changed(made, "energy", -1),
    "no spares": lambda made: replace(made, lines=tuple(x for x in made.lines if x.category != "spares")),
    "spares of nothing": lambda made: replace(made, lines=(*made.lines, BillLine("spares", "nothing", "spare", 1, 1))),
    "too cheap": lambda made: replace(
        made, lines=tuple(replace(x, unit_cents=1) if x.category == "cables" else x for x in made.lines)
    ),
    "no power": lambda made: replace(made, lines=tuple(replace(x, unit_power_mw=0) for x in made.lines)),
}


def _changed(made: Bill, category: str, by: int) -> Bill:
    number = next(n for n, line in enumerate(made.lines) if line.category == category)
    line = replace(made.lines[number], quantity=made.lines[number].quantity + by)
    return replace(made, lines=(*made.lines[:number], line, *made.lines[number + 1 :]))


@pytest.mark.parametrize("fault", FAULTS)
def test_the_verifier_finds(small_plan, fault):
    plan = whole(small_plan, spares="one-per-hundred", years=5)
    assert not [*bill_complete(plan)]
    assert [*bill_complete(replace(plan, bill=FAULTS[fault](plan.bill)))]


# -- complaints -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("spares", "one-per-hundert", "did you mean one-per-hundred?"),
        ("prices", "slim-fly", "must be 'catalog', 'slimfly'"),
        ("power", "spectral", "must be 'catalog', 'slimfly' or 'spectralfly'"),
        ("electricity", "somewhere", "us-middle-atlantic-2025"),
        ("tray", "meshes", "did you mean mesh?"),
        ("tray", "default-300x100", "states no price"),
    ],
)
def test_what_the_section_names_must_be_there(small_plan, key, value, words):
    with pytest.raises(InputError) as caught:
        billed(small_plan, **{"years": 1, key: value})
    (problem,) = caught.value.problems
    assert problem.place == key
    assert words in str(problem)


@pytest.mark.parametrize(
    ("given", "place", "words"),
    [
        ({"years": -1}, "years", "greater than or equal to 0"),
        ({"pue": 0.9}, "pue", "greater than or equal to 1"),
        ({"load": 0}, "load", "greater than 0"),
        ({"prices": "slim"}, "prices", "'slimfly'"),
        ({"trays": "some"}, "trays", "'used'"),
        ({"spare": "none"}, "spare", "did you mean spares?"),
        ({"rows": "none"}, "rows", "bill has no such key"),
    ],
)
def test_the_section_is_checked_before_anything_runs(given, place, words):
    with pytest.raises(InputError) as caught:
        section.read(SECTIONS["bill"], given)
    (problem,) = caught.value.problems
    assert problem.place == place
    assert words in str(problem)


def test_all_complaints_come_at_once():
    with pytest.raises(InputError) as caught:
        terms(
            rows, prices="x", power="y", spares="z", trays="none", tray="t", years=1, electricity="e", cents_per_kwh=None,
            pue=None, load=None,
        )  # fmt: skip
    assert {problem.place for problem in caught.value.problems} == {"prices", "power", "spares", "tray", "electricity"}


def test_currencies_do_not_mix(small_plan):
    """A catalog in euro: labor, electricity and the model are in dollars."""
    euro = replace(small_plan, catalog=replace(small_plan.catalog, currency="EUR"))
    with pytest.raises(InputError) as caught:
        billed(euro, prices="slimfly", years=1)
    assert {problem.place for problem in caught.value.problems} == {"labor", "electricity", "prices"}
    assert all("EUR" in problem.message and problem.remedy for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("pue", 1e300, "it is a ratio"),
        ("load", 50.0, "it is a share of typical power"),
        ("years", 1e9, "no network is in use for longer"),
        ("cents_per_kwh", 1e308, "no kilowatt hour costs more"),
    ],
)
def test_nonsense_is_refused_with_the_reason(key, value, message):
    data = {
        "name": "x",
        "topology": {"family": "slimfly", "q": 5},
        "catalog": {"router": "a", "endpoint": "b", "cabinet": "c"},
        "room": {"plan": "lab"},
        "bill": {key: value},
    }
    with pytest.raises(InputError, match=rf"bill\.{key}: .*{message}"):
        study.check(data)


def test_whole_packs_are_paid_and_spares_are_taken_from_them():
    """203 cables and 2 spares of packs of ten are 21 packs; 198 and 2 are 20, without a rest."""
    dac = next(row for row in rows("cable") if row.medium == "copper")
    goods = {"dac": replace(dac, pieces_per_item=10), "single": dac}
    for installed, rest in ((203, 5), (198, 0)):
        lines = [
            BillLine("cables", "dac", "DAC, 1 m", installed, 7000, stock_mm=1000),
            BillLine("spares", "dac", "spare DAC, 1 m", 2, 7000, stock_mm=1000),
            BillLine("cables", "single", "DAC, 1 m", 3, 7000, stock_mm=1000),
            BillLine("cables", "dac", "DAC, 2 m", 10, 9000, stock_mm=2000),
        ]
        found = [(line.category, line.part, line.quantity, line.cents) for line in pack_lines(lines, goods)]
        assert found == ([("packs", "dac", rest, rest * 7000)] if rest else [])
