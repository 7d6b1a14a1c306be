"""Cost and power models of papers, against the figures of the papers and of the scripts that quote them."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import get_args, get_type_hints

import numpy as np
import pytest

from planner.core.errors import Infeasible
from planner.design.bill import bill
from planner.design.bill.models import POWER, PRICES
from planner.domain.catalog import rows
from planner.domain.quantities.normalized import QUANTITIES
from planner.network.metrics import bisection


def billed(plan, **terms):
    terms = {"rows": rows, "spares": "none"} | terms
    return bill(
        inventory=plan.inventory, catalog=plan.catalog, room=plan.room, placement=plan.placement, cables=plan.cables, **terms
    )


def test_every_model_can_be_selected():
    asked = get_type_hints(bill)
    assert {"catalog", *PRICES} == set(get_args(asked["prices"]))
    assert {"catalog", *POWER} == set(get_args(asked["power"]))


# -- Slim Fly ---------------------------------------------------------------------------------


def nii_cable_usd(length_cm: int) -> float:
    """Method cost_of_cable of lay2.rb (gh:42574092726): electric up to 200 cm, beyond the cheaper; rounded to cents."""
    electric = (length_cm / 100 * 0.4079 + 0.5771) * 40
    optical = (length_cm / 100 * 0.0919 + 7.2745) * 40
    dollar = electric if length_cm <= 200 or electric <= optical else optical
    return round(dollar * 100) / 100


def test_slimfly_cables_by_hand():
    """(0.4079 x 2 + 0.5771) x 40 = 55.72 USD; 186.24 at 10 m; at 30 m fiber, 401.26 instead of 512.56."""
    model = PRICES["slimfly"](rows)
    length = np.array([2000, 10_000, 30_000, 30_000])
    cents, optical = model.cable_cents(length, np.array([True, False, False, True]), np.zeros(4, bool))
    assert cents.tolist() == [5572, 18_624, 40_126, 51_256]
    assert optical.tolist() == [False, False, True, False]


def test_electric_and_optical_cross_at_21_m():
    """(7.2745 - 0.5771) / (0.4079 - 0.0919) = 21.19 m."""
    model = PRICES["slimfly"](rows)
    assert model.cable_usd(21.19, False, False)[1] is False
    assert model.cable_usd(21.20, False, False)[1] is True


def test_slimfly_as_the_layout_scripts_price_it(small_plan):
    """50 routers in 5 racks of 0.6 m x 2.1 m on a 3 x 2 floor; 2 m inside a rack, else 4 m and the Manhattan distance.

    Names and numbers are those of lay2.rb: cable_between, cost_of_cable, cost_of_switch, power_of_switch.
    """
    network, racks, per_rack = small_plan.topology, 5, 10
    deep = math.ceil(math.sqrt(racks))
    wide = math.ceil(racks / deep)
    rack = np.arange(50) // per_rack
    place = np.column_stack([rack // wide * 210, rack % wide * 60])
    a, b = network.links.T
    length_cm = np.where(rack[a] == rack[b], 200, 400 + np.abs(place[a] - place[b]).sum(axis=1))
    cables = replace(
        small_plan.cables,
        run_mm=np.r_[10 * length_cm, np.full(200, 2000)],
        cabinet=np.r_[np.column_stack([rack[a], rack[b]]), np.column_stack([np.arange(200) // 40] * 2)],
    )
    made = billed(replace(small_plan, cables=cables), prices="slimfly", power="slimfly")
    cables_usd = sum(nii_cable_usd(int(length)) for length in length_cm) + 200 * nii_cable_usd(200)
    assert made.cents("cables") == round(100 * cables_usd)
    # 7 links and 4 endpoints on each router.
    assert made.cents("routers") == 50 * round(100 * (11 * 350.4 - 892.3))
    assert made.cents() == made.cents("cables") + made.cents("routers")
    assert made.power_mw() == 50 * 11 * 4 * 700
    assert (made.oldest, made.newest, made.undated) == ("2014", "2014", 0)


def test_small_routers_cost_nothing_rather_than_less():
    """350.4 x 2 - 892.3 is below zero."""
    model = PRICES["slimfly"](rows)
    assert [model.router_cents(ports) for ports in (2, 3, 36)] == [0, 15_890, 1_172_210]


# -- Mudigonda --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "length_m", "server", "usd", "optical"),
    [
        ("mudigonda-stock", 0.5, False, 55, False),
        ("mudigonda-stock", 3.0, False, 87, False),
        ("mudigonda-stock", 5.0, False, 116, False),
        ("mudigonda-stock", 5.001, False, 418, True),
        ("mudigonda-stock", 100.0, False, 883, True),
        ("mudigonda-stock", 1.0, True, 45, False),
        ("mudigonda-stock", 12.0, True, 117, False),
        ("mudigonda-stock", 12.5, True, 448, True),
        ("mudigonda-custom", 2.0, False, 1.25 * (16 * 2 + 40), False),
        ("mudigonda-custom", 5.0, False, 1.25 * (16 * 5 + 40), False),
        ("mudigonda-custom", 20.0, False, 1.25 * (5 * 20 + 376), True),
        ("mudigonda-custom", 5.0, True, 1.25 * (6 * 5 + 40), False),
    ],
)
def test_mudigonda_cables(name, length_m, server, usd, optical):
    """The table of stock lengths, and copper to 5 m, fiber beyond, at 25 per cent for making."""
    assert PRICES[name](rows).cable_usd(length_m, False, server) == (pytest.approx(usd), optical)


def test_no_stock_cable_is_longer_than_100_m():
    with pytest.raises(Infeasible, match=r"100\.5 m has no price in mudigonda-stock: its longest is 100 m"):
        PRICES["mudigonda-stock"](rows).cable_usd(100.5, False, False)


def test_mudigonda_prices_ports_and_labor(small_plan):
    made = billed(small_plan, prices="mudigonda-stock")
    between = int((small_plan.cables.cabinet[:, 0] != small_plan.cables.cabinet[:, 1]).sum())
    assert made.cents("routers") == 50 * 11 * 50_000
    assert made.cents("labor") == 250 * (375 - between) + 625 * between
    assert made.cents() == sum(made.cents(category) for category in ("routers", "cables", "labor"))
    assert made.power_mw() == billed(small_plan).power_mw()
    assert made.mass_g() == billed(small_plan).mass_g()


# -- SpectralFly ------------------------------------------------------------------------------


def test_spectralfly_power_of_ports(small_plan):
    """3.76 W for every router port with copper, 4.72 W with fiber; a link has two, an endpoint cable one."""
    made = billed(small_plan, power="spectralfly")
    optical = small_plan.cables.of_assembly("medium") == "optical"
    ports = np.where(np.arange(375) < 175, 2, 1)
    assert made.power_mw() == int((ports * np.where(optical, 4720, 3760)).sum())


def test_spectralfly_table_of_power_per_bandwidth():
    """Table II: power over bisection links times 100 Gb/s is the printed mW per Gb/s in every row."""
    of = {quantity.name: quantity.of for quantity in QUANTITIES}["power_per_bisection_gbps_min_mw"]
    for row in rows("published_layout"):
        plan = SimpleNamespace(
            bill=SimpleNamespace(power_mw=lambda row=row: row.power_mw),
            bisection=SimpleNamespace(upper=row.bisection_links),
            inventory=SimpleNamespace(of_routers=lambda name: np.array([100])),
        )
        assert of(plan) == pytest.approx(row.mw_per_gbps, abs=0.06), row.id


def test_spectralfly_table_of_power_is_not_that_of_its_ports():
    """The known inconsistency: two ports per link at the stated watts are 9.39 to 9.43 times what is printed, once 9.73."""
    model = POWER["spectralfly"](rows)
    for row in rows("published_layout"):
        ports_mw = 2 * (row.electrical * model.port_mw(False) + row.optical * model.port_mw(True))
        low, high = (9.72, 9.74) if row.topology == "LPS(11,7)" else (9.385, 9.435)
        assert low < ports_mw / row.power_mw < high, row.id


# -- what it buys -----------------------------------------------------------------------------


def test_figures_over_what_they_buy(small_plan):
    """200 endpoints of 100 Gb/s; the bisection of the Hoffman-Singleton graph is between its bound and its best cut."""
    cut = bisection(small_plan.topology, starts=2)
    # The highest load never came to a steady state.
    simulation = SimpleNamespace(accepted=np.array([0.2, 0.55, 0.5, 0.9]), settled=np.array([True, True, True, False]))
    plan = SimpleNamespace(
        topology=small_plan.topology, inventory=small_plan.inventory, bill=billed(small_plan, years=1), bisection=cut,
        simulation=simulation,
    )  # fmt: skip
    plan.of_section = lambda section: plan
    found = {quantity.name: quantity.of(plan) for quantity in QUANTITIES}
    cents, power = plan.bill.cents(), plan.bill.power_mw()
    assert found["cost_per_endpoint_cents"] == cents / 200
    assert found["cost_per_injection_gbps_cents"] == cents / 20_000
    assert found["cost_per_throughput_gbps_cents"] == pytest.approx(cents / (0.55 * 20_000))
    assert found["power_per_bisection_gbps_min_mw"] == power / (100 * cut.upper)
    assert found["power_per_bisection_gbps_max_mw"] == power / (100 * cut.lower)
    assert found["power_per_bisection_gbps_min_mw"] <= found["power_per_bisection_gbps_max_mw"]
    assert found["energy_per_endpoint_kwh"] == plan.bill.energy_kwh / 200
    without = SimpleNamespace(**vars(plan) | {"bill": billed(small_plan)})
    assert {quantity.of(without) for quantity in QUANTITIES if quantity.unit.startswith("kWh")} == {None}
