"""Bundling: what every kind must keep to, and each kind against what is known of it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from math import ceil, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.cable_sets import COPPER, DUPLEX, FIBER, assembly, cable_set, hall, parts, room_of

from planner.core import registry
from planner.core.errors import InputError
from planner.design.cabling import cable
from planner.design.cabling.bundling import KINDS, REASONS, CableSet, TrayLoad, bundle, compare
from planner.design.cabling.bundling.bundles.areas import Areas
from planner.design.cabling.bundling.bundles.compare import fills
from planner.design.cabling.bundling.bundles.looms import DENSITY, loom_diameter_um
from planner.design.cabling.bundling.bundles.trunks import cover
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.domain import catalog
from planner.hall.floor import Lengths, Slack
from planner.network import topology
from planner.network.topology import from_links

ALL = {"loom": {}, "row_loom": {}, "trunk": {}, "multicore": {"fiber_cents": 5000}, "shuffle": {"box_cents": 100_000}}
ASKED = [*ALL.items(), ("trunk", {"level": "cabinet"}), ("trunk", {"level": "zone"}), ("shuffle", {"level": "zone"})]

PACKED = {1: 1.0, 2: 2.0, 3: 2.1547, 4: 2.4142, 5: 2.7013, 6: 3.0, 7: 3.0, 8: 3.3047, 9: 3.6131, 10: 3.8130, 11: 3.9238,
          12: 4.0296, 13: 4.2360, 14: 4.3284, 15: 4.5213, 16: 4.6154, 17: 4.7920, 18: 4.8637, 19: 4.8637}  # fmt: skip
"""Radii of the smallest circles around n unit circles: Graham et al., Discrete Mathematics 181, 1998, and Packomania."""


SIZES = st.tuples(
    st.integers(2, 14), st.integers(1, 60), st.integers(1, 6), st.sampled_from(["hall-a", "two-halls", "raised-hall"]),
    st.integers(0, 2**32 - 1),
)  # fmt: skip
"""Routers, links, cabinets, room and seed of random cables."""


def drawn(sizes: tuple[int, int, int, str, int]) -> dict:
    """Arguments of `cable_set` for random links of copper, parallel and duplex fiber between routers in random slots."""
    routers, count, cabinets, name, seed = sizes
    rng = np.random.default_rng(seed)
    links = rng.integers(0, routers, (count, 2))
    links = np.concatenate([links[links[:, 0] != links[:, 1]], [[0, 1]]])
    network = from_links("random", {}, routers, links)
    return {
        "network": network,
        "cabinet_of": rng.integers(0, cabinets, routers),
        "assemblies": (FIBER, DUPLEX, COPPER),
        "assembly_of": rng.integers(0, 3, network.link_count),
        "room": room_of(name),
        "slot_of": rng.permutation(room_of(name).slot_count)[:cabinets],
    }


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(SIZES, st.sampled_from(ASKED))
def test_every_cable_between_cabinets_is_in_one_bundle(sizes, asked):
    cables = cable_set(**drawn(sizes))
    kind, arguments = asked
    bundles = bundle(cables, kind, **arguments)
    assert ((bundles.bundle >= 0) == cables.between).all()
    links = np.bincount(bundles.bundle[cables.between], minlength=bundles.count)
    assert links.tolist() == bundles.links.tolist()
    assert (links > 0).all()
    assert (bundles.capacity >= links).all()
    for figure in ("area_um2", "diameter_um", "bend_mm", "run_mm", "stock_mm", "price_cents"):
        assert (getattr(bundles, figure) >= 0).all()
    assert (bundles.stock_mm[bundles.price_cents > 0] >= bundles.run_mm[bundles.price_cents > 0]).all()


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(SIZES, st.sampled_from(ASKED))
def test_bundles_join_the_cabinets_of_their_cables(sizes, asked):
    cables = cable_set(**drawn(sizes))
    kind, arguments = asked
    bundles = bundle(cables, kind, **arguments)
    own = bundles.cabinet[bundles.bundle[cables.between]]
    here = (own >= 0).all(axis=1)
    assert (np.sort(own, axis=1) == np.sort(cables.cabinet[cables.between], axis=1))[here].all()
    # Copper and fiber never share a bundle.
    seen = set(zip(bundles.bundle[cables.between].tolist(), cables.medium_class[cables.between].tolist(), strict=True))
    assert len(seen) == bundles.count


@settings(max_examples=20, deadline=None)
@given(SIZES, st.sampled_from(["loom", "row_loom"]))
def test_looms_have_the_cross_section_of_their_cables(sizes, kind):
    cables = cable_set(**drawn(sizes))
    bundles = bundle(cables, kind)
    thick = cables.of_assembly("diameter_um")
    for number in range(bundles.count):
        own = thick[bundles.bundle == number].tolist()
        area = sum(round(pi / 4 * d * d) if cables.room.fill_shape == "round" else d * d for d in own)
        assert bundles.area_um2[number] == area
        assert bundles.diameter_um[number] >= sqrt(sum(d * d for d in own))
        assert bundles.bend_mm[number] >= max(cables.of_assembly("bend_mm")[bundles.bundle == number])
    strands = cables.strands
    assert int(bundles.area_um2.sum()) == int(cables.area_um2(thick[strands]).sum())
    assert bundles.cents == int(cables.price_cents.sum())


@settings(max_examples=20, deadline=None)
@given(SIZES, st.sampled_from(ASKED))
def test_money_adds_up(sizes, asked):
    """What every link costs, counted cable by cable with plain loops."""
    cables = cable_set(**drawn(sizes))
    kind, arguments = asked
    bundles = bundle(cables, kind, **arguments)
    if kind == "shuffle":
        return
    total = 0
    for link in range(len(cables.assembly)):
        made_of = cables.assemblies[cables.assembly[link]]
        legs = bundles.leg_stock_mm[link].tolist()
        assert (legs[0] > 0) == (legs[1] > 0) == (bundles.reason[link] == 0 and kind in ("trunk", "multicore"))
        if not any(legs):
            total += int(cables.price_cents[link])
            continue
        modules = made_of.price_cents[0] - made_of.length_cents[0]
        for end in (0, 1):
            step = made_of.stock_mm.index(legs[end])
            assert made_of.stock_mm[step] >= bundles.leg_mm[link, end]
            assert step == 0 or made_of.stock_mm[step - 1] < bundles.leg_mm[link, end]
            total += made_of.length_cents[step]
        total += modules
    total += int(bundles.price_cents.sum()) + sum(one.cents or 0 for one in bundles.panels)
    assert bundles.cents == total


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(SIZES, st.sampled_from(ASKED), st.integers(0, 2**32 - 1))
def test_order_of_cables_does_not_matter(sizes, asked, seed):
    """Links in another order, and every other one turned round, give the same bundles."""
    kind, arguments = asked
    facts = drawn(sizes)
    order = np.random.default_rng(seed).permutation(facts["network"].link_count)
    one, two = (bundle(cable_set(**facts, order=one), kind, **arguments) for one in (None, order))
    assert _bundles(one) == _bundles(two)


def _bundles(bundles) -> tuple:
    ends = np.sort(bundles.node, axis=1).tolist()
    figures = ("kind", "capacity", "links", "area_um2", "diameter_um", "bend_mm", "run_mm", "stock_mm", "price_cents")
    rows = zip(*(getattr(bundles, name).tolist() for name in figures), map(tuple, ends), strict=True)
    panels = Counter((one.part, one.area, one.count) for one in bundles.panels)
    return Counter(rows), panels, bundles.cents, bundles.pulled, bundles.pieces, bundles.types


@pytest.mark.parametrize("kind", ALL)
def test_no_cables_at_all(kind):
    network = from_links("none", {}, 2, np.array([[0, 1]]))
    inside = cable_set(network, np.zeros(2, int))
    bundles = bundle(inside, kind, **ALL[kind])
    assert (bundles.count, bundles.pulled, bundles.pieces) == (0, 0, 0)
    assert bundles.bundle.tolist() == [-1]


def test_kinds_are_found_by_the_registry():
    assert registry.names("bundling") == ["loom", "multicore", "row_loom", "shuffle", "trunk"]


# -- looms ------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", PACKED)
def test_loom_is_no_thinner_than_the_densest_packing(count):
    """And no thicker than 1.25 sqrt(n) cables."""
    thick = 10**6
    second = thick if count > 1 else 0
    (diameter,) = loom_diameter_um(np.array([count * thick**2]), np.array([thick]), np.array([second])).tolist()
    assert diameter >= PACKED[count] * thick * 0.99999
    assert diameter <= max(1.25 * sqrt(count), PACKED[count] if count < 3 else 0) * thick + 1


def test_density_is_below_that_of_every_packing():
    assert min(count / radius**2 for count, radius in PACKED.items() if count > 2) >= DENSITY


def test_looms_of_at_most_48_cables():
    """48 is the catalog's rule: 100 cables make 3 looms, of 33 and 34."""
    network = from_links("two", {}, 2, np.tile([[0, 1]], (100, 1)))
    bundles = bundle(cable_set(network, np.arange(2)), "loom")
    assert sorted(bundles.links.tolist()) == [33, 33, 34]
    assert bundle(cable_set(network, np.arange(2)), "loom", max_cables=10).count == 10
    # 0.64 of a loom of 12 mm hold 10.24 cables of 3 mm.
    assert sorted(bundle(cable_set(network, np.arange(2)), "loom", max_diameter_um=12_000).links.tolist()) == [10] * 10


def test_bend_radius_of_a_loom():
    """Two cables of 3 mm and 30 mm bend radius: the loom is 6 mm thick, the inner cable at least 30 mm from the center."""
    network = from_links("two", {}, 2, np.tile([[0, 1]], (2, 1)))
    bundles = bundle(cable_set(network, np.arange(2)), "loom")
    assert (bundles.diameter_um.tolist(), bundles.bend_mm.tolist()) == ([6000], [33])
    single = bundle(cable_set(from_links("one", {}, 2, np.array([[0, 1]])), np.arange(2)), "loom")
    assert (single.diameter_um.tolist(), single.bend_mm.tolist()) == ([3000], [30])


def test_links_of_one_piece_are_one_strand():
    """Two links of a twin-port cable are tied, weighed and pulled once."""
    network = from_links("two", {}, 2, np.tile([[0, 1]], (2, 1)))
    twin = cable_set(network, np.arange(2), (COPPER,), piece=np.zeros(2, int))
    bundles = bundle(twin, "loom")
    assert (bundles.links.tolist(), bundles.diameter_um.tolist(), bundles.pieces) == ([2], [9400], 1)


# -- trunks -----------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(
    st.integers(1, 9),
    st.lists(st.tuples(st.integers(1, 6), st.integers(1, 60)), min_size=1, max_size=3, unique_by=lambda offer: offer[0]),
)
def test_cheapest_trunks(plugs, offers):
    """Against all choices of trunks there are."""
    sizes, cents = (list(column) for column in zip(*offers, strict=True))
    chosen = cover(plugs, sizes, cents)
    assert sum(sizes[trunk] for trunk in chosen) >= plugs
    every = (
        choice for count in range(1, plugs + 1) for choice in combinations_with_replacement(range(len(sizes)), count)
        if sum(sizes[trunk] for trunk in choice) >= plugs
    )  # fmt: skip
    assert sum(cents[trunk] for trunk in chosen) == min(sum(cents[trunk] for trunk in choice) for choice in every)


def _two_rows(links: int, made_of=FIBER):
    """Links between a cabinet of row A and one of row D of hall-a."""
    room = hall(2)
    slots = np.array([np.flatnonzero(room.slot_row == row)[2] for row in (0, 3)])
    network = from_links("two", {}, 2, np.tile([[0, 1]], (links, 1)))
    return cable_set(network, np.arange(2), (made_of,), room=room, slot_of=slots)


def test_parallel_links_take_a_plug_each():
    """A 4-lane link has an MPO-12 plug to itself (8 of 12 fibers): 12 links fill 144 fibers."""
    bundles = bundle(_two_rows(12), "trunk")
    trunks = bundles.kind == KINDS.index("trunk")
    assert int(bundles.capacity[trunks].sum()) == 12
    fibers = {part.id: part.fibers for part in parts().trunks}
    assert sum(fibers[bundles.parts[number]] for number in bundles.part[trunks]) == 144


def test_duplex_links_share_plugs_behind_cassettes():
    """An MPO-12 to 6 LC cassette: 13 links need 3 plugs, 3 cassettes and one enclosure of 4 bays at each end."""
    cables = _two_rows(13, DUPLEX)
    bundles = bundle(cables, "trunk")
    bought = Counter()
    for one in bundles.panels:
        bought[one.part] += one.count
    connectors = {part.id: part.connectors for part in parts().trunks}
    plugs = sum(connectors[bundles.parts[number]] for number in bundles.part)
    assert plugs == 3
    assert bought == {"mtp12-6lc-os2": 6, "fiber-enclosure-1u": 2}
    # 110 USD a cassette and 74 USD an enclosure (FS.com).
    assert sum(one.cents for one in bundles.panels) == 6 * 11_000 + 2 * 7400


def test_panels_are_at_the_middle_of_their_rows():
    cables = _two_rows(4)
    bundles = bundle(cables, "trunk")
    center = Areas.of(cables.room, "row").center[[0, 3]]
    assert np.sort(bundles.node[0]).tolist() == np.sort(cables.room.slot_node[center, 1]).tolist()
    slot = cables.slot[0]
    along = [int(cables.fiber_mm(slot[end : end + 1], center[end : end + 1])[0]) for end in (0, 1)]
    ends = (cables.rise_mm[0] + cables.drop_mm[0] + along).tolist()
    # The slack of any cable between cabinets: 300 mm and a loop of 500 mm at each end.
    assert bundles.leg_mm[0].tolist() == [end + 1600 for end in ends]
    trunk = int(cables.fiber_mm(center[:1], center[1:])[0])
    assert bundles.run_mm[0] == trunk + parts().trunk_rule.slack_max_mm


def test_links_above_their_loss_budget_stay_direct():
    """Two panels are two mated MPO pairs of 0.35 dB at most (NVIDIA)."""
    assert bundle(_two_rows(3, assembly("good", budget_db=0.75)), "trunk").direct == 0
    refused = bundle(_two_rows(3, assembly("poor", budget_db=0.7)), "trunk")
    assert refused.direct == 3
    assert {REASONS[number] for number in refused.reason} == {"loss above the budget"}
    assert {KINDS[number] for number in refused.kind} == {"loom"}
    # Cassettes are an MPO and an LC pair each: 2 x 0.35 + 2 x 0.25 dB.
    assert bundle(_two_rows(3, assembly("lc", plug="lc", fibers=2, budget_db=1.25)), "trunk").direct == 0
    assert bundle(_two_rows(3, assembly("lc", plug="lc", fibers=2, budget_db=1.2)), "trunk").direct == 3


def test_why_links_stay_direct():
    def reason(cables, **arguments):
        return {REASONS[number] for number in bundle(cables, "trunk", **arguments).reason}

    assert reason(_two_rows(2, COPPER)) == {"no fiber between two transceivers"}
    assert reason(_two_rows(2, assembly("16", fibers=16))) == {"no part for its glass or plugs"}
    assert reason(_two_rows(2), level="zone") == {"both ends in one area"}
    assert reason(_two_rows(2), min_links=3) == {"too few links for a trunk"}
    assert reason(_two_rows(2), min_links=2) == {""}


def test_polarity_is_odd():
    """TIA-568 method B: of jumper, trunk and jumper an odd number is of type B."""
    for types in ("AA", "AB", "BB"):
        words = bundle(_two_rows(2), "trunk", jumper_types=types).polarity
        assert (types.count("B") + words.count("B")) % 2 == 1


def test_trunks_between_halls():
    room = room_of("two-halls")
    zones = Areas.of(room, "zone")
    assert len(zones.center) == 2
    slots = np.array([np.flatnonzero(zones.of_slot == zone)[0] for zone in (0, 1)])
    network = from_links("two", {}, 2, np.tile([[0, 1]], (5, 1)))
    bundles = bundle(cable_set(network, np.arange(2), room=room, slot_of=slots), "trunk", level="zone")
    assert int(bundles.capacity.sum()) >= 5
    assert sorted(zones.of_slot[slots]) == [0, 1]
    assert set(bundles.node[0].tolist()) == set(room.slot_node[zones.center, 1].tolist())


# -- shuffle boxes ----------------------------------------------------------------------------


def test_shuffle_boxes_take_n_and_a_pull_for_each_pair_of_zones():
    """AWS: n + R(R - 1)/2 pulls for n routers in R rooms, in place of about n² links."""
    room = hall(2)
    rows = [np.flatnonzero(room.slot_row == row)[:4] for row in range(5)]
    network = topology.build("hyperx", sizes=(20,), endpoints_per_router=0)
    cables = cable_set(network, np.arange(20), (DUPLEX,), room=room, slot_of=np.concatenate(rows))
    bundles = bundle(cables, "shuffle", level="row")
    assert bundles.direct == 0
    assert bundles.pulled == 20 + 5 * 4 // 2
    assert bundle(cables, "loom").pulled == 20 * 19 // 2
    # 19 links of a pair of fibers each are 5 cables of 4 pairs; a box takes 32 of them.
    assert [one.count for one in bundles.panels] == [ceil(4 * 5 / 32)] * 5
    assert bundles.cents is None
    assert bundle(cables, "shuffle", level="row", box_cents=0).cents is not None


# -- side by side -----------------------------------------------------------------------------


def test_comparison_of_single_cables_and_looms():
    network = topology.build("slimfly", q=5, endpoints_per_router=0)
    cables = cable_set(network, network.group[:, 0])
    table = compare(cables)
    assert table.methods == ("single", "loom", "row_loom", "trunk", "multicore", "shuffle")
    between = int(cables.between.sum())
    assert table.pulls[0] == table.cables[0] == between
    assert table.pulls[1] == bundle(cables, "loom").count
    assert table.saved("pulls", "loom") == between - bundle(cables, "loom").count
    # Tying cables changes neither the tray load nor the price.
    assert table.fill_mm2_m[:3].tolist() == [table.fill_mm2_m[0]] * 3
    assert table.fullest_percent[:3].tolist() == [table.fullest_percent[0]] * 3
    assert table.cents[:3] == (int(cables.price_cents.sum()),) * 3
    # Nothing is published about the price of multi-core fiber.
    assert table.cents[4] is None
    assert table.saved("cents", "multicore") is None


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(SIZES, st.sampled_from(ASKED))
def test_everything_takes_shortest_routes(sizes, asked):
    """The sum of fill times segment length equals the sum of cross-section times route length."""
    cables = cable_set(**drawn(sizes))
    routed = bundle(cables, asked[0], **asked[1]).load
    (fill,) = fills(cables.room, [routed])
    assert int((fill * cables.room.segment_mm).sum()) == int((routed.area_um2 * routed.tray_mm).sum())
    for medium, bit in ((0, 1), (1, 2)):
        (own,) = fills(cables.room, [TrayLoad(*(array[routed.medium_class == medium] for array in vars(routed).values()))])
        assert not own[(cables.room.segment_carries & bit) == 0].any()


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(SIZES, st.sampled_from(ASKED))
def test_rows_run_over_their_panels(sizes, asked):
    """Routes from node to panel, panel to panel and panel to node are covered by the jumpers' and the bundle's lengths."""
    cables = cable_set(**drawn(sizes))
    bundles = bundle(cables, asked[0], **asked[1])
    carried = np.flatnonzero(cables.between & (bundles.reason == 0))
    fiber = cables.lengths.by_medium_class[1].distances
    slot_at = {node: slot for slot, node in enumerate(cables.room.slot_node[:, 1].tolist())}
    for link in carried.tolist() if asked[0] in ("trunk", "multicore", "shuffle") else ():
        stops = [slot_at[node] for node in (cables.node[link, 0], *bundles.via_node[link], cables.node[link, 1])]
        lengths = fiber.between_mm(np.array(stops[:-1]), np.array(stops[1:])).tolist()
        own = bundles.bundle[link]
        assert bundles.leg_mm[link, 0] >= lengths[0]
        assert bundles.run_mm[own] >= lengths[1]
        assert bundles.leg_mm[link, 1] >= lengths[2]
        assert sorted(bundles.node[own].tolist()) == sorted(bundles.via_node[link].tolist())


def test_fullest_segment_of_a_chain_of_trays():
    """Three cabinets along one chain: the link between the outer two passes all segments between them."""
    room = room_of("container")
    slots = np.argsort(room.slot_xy[:, 0], kind="stable")[[0, 3, -1]]
    network = from_links("path", {}, 3, np.array([[0, 1], [1, 2], [0, 2], [0, 2]]))
    cables = cable_set(network, np.arange(3), room=room, slot_of=slots)
    cable_mm2 = pi / 4 * 3**2
    assert compare(cables, {}).fullest_percent[0] == pytest.approx(100 * 3 * cable_mm2 / room.segment_mm2[0], abs=1e-3)


@pytest.mark.slow
def test_cable_set_of_a_plan():
    """Planned cables with twin-port modules, of which every other link buys none."""
    network = topology.build("slimfly", q=5, endpoints_per_router=2)
    chosen = catalog.select("nvidia-qm9700", "dgx-h100", "apc-ar3300")
    rules = Lengths(room_of("hall-a"), chosen.cabinet, Slack())
    placement = place(network, chosen, rules, seed=1, algorithm="identity")
    planned = cable(inventory(network, chosen), chosen, placement, rules)
    cables = CableSet.of(inventory(network, chosen), rules, parts(), placement.slot_of, planned)
    assert (cables.medium_class == planned.medium_class).all()
    assert (cables.length_cents[cables.alone] > 0).all()
    bundles = bundle(cables, "trunk", level="cabinet")
    assert bundles.direct == 0
    jumpers = sum(
        made_of.length_cents[made_of.stock_mm.index(stock)]
        for made_of, legs in zip((cables.assemblies[k] for k in cables.assembly), bundles.leg_stock_mm.tolist(), strict=True)
        for stock in legs
        if stock
    )
    modules = int((planned.price_cents - cables.length_cents)[cables.between].sum())
    assert int(bundles.cable_cents[cables.between].sum()) == modules + jumpers
    table = compare(cables)
    assert table.cents[0] == int(planned.price_cents.sum())
    assert table.cables[0] == len(np.unique(planned.piece[cables.between]))


def test_wrong_names_are_refused():
    cables = _two_rows(2)
    for kind, arguments in (
        ("multicore", {"level": "clusters"}),
        ("multicore", {"fiber": "mcf-9"}),
        ("weave", {}),
        ("loom", {"cables": 3}),
    ):
        with pytest.raises(InputError):
            bundle(cables, kind, **arguments)
