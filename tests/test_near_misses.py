"""Near misses, and moves whose savings are those of plans that are cabled again."""

from dataclasses import replace

import numpy as np
import pytest

from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.near_misses import justifies_plan, near_misses, settled, single
from planner.design.near_misses.ladders import NEVER, Ladders, ladder
from planner.design.placement import place
from planner.domain import catalog
from planner.domain.pricelist import price_list
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology
from planner.studies import pipeline, study

pytestmark = pytest.mark.slow

EDR = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
NETWORK = topology.build("slimfly", q=5, endpoints_per_router=4)


def planned(room="lab", algorithm="random"):
    lengths = Lengths(floor.room(room, routers=1), EDR.cabinet, Slack())
    placed = place(NETWORK, EDR, lengths, seed=3, algorithm=algorithm)
    return lengths, placed, cable(inventory(NETWORK, EDR), EDR, placed, lengths)


def found(lengths, placed, cables, **wishes):
    return near_misses(inventory(NETWORK, EDR), EDR, placed, cables, lengths, **wishes)


@pytest.mark.parametrize("within", [0, 50, 300, 2000])
def test_every_near_miss_is_found(within):
    lengths, placed, cables = planned()
    result = found(lengths, placed, cables, within_mm=within, detailed=1000)
    expected = {}
    for number, run in enumerate(cables.run_mm.tolist()):
        offers = price_list(EDR.link_assemblies if number < NETWORK.link_count else EDR.endpoint_assemblies)
        price = int(offers.price_of([run])[0])
        shorter = [mm for mm in offers.limit_mm.tolist() if mm < run]
        if shorter and run - shorter[-1] <= within:
            saving = price - int(offers.price_of(shorter[-1:])[0])
            if saving > 0:
                expected[number] = (run - shorter[-1], saving)
    assert {item.cable: (item.over_mm, item.saving_cents) for item in result.items} == expected
    assert result.count == len(expected)
    assert result.saving_cents == sum(saving for _, saving in expected.values())
    assert [item.saving_cents for item in result.items] == sorted((s for _, s in expected.values()), reverse=True)


def moved(placed, device, units, routers=NETWORK.router_count):
    """The placement with the box of a device in another unit, in exchange with the box of its kind there, if any."""
    cabinet, unit = placed.cabinet, placed.unit
    like = (np.arange(len(unit)) < routers) == (device < routers)
    here = like & (cabinet == cabinet[device]) & (unit == unit[device])
    there = like & (cabinet == cabinet[device]) & (unit == unit[device] + units)
    after = np.where(here, unit[device] + units, np.where(there, unit[device], unit))
    return replace(placed, unit=after)


@pytest.mark.parametrize("room", ["lab", "raised-hall", "two-halls"])
def test_moving_a_box_saves_the_stated_amount(room):
    """The plan with the box in the other unit, swapped with the box there, is cheaper by exactly that."""
    lengths, placed, cables = planned(room)
    tried = 0
    for item in found(lengths, placed, cables, within_mm=400, detailed=30).items:
        if not item.unit_saving_cents:
            continue
        again = cable(inventory(NETWORK, EDR), EDR, moved(placed, int(cables.device[item.cable, item.end]), item.units), lengths)
        assert cables.price_cents.sum() - again.price_cents.sum() == item.unit_saving_cents
        tried += 1
    assert tried


TWIN = {"router": "nvidia-qm9700", "endpoint": "server-half-unit-400g-osfp", "cabinet": "hpe-10648-g2"}
CASES = {
    "one port in a cage": ("slimfly", {"q": 5, "endpoints_per_router": 4}, None, "lab", {}),
    "twin ports and splitters": ("dragonfly", {"a": 4, "h": 2, "endpoints_per_router": 4}, TWIN, "two-halls", {}),
    "trunks": ("dragonfly", {"a": 4, "h": 2, "endpoints_per_router": 4}, TWIN, "two-halls", {"bundling": "trunk"}),
    "trays under the floor": ("hyperx", {"sizes": (4, 4), "endpoints_per_router": 3}, None, "raised-hall", {}),
}


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.nightly)
        if case in ("twin ports and splitters", "trays under the floor", "trunks")
        else case
        for case in CASES
    ],
)
def test_settled_plans_have_no_free_saving_left(case):
    """Every single move of a box inside its cabinet, cabled again in full, costs at least as much as the settled plan."""
    family, parameters, parts, room, cabling = CASES[case]
    parts = EDR if parts is None else catalog.select(**parts)
    network = topology.build(family, **parameters)
    lengths = Lengths(floor.room(room, routers=network.router_count), parts.cabinet, Slack())
    placed = place(network, parts, lengths, seed=1, algorithm="identity", bounds=False)
    before = cable(inventory(network, parts), parts, placed, lengths, **cabling)
    after, _ = settled(inventory(network, parts), parts, placed, before, lengths)
    cables = cable(inventory(network, parts), parts, after, lengths, **cabling)
    assert cables.price_cents.sum() <= before.price_cents.sum()
    assert (after.cabinet == placed.cabinet).all()
    result = near_misses(inventory(network, parts), parts, after, cables, lengths, within_mm=5000, detailed=cables.cable_count)
    assert not any(item.unit_saving_cents for item in result.items)
    draw = np.random.default_rng(1)
    taken = {*zip(after.cabinet.tolist(), after.unit.tolist(), strict=True)}
    home = after.cabinet[: network.router_count]
    tried = 0
    for device in draw.permutation(network.router_count)[:12].tolist():
        mates = np.flatnonzero((home == home[device]) & (np.arange(network.router_count) != device))
        targets = [int(after.unit[mate]) for mate in mates[:3].tolist()]
        if parts.router.units == 1:
            cabinet = int(after.cabinet[device])
            targets += [unit for unit in (1, parts.cabinet.units) if (cabinet, unit) not in taken]
        for unit in targets:
            other = moved(after, device, unit - int(after.unit[device]), network.router_count)
            assert (
                cable(inventory(network, parts), parts, other, lengths, **cabling).price_cents.sum() >= cables.price_cents.sum()
            )
            tried += 1
    assert tried


@pytest.mark.parametrize(
    ("family", "parameters", "room", "slack"),
    [
        ("slimfly", {"q": 5, "endpoints_per_router": 4}, "lab", Slack(percent=3.0)),
        ("hyperx", {"sizes": (4, 4), "endpoints_per_router": 3}, "raised-hall", Slack()),
        pytest.param(
            *("jellyfish", {"routers": 40, "degree": 8, "endpoints_per_router": 6}, "hall-a", Slack(end_min_mm=100)),
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_the_kernel_makes_the_moves_of_the_plain_search(family, parameters, room, slack, monkeypatch):
    """Cables bought one by one: same boxes in the same units, and the same saving, as by the moves of `Cabinets`."""
    network = topology.build(family, **parameters)
    lengths = Lengths(floor.room(room, routers=network.router_count), EDR.cabinet, slack)
    placed = place(network, EDR, lengths, seed=2, algorithm="random", bounds=False)
    cables = cable(inventory(network, EDR), EDR, placed, lengths)
    found, saved = [], {}
    for small in (0, cables.cable_count):
        monkeypatch.setattr(single, "SMALL", small)

        def note(*_, small=small, **facts):
            saved[small] = facts["saved"]

        settlement, cents = settled(inventory(network, EDR), EDR, placed, cables, lengths, progress=note)
        assert cents == saved[small] > 0
        found.append(settlement.unit)
    assert (found[0] != placed.unit).any()
    assert (found[0] == found[1]).all()
    assert len(set(saved.values())) == 1


def test_over_full_trays_small_savings_justify_no_other_plan():
    """A ten-thousandth of the price decides where any cable has a detour; every cent where none has."""
    _, _, cables = planned()
    assert justifies_plan(1, cables)
    price = int(cables.price_cents.sum())
    detour = replace(cables, shortest_tray_mm=cables.shortest_tray_mm - 1)
    assert not justifies_plan(price // 10_000 - 1, detour)
    assert justifies_plan(price // 10_000 + 1, detour)


@pytest.mark.parametrize("room", ["lab", pytest.param("raised-hall", marks=pytest.mark.nightly)])
def test_moving_a_cabinet_saves_the_stated_amount(room):
    lengths, placed, cables = planned(room)
    tried = 0
    for item in found(lengths, placed, cables, within_mm=2000, detailed=60).items:
        if not item.slot_saving_cents:
            continue
        slot = placed.slot_of.copy()
        cabinet = cables.cabinet[item.cable, item.slot_end]
        slot[cabinet] = lengths.room.slot_names.index(item.slot)
        again = cable(inventory(NETWORK, EDR), EDR, replace(placed, slot_of=slot), lengths)
        assert cables.price_cents.sum() - again.price_cents.sum() == item.slot_saving_cents
        tried += 1
    assert tried


def test_no_router_is_moved_to_reserved_units():
    """Routers alone at the bottom are drawn up to the free units under the trays, unless these are reserved."""
    network = topology.build("slimfly", q=5, endpoints_per_router=0)
    lengths = Lengths(floor.room("lab", routers=1), EDR.cabinet, Slack(end_mm=100, loop_mm=100))
    placed = place(network, EDR, lengths, seed=3, algorithm="random", groups="required")
    placed = replace(placed, unit=placed.unit - placed.unit.min() + 1)
    cables = cable(inventory(network, EDR), EDR, placed, lengths)
    top = int(placed.unit.max())

    def highest(placement):
        result = near_misses(inventory(network, EDR), EDR, placement, cables, lengths, within_mm=5000, detailed=1000)
        moves = [item for item in result.items if item.unit_saving_cents]
        return max((placed.unit[cables.device[item.cable, item.end]] + item.units for item in moves), default=0)

    assert highest(placed) > top >= highest(replace(placed, reserved_units=(0, EDR.cabinet.units - top)))


def test_runs_set_by_hand_stay(tmp_path):
    """No move shortens what the study fixes."""
    (tmp_path / "runs.csv").write_text("class,run_mm\nin group,5100\nbetween groups,5100\nendpoint,2100\n")
    lengths, placed, _ = planned()
    cables = cable(inventory(NETWORK, EDR), EDR, placed, lengths, overrides=tmp_path / "runs.csv")
    result = found(lengths, placed, cables)
    assert result.count == cables.cable_count
    assert not any(item.unit_saving_cents or item.slot_saving_cents for item in result.items)


STUDY = {
    "topology": {"family": "slimfly", "q": 5, "endpoints_per_router": 4},
    "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"},
    "room": {"plan": "lab"},
    "placement": {"algorithm": "identity"},
}


@pytest.mark.parametrize("trays", ["wide", "full"])
def test_finished_plans_have_no_free_saving_left(trays):
    """The placement that a run stores is settled, also by routes that are longer because trays are full."""
    room = {"plan": "lab"} | ({"design_fill": 0.01, "max_fill": 0.5} if trays == "full" else {})
    plan = pipeline.make(
        study.check(STUDY | {"name": "settled", "room": room, "near_misses": {"detailed": 1000}}), ["near_misses"]
    )
    assert plan.near_misses.count == len(plan.near_misses.items)
    assert not any(item.unit_saving_cents for item in plan.near_misses.items)
    plain = place(plan.topology, plan.catalog, Lengths(plan.room, plan.catalog.cabinet, Slack()), seed=1, algorithm="identity")
    before = cable(inventory(plan.topology, plan.catalog), plan.catalog, plain, Lengths(plan.room, plan.catalog.cabinet, Slack()))
    assert plan.cables.price_cents.sum() < before.price_cents.sum()
    if trays == "full":
        assert plan.cables.tray_mm.sum() > plan.cables.shortest_tray_mm


@pytest.mark.parametrize("prefer", ["price", "power", "delay"])
@pytest.mark.parametrize("first", [(1, 1), (1, 0), (0, 0), None])
def test_a_ladder_has_the_best_offer_for_every_run(prefer, first):
    """Against each part in each of its lengths."""
    parts = catalog.select(**TWIN)
    joint = inventory(topology.build("dragonfly", a=4, h=2, endpoints_per_router=4), parts).joints[0]
    single, shared = joint.single, joint.shared
    assert shared
    kinds = [single[::2], single[1::2]] if first else [shared, shared[:1]]
    kind, runs = np.array([1, 0, 0]), np.arange(0, 60_001, 500) + np.array([[0], [1], [250]])
    found = Ladders(kind, [ladder(some, prefer, first) for some in kinds]).at(np.array([2, 0, 1]), runs)
    for row, some in enumerate((kinds[0], kinds[1], kinds[0])):
        for column, run in enumerate(runs[row].tolist()):
            assert tuple(found[:, row, column].tolist()) == min(offers(some, run, prefer, first), default=(NEVER, NEVER))


def offers(assemblies, run, prefer, first):
    """Yield value and price of each length of each part that covers a run."""
    for part in assemblies:
        for mm, cents in zip(part.stock_mm, part.length_cents, strict=True):
            if run <= mm <= part.reach_mm:
                one, other = part.ends
                charged = first or (0, 0)
                price = cents + charged[0] * one.price_cents + charged[1] * other.price_cents
                charged = first or (1, part.tails)
                power = charged[0] * one.power_mw + charged[1] * other.power_mw
                value = {"price": price, "power": power, "delay": mm * part.delay_ps_per_m + 2000 * part.delay_end_ps}[prefer]
                yield value * (part.carries if first is None and prefer == "delay" else 1), price
