"""What is bought: media, lengths, shared cables and modules, by hand and by trying everything."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.errors import Infeasible
from planner.design.cabling.cages import Cages, cages_of
from planner.design.cabling.media import purchase
from planner.domain.model import Joint
from planner.domain.parts import Assembly, CustomLength
from planner.domain.pricelist import length_bought, longest_mm, price_list

CUSTOM = CustomLength(id="c", source="x", confidence="D", increment_mm=100, markup_percent=25, kinds=("DAC", "fiber"))


def part(name, stock, price, medium="copper", reach=10**6, power=100, **other):
    facts = {
        "kind": "DAC", "rate_gbps": 100, "connector_a": "Q", "connector_b": "Q", "diameter_um": 5000, "bend_mm": 30,
        "mass_g_per_m": 40, "delay_ps_per_m": 5000, "delay_end_ps": 0, "length_part": name,
    }  # fmt: skip
    return Assembly(id=name, medium=medium, reach_mm=reach, stock_mm=stock, price_cents=price, power_mw=power, **facts | other)


def optic(name, stock, price, module, cents, mw, ports=2, **other):
    """Two modules of `ports` ports and a jumper; the ladder has the modules' shares, as in the catalog."""
    shares = -(-cents // ports) + (other["end_price_b_cents"] if "end_part_b" in other else -(-cents // ports))
    ladder = tuple(p + shares for p in price)
    end = {"end_part": module, "end_price_cents": cents, "end_power_mw": mw, "end_links": ports, "kind": "SR"}
    return part(name, stock, ladder, "optical", power=-(-mw // ports), **end | other)


SR = optic("sr", (10_000, 50_000), (100, 500), "sr-module", 2001, 3000, reach=50_000)
LR = optic("lr", (10_000, 100_000), (50, 400), "lr-module", 5000, 3500)
TWIN = part("twin", (1000, 3000), (900, 1500), power=50, links=2, end_power_mw=100)
SPLIT = part("split", (1000, 3000), (1000, 1200), power=75, tails=2, end_power_mw=200, end_power_b_mw=50)


def joints(links=(), endpoints=(), shared=(), splits=()):
    return Joint("links", links, shared, (2, 2)), Joint("endpoint cables", endpoints, splits, (2, 1))


def bought_for(joints, where, links, run, **wishes):
    """The purchase for some rows, of which the first are links."""
    return purchase(joints, np.arange(len(where.share)) >= links, where, run, **wishes)


def cages(sockets, share=None):
    sockets = np.array(sockets, np.int64).reshape(-1, 2)
    share = np.full(len(sockets), -1) if share is None else np.array(share)
    return Cages(sockets, np.ones_like(sockets), np.ones_like(sockets), sockets, share)


def alone(rows):
    return cages(np.arange(2 * rows))


# -- a row by itself --------------------------------------------------------------------------


@pytest.mark.parametrize("prefer", ["price", "power", "delay"])
def test_rows_by_themselves_are_the_price_list(small_plan, prefer):
    """Where no cage is shared, each row is the best buy of the list that placement uses too."""
    plan = small_plan
    count = plan.topology.link_count
    run = np.random.default_rng(3).integers(300, 90_000, plan.cables.cable_count)
    where = cages_of(plan.inventory, plan.placement)
    bought = purchase(plan.inventory.joints, plan.inventory.joint, where, run, prefer=prefer)
    for some, rows in zip((joint.single for joint in plan.inventory.joints), (slice(0, count), slice(count, None)), strict=True):
        best = price_list(some, prefer)
        row = best.rows(run[rows], "cables")
        assert np.array_equal(bought.price_cents[rows], best.price_cents[row])
        assert np.array_equal(bought.stock_mm[rows], best.stock_mm[row])
    assert np.array_equal(bought.piece, np.arange(len(run)))


def test_each_row_has_the_medium_class_of_its_assembly():
    """A copper cable must cover the run over copper trays, a jumper that over fiber trays."""
    copper, jumper = part("dac", (3000,), (500,)), part("aoc", (3000, 9000), (800, 900), "optical")
    run = np.array([[3000, 9000], [3001, 2000], [9000, 3000], [2000, 99_000]])
    bought = bought_for(joints((copper, jumper)), alone(4), 4, run)
    assert bought.medium_class.tolist() == [0, 1, 1, 0]
    assert bought.price_cents.tolist() == [500, 800, 800, 500]
    with pytest.raises(Infeasible, match=r"1 links are longer than any part reaches: 9\.50 m needed, aoc reaches 9\.00 m"):
        bought_for(joints((copper, jumper)), alone(1), 1, np.array([[3001, 9500]]))


def test_power_counts_both_ends():
    thirsty, frugal = part("a", (1000,), (10,), power=3), part("b", (1000,), (99,), power=2)
    bought = bought_for(joints((thirsty, frugal)), alone(1), 1, [500], prefer="power")
    assert (bought.assemblies[0].id, bought.power_mw.tolist()) == ("b", [[2, 2]])


def test_delay_counts_the_ends():
    """3 m at 5 ns/m and nothing at the ends are 15 ns; 3 m at 4 ns/m and 2 ns at each end are 16 ns."""
    plain, fast = part("a", (3000,), (99,)), part("b", (3000,), (10,), delay_ps_per_m=4000, delay_end_ps=2000)
    assert bought_for(joints((plain, fast)), alone(1), 1, [500], prefer="delay").assemblies[0].id == "a"


def test_nothing_to_buy():
    bought = bought_for(joints(), alone(0), 0, np.zeros((0, 2)))
    assert (bought.assemblies, len(bought.piece), bought.power_mw.shape) == ((), 0, (0, 2))


# -- shared cages -----------------------------------------------------------------------------


def test_a_cage_needs_one_module_for_one_or_two_ports():
    """Rows 0 and 1 share cage 7, row 2 is alone: 3 and 2 modules; the jumper of 10 m costs 100."""
    bought = bought_for(joints((SR,)), cages([(7, 8), (7, 9), (5, 6)]), 3, [9000] * 3)
    assert bought.modules.tolist() == [[1, 1], [0, 1], [1, 1]]
    assert bought.price_cents.tolist() == [100 + 2 * 2001, 100 + 2001, 100 + 2 * 2001]
    assert bought.power_mw.tolist() == [[3000, 3000], [0, 3000], [3000, 3000]]
    assert bought.price_cents.sum() == 3 * 100 + 5 * 2001
    assert bought.piece.tolist() == [0, 1, 2]


def test_connected_cages_take_one_type_of_module():
    """Row 1 needs 60 m, beyond the 50 m of the cheaper module; row 0 shares a cage with it, row 2 with row 0, row 3 with none."""
    bought = bought_for(joints((LR, SR)), cages([(1, 2), (1, 3), (4, 2), (5, 6)]), 4, [9000, 60_000, 9000, 9000])
    assert [bought.assemblies[number].id for number in bought.assembly] == ["lr", "lr", "lr", "sr"]
    # Cages 1, 2, 3 and 4: four modules; jumpers of 50, 400 and 50.
    assert bought.price_cents.sum() == 4 * 5000 + 50 + 400 + 50 + 2 * 2001 + 100


def test_no_one_sort_serves_all():
    """A jumper for 60 m is there and one for 9 m, but not for the same module."""
    near = optic("near", (10_000,), (100,), "near-module", 2001, 3000)
    far = optic("far", (100_000,), (100,), "far-module", 2001, 3000, reach=100_000)
    assert bought_for(joints((near, far)), alone(2), 2, [9000, 60_000]).price_cents.sum() > 0
    with pytest.raises(Infeasible, match="no single type of transceiver serves"):
        bought_for(joints((near, part("dac", (70_000,), (1,)))), cages([(1, 2), (1, 3)]), 2, [9000, 60_000])


def test_a_finished_cable_takes_a_cage_for_itself():
    """One link's plug closes the cage to another: the cheap cable is bought only where no other row needs the cage."""
    dac = part("dac", (10_000,), (50,))
    bought = bought_for(joints((dac, SR)), cages([(7, 8), (7, 9), (5, 6)]), 3, [9000] * 3)
    assert [bought.assemblies[number].id for number in bought.assembly] == ["sr", "sr", "dac"]


def test_parallel_links_ride_a_twin_port_cable_where_it_is_cheaper():
    """Rows 0 and 1 fill two cages: 900 for one cable, or two jumpers of 100 and two modules of 2001."""
    shared = cages([(1, 2), (1, 2), (3, 4)], [0, 0, -1])
    bought = bought_for(joints((SR,), shared=(TWIN,)), shared, 3, [800, 1000, 800])
    assert bought.piece.tolist() == [0, 0, 1]
    assert bought.price_cents.tolist() == [900, 0, 100 + 2 * 2001]
    assert bought.stock_mm.tolist() == [1000, 1000, 10_000]
    assert bought.power_mw.tolist() == [[100, 100], [0, 0], [3000, 3000]]
    assert bought.modules.tolist() == [[0, 0], [0, 0], [1, 1]]
    # Beyond its reach, and where it is more expensive, two jumpers between the same two modules.
    for run, twin in (([3001, 800, 800], TWIN), ([800] * 3, part("twin", (1000,), (5000,), links=2, end_power_mw=100))):
        bought = bought_for(joints((SR,), shared=(twin,)), shared, 3, run)
        assert bought.piece.tolist() == [0, 1, 2]
        assert bought.price_cents.tolist() == [100 + 2 * 2001, 100, 100 + 2 * 2001]


def test_neighboring_endpoints_share_a_splitter():
    """The head is in cage 1; the run is that of the longer tail, 1.2 m, so 3 m are bought; 200 mW at the head, 50 at a tail."""
    single = part("dac", (1000, 3000), (700, 800))
    shared = cages([(1, 2), (1, 3), (4, 5)], [0, 0, -1])
    bought = bought_for(joints(endpoints=(single,), splits=(SPLIT,)), shared, 0, [900, 1200, 900])
    assert bought.piece.tolist() == [0, 0, 1]
    assert bought.stock_mm.tolist() == [3000, 3000, 1000]
    assert bought.price_cents.tolist() == [1200, 0, 700]
    assert bought.power_mw.tolist() == [[200, 50], [0, 50], [100, 100]]


def test_splitter_or_modules_by_price_and_by_power():
    """One cage at the router with a twin module, two single modules at the endpoints: 2000 + 2 x 300 + 2 x 100 = 2800 cents."""
    mixed = optic(
        "mixed", (3000,), (100,), "twin-module", 2000, 150, end_part_b="module", end_price_b_cents=300, end_power_b_mw=60,
        end_links_b=1,
    )  # fmt: skip
    rows = cages([(1, 2), (1, 3)], [0, 0])
    parts = joints(endpoints=(mixed,), splits=(SPLIT,))
    assert bought_for(parts, rows, 0, [900, 900]).price_cents.tolist() == [1000, 0]
    frugal = bought_for(parts, rows, 0, [900, 900], prefer="power")
    # 300 mW of the splitter against 150 + 2 x 60 mW.
    assert frugal.price_cents.tolist() == [100 + 2000 + 300, 100 + 300]
    assert frugal.power_mw.tolist() == [[150, 60], [0, 60]]
    assert frugal.modules.tolist() == [[1, 1], [0, 1]]


# -- lengths made to order --------------------------------------------------------------------


def test_custom_lengths_by_hand():
    """1 m costs 40, 3 m 60: 1.4 m costs 44, with a quarter more 55; 2.5 m at 55, with it 68.75; 4 m at 70, with it 87.50."""
    dac = part("dac", (1000, 3000), (4000, 6000), reach=4050)
    runs = [900, 1301, 2500, 4000, 4001]
    lengths, cents = length_bought(dac, runs, custom=CUSTOM)
    assert list(zip(lengths.tolist(), cents.tolist(), strict=True))[:4] == [
        (1000, 4000),
        (1400, 5500),
        (3000, 6000),
        (4000, 8750),
    ]
    assert (lengths[4], longest_mm(dac, CUSTOM)) == (0, 4000)
    lengths, cents = length_bought(dac, runs, "delay", CUSTOM)
    assert list(zip(lengths.tolist(), cents.tolist(), strict=True))[:3] == [(900, 5000), (1400, 5500), (2500, 6875)]
    assert length_bought(part("aec", (1000, 3000), (4000, 6000), kind="AEC"), runs, "delay", CUSTOM)[0].tolist() == [
        1000, 3000, 3000, 0, 0,
    ]  # fmt: skip


def test_markup_is_on_the_jumper_not_on_the_modules():
    """20 m of jumper cost 200, with a quarter more 250, instead of 500 for 50 m; the modules cost what they cost."""
    stock = bought_for(joints((SR,)), alone(1), 1, [20_000])
    made = bought_for(joints((SR,)), alone(1), 1, [20_000], custom_length=CUSTOM)
    assert (stock.price_cents[0], made.price_cents[0], made.stock_mm[0]) == (500 + 4002, 250 + 4002, 20_000)


ladders = st.lists(st.tuples(st.integers(1, 40), st.integers(0, 30)), min_size=1, max_size=5, unique_by=lambda step: step[0])


def ladder(steps):
    stock = tuple(100 * s for s, _ in sorted(steps))
    return stock, tuple(np.cumsum([p for _, p in sorted(steps)]).tolist())


@given(ladders, st.integers(0, 6000), st.integers(0, 6000), st.sampled_from(["price", "power", "delay"]), st.booleans())
def test_a_longer_run_is_never_cheaper_and_custom_never_longer(steps, run, more, prefer, made):
    stock, price = ladder(steps)
    dac = part("dac", stock, price, reach=stock[-1] + 777)
    custom = CUSTOM if made else None
    (short, long), (cheap, expensive) = length_bought(dac, [run, run + more], prefer, custom)
    if long:
        assert run <= short <= long
        assert run + more <= long <= dac.reach_mm
        # With delay as objective an expensive short cable made to order may be best.
        assert cheap <= expensive or (made and prefer == "delay")
    assert (long == 0) == (run + more > longest_mm(dac, custom))
    plain = length_bought(dac, [run], prefer)[0][0]
    if plain:
        assert short <= plain
        assert length_bought(dac, [run], "price", custom)[1][0] <= length_bought(dac, [run], "price")[1][0]


# -- against trying everything ----------------------------------------------------------------


@st.composite
def cases(draw):
    """Up to five rows between a few twin-port cages, some of which fill two cages together."""
    rows, sockets, share = [], {}, []
    if draw(st.booleans()):
        rows, share = [(100, 200)] * 2, [0, 0]
    for _ in range(draw(st.integers(1, 3))):
        free = [number for number in range(4) if sockets.get(number, 0) < 2]
        if len(free) < 2:
            break
        a, b = draw(st.permutations(free))[:2]
        sockets[a], sockets[b] = sockets.get(a, 0) + 1, sockets.get(b, 0) + 1
        rows.append((a, b))
        share.append(-1)
    run = draw(st.lists(st.integers(1, 45), min_size=len(rows), max_size=len(rows)))
    parts = []
    for number in range(draw(st.integers(1, 3))):
        stock, price = ladder(draw(ladders))
        module = draw(st.sampled_from(["", "m", "n"]))
        cents, mw = {"": (0, draw(st.integers(0, 9))), "m": (21, 5), "n": (10, 8)}[module]
        parts.append(
            optic(f"p{number}", stock, price, module, cents, mw) if module else part(f"p{number}", stock, price, power=mw)
        )
    twins = (part("twin", *ladder(draw(ladders)), power=2, links=2, end_power_mw=3),) if draw(st.booleans()) else ()
    return cages(rows, share), joints(tuple(parts), shared=twins), [100 * length for length in run]


def buys(assembly, run):
    return [(s, c) for s, c in zip(assembly.stock_mm, assembly.length_cents, strict=True) if run <= s <= assembly.reach_mm]


def tried(where, parts, run, prefer):
    """Minimum measure and price over all purchases, by exhaustive search; None when there is none."""
    rows, sockets = range(len(run)), where.socket.tolist()
    in_socket = {number: [row for row in rows if number in sockets[row]] for number in np.unique(where.socket).tolist()}
    found = []
    for choice in product(parts[0].assemblies, repeat=len(run)):
        twin = [row for row in rows if choice[row].links == 2]
        if any(where.share[row] < 0 for row in twin):
            continue
        if any((choice[row].links == 2) != (choice[row + 1].links == 2) for row in rows if row + 1 in rows and
               where.share[row] >= 0 and where.share[row] == where.share[row + 1]):  # fmt: skip
            continue
        if any(len({choice[row].end_part for row in there}) > 1 or (len(there) > 1 and not choice[there[0]].end_part
               and choice[there[0]].links == 1) for there in in_socket.values()):  # fmt: skip
            continue
        cents = power = delay = 0
        for row in rows:
            made = choice[row]
            lead = made.links == 1 or row == min(r for r in rows if where.share[r] == where.share[row])
            length = max(run[r] for r in rows if where.share[r] == where.share[row]) if made.links == 2 else run[row]
            offers = buys(made, length)
            if not offers:
                break
            stock, price = offers[0]
            cents += price * lead
            power += 0 if made.end_part else 2 * made.ends[0].power_mw * lead
            delay += stock * made.delay_ps_per_m + 2000 * made.delay_end_ps
        else:
            modules = [choice[there[0]].ends[0] for there in in_socket.values() if choice[there[0]].end_part]
            cents += sum(end.price_cents for end in modules)
            power += sum(end.power_mw for end in modules)
            found.append(({"price": cents, "power": power, "delay": delay}[prefer], cents))
    return min(found, default=None)


@pytest.mark.slow
@given(cases(), st.sampled_from(["price", "power", "delay"]))
def test_nothing_better_can_be_bought(case, prefer):
    where, parts, run = case
    best = tried(where, parts, run, prefer)
    try:
        bought = bought_for(parts, where, len(run), run, prefer=prefer)
    except Infeasible:
        assert best is None
        return
    made = [bought.assemblies[number] for number in bought.assembly]
    delay = sum(int(stock) * a.delay_ps_per_m + 2000 * a.delay_end_ps for stock, a in zip(bought.stock_mm, made, strict=True))
    total = int(bought.price_cents.sum())
    assert ({"price": total, "power": int(bought.power_mw.sum()), "delay": delay}[prefer], total) == best


@given(cases())
def test_row_prices_add_up_to_what_is_bought(case):
    where, parts, run = case
    try:
        bought = bought_for(parts, where, len(run), run)
    except Infeasible:
        return
    frugal = bought_for(parts, where, len(run), run, prefer="power")
    assert frugal.power_mw.sum() <= bought.power_mw.sum()
    made = [bought.assemblies[number] for number in bought.assembly]
    total = 0
    for piece in range(bought.piece.max() + 1):
        rows = np.flatnonzero(bought.piece == piece)
        assert len(rows) in (1, made[rows[0]].carries)
        assert len({(made[row].id, int(bought.stock_mm[row])) for row in rows}) == 1
        assert len(np.unique(where.socket[rows])) == 2
        total += dict(zip(made[rows[0]].stock_mm, made[rows[0]].length_cents, strict=True))[int(bought.stock_mm[rows[0]])]
        assert all(bought.stock_mm[row] >= run[row] for row in rows)
    for socket in np.unique(where.socket):
        rows, ends = np.nonzero(where.socket == socket)
        parts_there = {made[row].end_part for row in rows}
        assert len(parts_there) == 1
        assert bought.modules[rows, ends].sum() == (parts_there != {""})
        total += made[rows[0]].ends[0].price_cents
    assert bought.price_cents.sum() == total
    assert list(dict.fromkeys(bought.piece.tolist())) == list(range(bought.piece.max() + 1))
