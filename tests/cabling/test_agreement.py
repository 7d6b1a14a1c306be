"""Parts and routes that agree: lengths for the final routes, cheaper parts taken back where trays have room."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from shared.plan_study import study_of

from planner.check.purchase import cheapest_part_bought, shortest_length_bought
from planner.check.trays import trays_within_fill
from planner.core.progress import silent
from planner.design.cabling import cable
from planner.design.cabling.agreement import Task
from planner.design.cabling.cages import Cages
from planner.design.cabling.media import purchase
from planner.design.cabling.trays.routes import Routes
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.domain import catalog
from planner.domain.model import Existing, Joint, Plan
from planner.domain.parts import Assembly
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology
from planner.studies import pipeline, study

NARROW = Path(__file__).parents[1] / "data" / "narrow-trays"


@pytest.fixture(scope="module")
def narrow():
    """128 nodes on 32 + 16 switches; copper does not fit the trays, and while it was tried cables ran up to 30 m."""
    return pipeline.make(study.load(NARROW), ("cables",))


@pytest.mark.slow
def test_every_length_is_the_shortest_that_covers_its_final_run(narrow):
    cables = narrow.cables
    run = np.zeros(cables.piece.max() + 1, int)
    np.maximum.at(run, cables.piece, cables.run_mm)
    first = cables.first_of_piece
    shortest = [
        min(mm for mm in cables.assemblies[cables.assembly[row]].stock_mm if mm >= run[cables.piece[row]]) for row in first
    ]
    assert cables.stock_mm[first].sum() == sum(shortest)
    assert cables.stock_mm[first].sum() < 1.25 * cables.run_mm[first].sum()
    assert not [*shortest_length_bought(narrow)]
    assert not [*cheapest_part_bought(narrow)]


@pytest.mark.slow
def test_a_stale_length_is_found(narrow):
    stock = narrow.cables.stock_mm.copy()
    row = int(np.flatnonzero(narrow.cables.stock_mm == 7000)[0])
    stock[narrow.cables.piece == narrow.cables.piece[row]] = 30_000
    found = [*shortest_length_bought(replace(narrow, cables=replace(narrow.cables, stock_mm=stock)))]
    assert {(item.value, item.limit) for item in found} == {(30_000, 7000)}


def hall(width_mm):
    """The shipped hall with trays of another width, 100 mm high, that may never hold more than designed."""
    room = floor.room("hall-a", routers=1)
    return replace(room, segment_mm2=np.full(len(room.segments), width_mm * 100), max_fill=room.design_fill)


@pytest.mark.slow
@pytest.mark.parametrize("prefer", ["price", "power", "delay"])
@pytest.mark.parametrize("width_mm", [40, 60, 100, 300])
def test_full_trays_leave_nothing_cheaper_that_fits(prefer, width_mm):
    parts = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
    room = hall(width_mm)
    slack = Slack(end_mm=100, loop_mm=0)
    lengths = Lengths(room, parts.cabinet, slack)
    network = topology.build("slimfly", q=7, endpoints_per_router=4)
    placed = place(network, parts, lengths, seed=1, algorithm="random")
    cables = cable(inventory(network, parts), parts, placed, lengths, prefer=prefer)
    plan = Plan(
        "t",
        "t",
        study_of(slack, prefer=prefer),
        catalog=parts,
        room=room,
        topology=network,
        inventory=inventory(network, parts),
        placement=placed,
        cables=cables,
    )
    assert not [*shortest_length_bought(plan)]
    assert not [*cheapest_part_bought(plan)]
    fits = not [*trays_within_fill(plan)]
    wide = cable(inventory(network, parts), parts, placed, Lengths(hall(10_000), parts.cabinet, slack), prefer=prefer)
    if prefer == "price":
        assert cables.price_cents.sum() >= wide.price_cents.sum()
    assert fits or width_mm < 300


def part(name, medium, diameter_um, ladder):
    stock, cents = zip(*ladder, strict=True)
    return Assembly(
        id=name, medium=medium, kind="DAC", rate_gbps=100, connector_a="Q", connector_b="Q", reach_mm=stock[-1], stock_mm=stock,
        price_cents=cents, power_mw=100, diameter_um=diameter_um, bend_mm=30, mass_g_per_m=40, delay_ps_per_m=5000,
        delay_end_ps=0, length_part=name,
    )  # fmt: skip


THICK = part("thick", "copper", 10_000, [(2000, 1000), (5000, 3000)])
MIDDLE = part("middle", "copper", 8000, [(2000, 2000), (5000, 4000)])
THIN = part("thin", "optical", 3000, [(2000, 9000), (5000, 9500), (10_000, 9900)])


@pytest.mark.parametrize(
    ("room_mm2", "expected"),
    [
        # What all three take as thin cables, and nothing more.
        (27, ["thin", "thin", "thin"]),
        # One may be thicker: thick saves 8000 cents in 100 mm² instead of 9, middle 7000 in 64.
        (82, ["middle", "thin", "thin"]),
        (118, ["thick", "thin", "thin"]),
        # The cheapest for one, and then what is left is enough for another to become middle.
        (173, ["thick", "middle", "thin"]),
        (300, ["thick", "thick", "thick"]),
    ],
)
def test_cheaper_parts_are_accepted_where_trays_have_room(room_mm2, expected):
    """Three cables of 1.9, 1.9 and 4 m in one tray segment, bought thin while they were routed over 9 m."""
    joint = Joint("links", (THICK, MIDDLE, THIN))
    ends = np.arange(6).reshape(-1, 2)
    cages = Cages(ends, np.ones_like(ends), np.ones_like(ends), ends, np.full(3, -1))
    room = SimpleNamespace(
        segments=np.array([[0, 1]]), segment_mm2=np.array([room_mm2]), segment_mm=np.array([1000]), design_fill=1.0,
        segment_carries=np.array([3]), node_xyz=np.zeros((2, 3)), fill_shape="square", existing=Existing(),
    )  # fmt: skip
    run = np.array([[1900, 1900], [1900, 1900], [4000, 4000]])
    runs = SimpleNamespace(shared_trays=True, along=lambda medium_class, tray_mm: SimpleNamespace(run_mm=run[:, 0]))
    carried = np.zeros(3, bool)
    task = Task(
        room,
        None,
        runs,
        partial(purchase, (joint,), np.zeros(3, int), cages),
        3,
        np.full(3, -1),
        np.zeros(3, np.int64),
        lambda bought, parts: SimpleNamespace(carried=carried),
        lambda bought, run_mm: bought,
        np.full(3, 10**6),
        silent,
    )
    before = task.buy(np.full((3, 2), 9000))
    assert [before.assemblies[number].id for number in before.assembly] == ["thin"] * 3
    found = Routes(np.zeros(3, np.int64), np.array([0, 1]), np.array([0]), np.full(3, 1000), 3000, None)
    carriers = SimpleNamespace(taken_um2=np.zeros(1, np.int64))
    bought, _ = task.repurchased(run, before, found, carried, carriers)
    assert sorted(bought.assemblies[number].id for number in bought.assembly) == sorted(expected)
    assert bought.stock_mm.tolist() == [2000, 2000, 5000]
    assert task.area_um2(bought).sum() <= room_mm2 * 1_000_000
