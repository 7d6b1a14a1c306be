"""Moves: the minimum of them, safe in their order, and the right plugs."""

import itertools
import json
import random
from collections import deque
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared.miscabling import FAMILIES, Crew, connection, found, miscabled, of_topology, planned, schedule

from planner.fabric.verify.compare import compared, sorted_pair
from planner.fabric.verify.repair import applied, flipped, repaired
from planner.fabric.verify.result import KINDS, Evidence, Located, Plugged
from planner.view import schedule as schedules

DATA = Path(__file__).parents[1] / "data" / "verify"
SETS = ("sf-clean", "sf-mixed", "sf-device-swap")


def mended(rows, located, evidence=None, **options):
    """Compare and repair; whatever it is, the moves must give the plan, in a safe order."""
    difference = compared(rows, located)
    repair = repaired(difference, rows, evidence, **options)
    after = applied(located, repair.moves, repair.removals, repair.additions)
    assert planned(rows) >= set(after.links) - set(difference.exchanged)
    again = compared(rows, after)
    assert not again.components
    crew = Crew(located)
    crew.take_out(repair.removals)
    assert crew.follow(repair.moves) <= set(after.links)
    assert crew.down <= 2
    assert [move.order for move in repair.moves] == list(range(1, len(repair.moves) + 1))
    assert {one.kind for one in repair.findings} <= KINDS.keys()
    return difference, repair


# -- dev sets ---------------------------------------------------------------------------------


def key_of(name):
    """Return plan, fabric and key of a set; the ports of endpoints are those of the plan."""
    rows = schedules.read(DATA / "plan-slimfly-200.csv")
    key = json.loads((DATA / name / "answer.json").read_text())
    port = {row.b.device: row.b.port for row in rows if row.kind == "endpoint"}

    def link(ports):
        return sorted_pair(*(Plugged(device, port.get(device, number)) for device, number in ports))

    key["wrong"], key["dark"] = {link(one) for one in key["wrong"]}, {link(one) for one in key["dark"]}
    taken = {one for ports in key["wrong"] for one in ports}
    links = {one for one in planned(rows) - key["dark"] if taken.isdisjoint(one)} | key["wrong"]
    return rows, Located(dict.fromkeys(links, "")), key


@pytest.mark.parametrize("name", SETS)
def test_counts_and_plugs_are_those_of_the_key(name):
    rows, located, key = key_of(name)
    difference, repair = mended(rows, located)
    assert len(difference.right) == key["right"]
    assert set(difference.wrong) == key["wrong"]
    assert set(difference.dark) == key["dark"]
    assert not difference.unknown
    assert len(repair.moves) == key["min_plug_moves"]
    assert len(repair.removals) == key["cables_to_remove"]
    assert len(repair.additions) == key["cables_to_add_or_revive"]
    truth = {(one["label"], one["cable"], one["end"].lower(), *one["is_in"], *one["should_be"]) for one in key["misplaced_plugs"]}
    chosen = {
        (move.label, move.cable, move.end, move.device, move.from_port, move.to_device, move.to_port) for move in repair.moves
    }
    assert chosen == truth


def test_kinds_of_the_mixed_set():
    rows, located, key = key_of("sf-mixed")
    _, repair = mended(rows, located)
    planted = {"swap_local": "swapped pair", "swap_cabinet": "swapped pair", "cycle3": "cycle", "swap_hosts": "exchanged hosts",
               "missing": "missing", "half": "missing", "dead": "missing", "free_port": "wrong port, free",
               "shift": "shifted block", "extra": "extra"}  # fmt: skip
    wanted = sorted((planted[one["kind"]], tuple(one["cables"])) for one in key["errors"] if one["kind"] in planted)
    assert sorted((one.kind, one.cables) for one in repair.findings) == wanted


# -- one component of each shape --------------------------------------------------------------


def test_nothing_to_do():
    rows = schedule((("R1", 1), ("R2", 1)))
    difference, repair = mended(rows, found([(("R2", 1), ("R1", 1))]))
    assert (len(difference.right), repair.moves, repair.findings) == (1, [], [])


def test_swapped_pair_on_one_switch():
    rows = schedule((("R1", 1), ("R2", 1)), (("R1", 2), ("R3", 1)))
    difference, repair = mended(rows, found([(("R1", 2), ("R2", 1)), (("R1", 1), ("R3", 1))]))
    assert len(difference.wrong) == 2
    assert {(move.device, move.from_port, move.to_port, move.label) for move in repair.moves} == {
        ("R1", 2, 1, "1a"),
        ("R1", 1, 2, "2a"),
    }
    assert [move.hold for move in repair.moves] == [True, False]
    assert [one.kind for one in repair.findings] == ["swapped pair"]
    assert repair.findings[0].moves == (1, 2)


def test_the_other_reading_after_a_scan():
    rows = schedule((("R1", 1), ("R2", 1)), (("R1", 2), ("R3", 1)))
    located = found([(("R1", 2), ("R2", 1)), (("R1", 1), ("R3", 1))])
    difference, repair = mended(rows, located)
    other = flipped(repair, repair.moves[0].component, difference, rows)
    assert {(move.device, move.to_device) for move in other.moves} == {("R2", "R3"), ("R3", "R2")}
    assert planned(rows) == set(applied(located, other.moves, [], []).links)
    assert flipped(other, 1, difference, rows).moves == repair.moves


@pytest.mark.parametrize("length", [3, 4, 7])
def test_cycles_hold_one_plug(length):
    rows = schedule(*(((f"C{n}-R1", 1), ("C9-R9", n + 1)) for n in range(length)))
    turned = [((f"C{n}-R1", 1), ("C9-R9", (n + 1) % length + 1)) for n in range(length)]
    _, repair = mended(rows, found(turned))
    assert [move.hold for move in repair.moves] == [True] + [False] * (length - 1)
    assert {move.device for move in repair.moves} == {"C9-R9"}
    assert [one.kind for one in repair.findings] == ["cycle"]


def test_a_free_port():
    rows = schedule((("R1", 1), ("R2", 1)))
    _, repair = mended(rows, found([(("R1", 5), ("R2", 1))]))
    (move,) = repair.moves
    assert (move.device, move.from_port, move.to_port, move.certainty) == ("R1", 5, 1, "certain")
    assert [one.kind for one in repair.findings] == ["wrong port, free"]


def test_a_shifted_block_starts_at_the_dark_port():
    rows = schedule(*((("R1", n), (f"R{n + 1}", 1)) for n in range(1, 5)))
    _, repair = mended(rows, found([(("R1", n + 1), (f"R{n + 1}", 1)) for n in range(1, 5)]))
    assert [(move.from_port, move.to_port) for move in repair.moves] == [(2, 1), (3, 2), (4, 3), (5, 4)]
    assert [one.kind for one in repair.findings] == ["shifted block"]


def test_a_missing_cable_in_a_chain_has_several_readings():
    """R1-1 is dark, its cable is in R1-2 or missing; planned 1: R1-1 R2-1, 2: R1-2 R3-1; found R1-2 R2-1."""
    rows = schedule((("R1", 1), ("R2", 1)), (("R1", 2), ("R3", 1)))
    located = found([(("R1", 2), ("R2", 1))])
    difference, repair = mended(rows, located)
    assert (len(difference.wrong), difference.dark) == (1, [])
    assert [(move.device, move.from_port, move.to_port) for move in repair.moves] == [("R1", 2, 1)]
    assert [one.cable for one in repair.additions] == [2]
    assert sorted(one.kind for one in repair.findings) == ["missing", "wrong far port"]
    # The cable hangs in its own dark port: the link found is the other cable.
    _, other = mended(rows, located, Evidence(plugs=frozenset({Plugged("R1", 1)})))
    assert [(move.device, move.to_device) for move in other.moves] == [("R2", "R3")]
    assert other.moves[0].certainty == "serial or label"
    assert [(one.cable, one.what.split(":")[0]) for one in other.additions] == [(1, "half plugged")]


def test_one_cable_too_many_in_a_chain():
    rows = schedule((("R1", 1), ("R2", 1)))
    difference, repair = mended(rows, found([(("R1", 1), ("R3", 7)), (("R2", 1), ("R1", 8))]))
    assert (len(difference.wrong), len(repair.moves), len(repair.removals)) == (2, 1, 1)
    assert [(move.device, move.from_port, move.to_port) for move in repair.moves] == [("R1", 8, 1)]
    assert sorted(one.kind for one in repair.findings) == ["extra", "wrong far port"]


def test_an_extra_cable_may_serve_as_a_missing_one():
    rows = schedule((("R1", 1), ("R2", 1)), (("R3", 1), ("R4", 1)))
    located = found([(("R3", 1), ("R4", 1)), (("R5", 1), ("R6", 1))])
    _, repair = mended(rows, located)
    assert [one.kind for one in repair.findings] == ["extra", "missing"]
    assert len(repair.suggestions) == 1
    _, short = mended(rows, located, Evidence(reach_mm={Plugged("R5", 1): 2_000}))
    assert not short.suggestions
    _, itself = mended(rows, located, Evidence(cable={Plugged("R5", 1): (1, 0)}))
    assert itself.removals[0].cable == 1
    assert "cable 1:" in itself.suggestions[0]


# -- kinds ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("evidence", "dark", "kind"),
    [
        (Evidence(), {}, "missing"),
        (Evidence(plugs=frozenset({Plugged("R9", 9)})), {}, "missing"),
        (Evidence(plugs=frozenset({Plugged("R1", 1)})), {}, "half plugged"),
        (Evidence(plugs=frozenset({Plugged("R1", 1), Plugged("R2", 1)})), {}, "no light"),
        (
            Evidence(
                plugs=frozenset({Plugged("R1", 1), Plugged("R2", 1)}),
                joined={Plugged("R1", 1): Plugged("R7", 3), Plugged("R7", 3): Plugged("R1", 1)},
            ),
            {},
            "half plugged",
        ),
        (Evidence(), {Plugged("R1", 1): "disabled"}, "admin down"),
        (Evidence(), {Plugged("R1", 1): "polling"}, "missing"),
    ],
)
def test_kinds_of_dark_links(evidence, dark, kind):
    rows = schedule((("R1", 1), ("R2", 1)))
    _, repair = mended(rows, found([], dark=dark), evidence)
    assert [one.kind for one in repair.findings] == [kind]
    assert [one.cable for one in repair.additions] == [1]
    assert repair.additions[0].what.startswith(kind)


def test_a_node_with_two_rails():
    rows = schedule((("R1", 1), ("E1", 1)), (("R2", 1), ("E1", 2)), kind="endpoint")
    _, repair = mended(rows, found([(("R1", 1), ("E1", 2)), (("R2", 1), ("E1", 1))]))
    assert [one.kind for one in repair.findings] == ["swapped rails"]
    assert {move.device for move in repair.moves} == {"E1"}


def test_nodes_of_one_router():
    rows = schedule((("R1", 1), ("E1", 1)), (("R1", 2), ("E2", 1)), kind="endpoint")
    _, repair = mended(rows, found([(("R1", 1), ("E2", 1)), (("R1", 2), ("E1", 1))]))
    assert [one.kind for one in repair.findings] == ["exchanged hosts"]
    assert {move.device for move in repair.moves} == {"R1"}


def test_slow_links():
    rows = schedule((("R1", 1), ("R2", 1)))
    link = (Plugged("R1", 1), Plugged("R2", 1))
    _, repair = mended(rows, found([link], slow={link: "1x instead of 4x"}))
    assert [(one.kind, one.cables) for one in repair.findings] == [("slow", (1,))]


def test_silent_and_unknown_devices():
    rows = schedule((("R1", 1), ("R2", 1)), (("R1", 2), ("R3", 1)), (("R4", 1), ("R5", 1)))
    located = found([], unknown=frozenset({"R1"}), foreign=[(Plugged("R4", 1), "switch 00ff"), (None, "two others")])
    difference, repair = mended(rows, located)
    assert (len(difference.unknown), len(difference.dark)) == (2, 1)
    assert [(one.kind, one.cables) for one in repair.findings] == [
        ("missing", (3,)),
        ("unknown device", (3,)),
        ("device silent", (1, 2)),
    ]
    assert repair.removals[0].ports == (Plugged("R4", 1), Plugged("switch 00ff", 0))


def test_a_wrong_link_at_the_far_end_of_a_silent_device():
    """What is planned to a silent device may be moved: its port is taken as dark."""
    rows = schedule((("R1", 1), ("R2", 1)), (("R3", 1), ("R4", 1)))
    difference, repair = mended(rows, found([(("R2", 1), ("R3", 9))], unknown=frozenset({"R1"})))
    assert (len(difference.wrong), len(difference.dark), len(difference.unknown)) == (1, 1, 0)
    assert [(move.device, move.to_device) for move in repair.moves] == [("R3", "R1")]


# -- plugs with several links -----------------------------------------------------------------


def twins(*cables):
    """Return a schedule of cables with two links each, between cages of two devices."""
    rows = []
    for (a, cage_a), (b, cage_b) in cables:
        first = len(rows) + 1
        for lane in (1, 2):
            ends = Plugged(a, 2 * cage_a - 2 + lane), Plugged(b, 2 * cage_b - 2 + lane)
            names = {"printed_a": f"{cage_a}/{lane}", "printed_b": f"{cage_b}/{lane}"}
            rows.append(connection(len(rows) + 1, *ends, piece=first, **names))
    return rows


def test_a_twin_plug_moves_once():
    rows = twins((("R1", 1), ("R2", 1)), (("R1", 2), ("R3", 1)))
    moved = [(("R1", 5), ("R2", 1)), (("R1", 6), ("R2", 2)), (("R1", 3), ("R3", 1)), (("R1", 4), ("R3", 2))]
    difference, repair = mended_lanes(rows, found(moved))
    assert len(difference.wrong) == 2
    (move,) = repair.moves
    assert (move.from_port, move.to_port, move.lanes) == (5, 1, ((6, 2),))
    assert [one.kind for one in repair.findings] == ["wrong port, free"]


def test_two_twin_plugs_exchanged():
    rows = twins((("R1", 1), ("R2", 1)), (("R1", 2), ("R3", 1)))
    swapped = [(("R1", 3), ("R2", 1)), (("R1", 4), ("R2", 2)), (("R1", 1), ("R3", 1)), (("R1", 2), ("R3", 2))]
    difference, repair = mended_lanes(rows, found(swapped))
    assert (len(difference.wrong), len(repair.moves), len(repair.findings)) == (4, 2, 1)
    assert {move.device for move in repair.moves} == {"R1"}


def test_lanes_permuted_inside_a_cable_need_no_move():
    rows = twins((("R1", 1), ("R2", 1)))
    crossed = found([(("R1", 1), ("R2", 2)), (("R1", 2), ("R2", 1))])
    for strict in (True, False):
        difference = compared(rows, crossed, strict=strict)
        repair = repaired(difference, rows)
        assert (repair.moves, [one.kind for one in repair.findings]) == ([], ["lane order"]), strict


def test_a_missing_twin_cable_is_one_cable():
    rows = twins((("R1", 1), ("R2", 1)), (("R1", 2), ("R3", 1)))
    difference, repair = mended_lanes(rows, found([(("R1", 3), ("R3", 1)), (("R1", 4), ("R3", 2))]))
    assert (len(difference.dark), len(repair.additions), len(repair.findings)) == (2, 1, 1)


def splitter(at=("R1", 1), nodes=("E1", "E2", "E3", "E4"), first=1):
    """Return a schedule of one cable with a plug of four links and four plugs of one."""
    name, cage = at
    return [
        connection(
            first + lane, Plugged(name, 4 * cage - 3 + lane), Plugged(node, 1), piece=first, printed_a=f"{cage}/{lane + 1}"
        )
        for lane, node in enumerate(nodes)
    ]


def test_the_trunk_plug_of_a_splitter_moves_once():
    rows = splitter()
    _, repair = mended_lanes(rows, found([(("R1", 9 + lane), (f"E{lane + 1}", 1)) for lane in range(4)]))
    (move,) = repair.moves
    assert (move.from_port, move.to_port, move.lanes) == (9, 1, ((10, 2), (11, 3), (12, 4)))


def test_exchanged_trunk_plugs_of_two_splitters():
    """Two plugs move, not eight of the branches."""
    rows = splitter() + splitter(("R1", 2), ("F1", "F2", "F3", "F4"), 5)
    swapped = [(("R1", 5 + lane), (f"E{lane + 1}", 1)) for lane in range(4)] + [
        (("R1", 1 + lane), (f"F{lane + 1}", 1)) for lane in range(4)
    ]
    _, repair = mended_lanes(rows, found(swapped))
    assert [(move.from_port, move.to_port) for move in repair.moves] == [(5, 1), (1, 5)]


def test_exchanged_branches_of_a_splitter():
    rows = splitter()
    links = [(("R1", 1), ("E2", 1)), (("R1", 2), ("E1", 1)), (("R1", 3), ("E3", 1)), (("R1", 4), ("E4", 1))]
    _, repair = mended_lanes(rows, found(links))
    assert {(move.device, move.to_device) for move in repair.moves} == {("E1", "E2"), ("E2", "E1")}


def test_one_branch_of_a_splitter_is_out():
    rows = splitter()
    _, repair = mended_lanes(rows, found([(("R1", 1 + lane), (f"E{lane + 1}", 1)) for lane in range(3)]))
    assert [one.cable for one in repair.additions] == [4]
    _, none = mended_lanes(rows, found([]))
    assert [(one.cable, len(one.lanes)) for one in none.additions] == [(1, 3)]
    _, half = mended_lanes(rows, found([(("R1", 1 + lane), (f"E{lane + 1}", 1)) for lane in range(2)]))
    assert [one.cable for one in half.additions] == [3, 4]


def mended_lanes(rows, located):
    difference = compared(rows, located)
    repair = repaired(difference, rows)
    after = applied(located, repair.moves, repair.removals, repair.additions)
    assert set(after.links) == planned(rows)
    return difference, repair


# -- which reading ----------------------------------------------------------------------------


def test_serials_and_labels_decide_first():
    rows = schedule((("R1", 1), ("C1-R2", 1)), (("R1", 2), ("C2-R3", 1)))
    located = found([(("R1", 2), ("C1-R2", 1)), (("R1", 1), ("C2-R3", 1))])
    evidence = Evidence(cable={Plugged("R1", 2): (2, 0)})
    _, repair = mended(rows, located, evidence)
    assert {move.device for move in repair.moves} == {"C1-R2", "C2-R3"}
    assert {move.certainty for move in repair.moves} == {"serial or label"}


def test_lengths_decide_before_cabinets():
    """The plugs in R1 are as planned: cable 1 is too short to be in the far cabinet."""
    rows = [
        connection(1, Plugged("R1", 1), Plugged("C1-R2", 1), stock_mm=3_000, run_mm=2_500),
        connection(2, Plugged("R1", 2), Plugged("C1-R3", 1), stock_mm=9_000, run_mm=8_000),
    ]
    located = found([(("R1", 2), ("C1-R2", 1)), (("R1", 1), ("C1-R3", 1))])
    read = {Plugged("R1", 1): 3_000, Plugged("R1", 2): 9_000}
    _, repair = mended(rows, located, Evidence(reach_mm=read))
    assert {move.device for move in repair.moves} == {"C1-R2", "C1-R3"}


def test_a_cable_that_cannot_reach_is_not_blamed():
    """Kept at R1, cable 1 would span C0 to C2, which no cable of 3 m does: its plug at R1 is the wrong one, or none fits."""
    rows = [
        connection(1, Plugged("C0-R1", 1), Plugged("C1-R2", 1), stock_mm=3_000, run_mm=2_500),
        connection(2, Plugged("C0-R1", 2), Plugged("C2-R3", 1), stock_mm=9_000, run_mm=8_000),
    ]
    located = found([(("C0-R1", 2), ("C1-R2", 1)), (("C0-R1", 1), ("C2-R3", 1))])
    _, repair = mended(rows, located)
    assert {(move.device, move.certainty) for move in repair.moves} == {("C0-R1", "length")}


def test_plugs_stay_in_their_cabinet():
    rows = schedule((("C1-R1", 1), ("C3-R3", 1)), (("C1-R2", 1), ("C4-R4", 1)))
    _, repair = mended(rows, found([(("C1-R2", 1), ("C3-R3", 1)), (("C1-R1", 1), ("C4-R4", 1))]))
    assert {(move.device, move.to_device) for move in repair.moves} == {("C1-R1", "C1-R2"), ("C1-R2", "C1-R1")}
    assert {move.certainty for move in repair.moves} == {"cabinet"}


def test_a_plug_without_light_in_the_target_is_named():
    rows = schedule((("R1", 1), ("R2", 1)))
    _, repair = mended(rows, found([(("R1", 5), ("R2", 1))]), Evidence(plugs=frozenset({Plugged("R1", 1)})))
    assert "take it out first" in repair.moves[0].else_
    assert repair.moves[0].certainty != "certain"


# -- cables that are not interchangeable ------------------------------------------------------


def test_cables_of_the_wrong_length_are_exchanged():
    """Both readings of the swap put a 3 m cable where 8 m are needed: the cables themselves must change places."""
    rows = [
        connection(1, Plugged("R1", 1), Plugged("R2", 1), stock_mm=3_000, run_mm=2_500),
        connection(2, Plugged("R1", 2), Plugged("R3", 1), stock_mm=9_000, run_mm=8_000),
        connection(3, Plugged("R4", 1), Plugged("R5", 1), stock_mm=9_000, run_mm=8_000),
    ]
    located = found([(("R1", 2), ("R2", 1)), (("R1", 1), ("R3", 1)), (("R4", 1), ("R5", 1))])
    _, repair = mended(rows, located)
    assert len(repair.moves) == 2
    # The cable at R2 is the short one: it stays at R2. Read from the other end, the long one does.
    for at, device in (("R2", "R1"), ("R3", "R1")):
        reach = (
            {Plugged("R2", 1): 3_000, Plugged("R3", 1): 9_000}
            if at == "R2"
            else {Plugged("R2", 1): 9_000, Plugged("R3", 1): 3_000}
        )
        _, repair = mended(rows, located, Evidence(reach_mm=reach))
        moved = {(move.device, move.to_device) for move in repair.moves}
        assert moved == ({("R1", "R1")} if at == "R2" else {("R2", "R3"), ("R3", "R2")}), device
        assert len(repair.moves) == 2


def three_long_links(lengths):
    """Return plan and fabric of a cycle of three links of 8 m, and the lengths read at R2, R3 and R4."""
    rows = [connection(n, Plugged("R1", n), Plugged(f"R{n + 1}", 1), stock_mm=9_000, run_mm=8_000) for n in (1, 2)]
    rows.append(connection(3, Plugged("R1", 3), Plugged("R4", 1), stock_mm=3_000, run_mm=2_500))
    located = found([(("R1", 2), ("R2", 1)), (("R1", 3), ("R3", 1)), (("R1", 1), ("R4", 1))])
    return rows, located, Evidence(reach_mm={Plugged(f"R{n}", 1): length for n, length in zip((2, 3, 4), lengths, strict=True)})


def test_a_cycle_with_a_short_cable_in_each_position():
    """One of three cables is short; it must serve link 3, whatever plugs that takes, and no more than needed move."""
    for lengths, moves in (((9_000, 9_000, 3_000), 3), ((9_000, 3_000, 9_000), 3), ((3_000, 9_000, 9_000), 4)):
        rows, located, evidence = three_long_links(lengths)
        _, repair = mended(rows, located, evidence)
        assert len(repair.moves) == moves, lengths
        assert (repair.removals, repair.additions) == ([], [])
        assert sum(len(one.moves) for one in repair.findings) == moves or moves == 4
        assert "cycle" in {one.kind for one in repair.findings}


def test_cables_that_are_too_short_for_all_links_are_replaced():
    rows, located, evidence = three_long_links((3_000, 3_000, 9_000))
    _, repair = mended(rows, located, evidence)
    assert (len(repair.removals), len(repair.additions)) == (1, 1)
    assert "extra" in {one.kind for one in repair.findings}


def test_two_components_exchange_their_cables():
    """Each pair of swapped plugs has cables of the wrong length; those of the other pair fit."""
    rows, up, reach = [], [], {}
    for first, length, other in ((1, 9_000, 3_000), (3, 3_000, 9_000)):
        for n in (first, first + 1):
            a, b = Plugged(f"A{first}", n), Plugged(f"B{n}", 1)
            rows.append(connection(n, a, b, stock_mm=length, run_mm=length - 500))
            up.append((Plugged(f"A{first}", 2 * first + 1 - n), b))
            reach[b] = other
    _, repair = mended(rows, found(up), Evidence(reach_mm=reach))
    assert (repair.additions, repair.removals) == ([], [])
    assert len(repair.moves) == 8


# -- order ------------------------------------------------------------------------------------


def test_order_follows_cabinets_and_crews():
    rows = schedule(*(((f"C{n}-R1", 1), (f"C{n}-R2", 1)) for n in range(6)))
    located = found([((f"C{n}-R1", 4), (f"C{n}-R2", 1)) for n in range(6)])
    _, repair = mended(rows, located, crews=2)
    assert [(move.device, move.crew) for move in repair.moves] == [(f"C{n}-R1", 1 + n // 3) for n in range(6)]
    _, back = mended(rows, located, cabinets=[f"C{n}" for n in reversed(range(6))], crews=3)
    assert [(move.device, move.crew) for move in back.moves] == [(f"C{n}-R1", 3 - n // 2) for n in reversed(range(6))]


@pytest.mark.slow
def test_the_network_stays_connected_whenever_an_order_exists():
    """Every order of components, followed plug by plug: the one given divides the network only if all do."""
    divided = 0
    for seed in range(150):
        rows = ring(6, seed)
        located = permuted(rows, seed)
        difference = compared(rows, located)
        repair = repaired(difference, rows)
        assert not repair.removals
        devices = {end.device for row in rows for end in row.ends}
        jobs = [[move for move in repair.moves if move.component == one] for one in {move.component for move in repair.moves}]

        def safe(moves, located=located, devices=devices):
            crew = Crew(located, watch=devices)
            assert crew.follow(moves)
            return not crew.divided

        any_order = any(safe([move for job in order for move in job]) for order in itertools.permutations(jobs))
        assert safe(repair.moves) == any_order, seed
        assert bool(repair.notes) == (not any_order), seed
        divided += not any_order
    assert 0 < divided < 150


def ring(size, seed):
    """Return a ring with some chords: a network that few links hold together."""
    chance = random.Random(seed)
    pairs = [(one, (one + 1) % size) for one in range(size)] + [tuple(chance.sample(range(size), 2)) for _ in range(3)]
    ports = [0] * size
    links = []
    for pair in pairs:
        for one in pair:
            ports[one] += 1
        links.append(tuple((f"R{one}", ports[one]) for one in pair))
    return schedule(*links)


def permuted(rows, seed):
    """Return the fabric after two or three swaps of plugs of different cables."""
    chance = random.Random(seed)
    cables = [[Plugged(row.a.device, row.a.port), Plugged(row.b.device, row.b.port)] for row in rows]
    numbers = chance.sample(range(len(cables)), 6)
    for one, other in zip(numbers[::2], numbers[1::2], strict=True):
        cables[one][0], cables[other][0] = cables[other][0], cables[one][0]
    return found([cable for cable in cables if cable[0].device != cable[1].device])


# -- the minimum ------------------------------------------------------------------------------


def minimum_by_search(plan, links):
    """Return the minimum of moved plugs, cables taken out and cables put in, by breadth-first search over plugs.

    A state is the cables by their ports, and the ports of cables whose other plug is in a hand; there are two hands.
    """
    ports = sorted({port for link in [*plan, *links] for port in link})
    goal, start = (frozenset(plan), ()), (frozenset(links), ())
    queue, best = deque([(start, 0)]), {start: 0}
    while queue:
        (state, hands), cost = queue.popleft()
        if (state, hands) == goal:
            return cost
        if cost > best[state, hands]:
            continue
        free = set(ports) - {port for link in state for port in link} - set(hands)
        reached = [((state - {link}, hands), 1) for link in state]
        reached += [((state | {pair}, hands), 1) for pair in itertools.combinations(sorted(free), 2)]
        if len(hands) < 2:
            reached += [((state - {link}, tuple(sorted((*hands, kept)))), 0) for link in state for kept in link]
        for kept in hands:
            left = list(hands)
            left.remove(kept)
            reached += [((state | {sorted_pair(kept, target)}, tuple(left)), 1) for target in free]
        for follower, step in reached:
            if cost + step < best.get(follower, 99):
                best[follower] = cost + step
                (queue.append if step else queue.appendleft)((follower, cost + step))
    raise AssertionError("no moves give the plan")


def minimum_by_assignment(plan, links):
    """Return the same minimum over all assignments of found cables to planned links, without regard to any order."""

    def best(left, cables):
        if not cables:
            return len(left)
        (a, b), *rest = cables
        costs = [1 + best(left, rest)]
        for link in left:
            apart = min((a != link[0]) + (b != link[1]), (a != link[1]) + (b != link[0]))
            costs.append(apart + best(left - {link}, rest))
        return min(costs)

    return best(frozenset(plan), list(links))


def matching(chance, ports, links):
    picked = chance.sample(range(ports), 2 * links)
    return [sorted_pair(Plugged(f"R{a}", 1), Plugged(f"R{b}", 1)) for a, b in zip(picked[::2], picked[1::2], strict=True)]


def small_case(seed, ports, cables):
    """Return a plan and a fabric with up to some cables on some ports."""
    chance = random.Random(seed)
    return [matching(chance, ports, chance.randint(1, cables)) for _ in range(2)]


def count(plan, links):
    _, repair = mended(schedule(*plan), found(links))
    return len(repair.moves) + len(repair.removals) + len(repair.additions)


@pytest.mark.slow
def test_moves_are_those_of_exhaustive_search():
    for seed in range(250):
        plan, links = small_case(seed, 6, 3)
        assert count(plan, links) == minimum_by_search(plan, links), seed


@pytest.mark.slow
def test_moves_are_those_of_all_assignments():
    for seed in range(400):
        plan, links = small_case(seed, 11, 5)
        assert count(plan, links) == minimum_by_assignment(plan, links), seed


@pytest.mark.nightly
def test_moves_are_those_of_exhaustive_search_in_thousands_of_cases():
    for seed in range(4_000):
        plan, links = small_case(seed, 11, 5)
        assert count(plan, links) == minimum_by_assignment(plan, links), seed
    for seed in range(300):
        plan, links = small_case(seed, 8, 4)
        assert count(plan, links) == minimum_by_search(plan, links), seed


ports = st.lists(st.tuples(st.sampled_from(["R1", "R2", "R3", "C1-R4", "C2-E5"]), st.integers(1, 6)), unique=True, max_size=24)


def paired(flat):
    return [sorted_pair(Plugged(*a), Plugged(*b)) for a, b in zip(flat[::2], flat[1::2], strict=False)]


@given(ports, ports, st.booleans())
def test_moves_of_any_fabric_give_the_plan(plan, links, strict):
    rows, located = schedule(*paired(plan)), found(paired(links))
    difference = compared(rows, located, strict=strict)
    repair = repaired(difference, rows)
    surplus = sum(one.shape == "found at both ends" for one in difference.components)
    assert len(repair.moves) == len(difference.wrong) - surplus
    assert len(repair.removals) == surplus
    after = applied(located, repair.moves, repair.removals, repair.additions)
    if strict:
        assert set(after.links) == planned(rows)
    assert not compared(rows, after, strict=strict).components
    crew = Crew(located)
    crew.take_out(repair.removals)
    crew.follow(repair.moves)
    assert crew.down <= 2


@given(ports, ports, st.data())
def test_any_reading_of_any_component_gives_the_plan(plan, links, data):
    rows, located = schedule(*paired(plan)), found(paired(links))
    difference = compared(rows, located, strict=True)
    turned = {number: data.draw(st.integers(0, 9)) for number in range(1, len(difference.components) + 1)}
    repair = repaired(difference, rows, turned=turned)
    assert set(applied(located, repair.moves, repair.removals, repair.additions).links) == planned(rows)
    assert len(repair.moves) == len(repaired(difference, rows).moves)


@pytest.mark.slow
@given(ports, ports, st.randoms(use_true_random=False))
def test_order_of_rows_and_links_does_not_matter(plan, links, chance):
    rows, pairs = schedule(*paired(plan)), paired(links)
    first = repaired(compared(rows, found(pairs)), rows)
    chance.shuffle(rows)
    chance.shuffle(pairs)
    again = repaired(compared(rows, found(pairs)), rows)
    assert (again.moves, again.removals, again.additions) == (first.moves, first.removals, first.additions)
    assert again.findings == first.findings


def test_a_missing_link_that_another_cable_serves_is_not_added():
    """A chain is assigned by itself, and then one of its links gets the cable of another chain."""
    ends = [(("C2-E5", 5), ("R3", 3)), (("R1", 2), ("R3", 6)), (("C1-R4", 2), ("R1", 4))]
    lengths, parts = (2_000, 5_000, 5_000), ("thick", "thin", "thick")
    rows = [
        connection(number, Plugged(*a), Plugged(*b), stock_mm=length, run_mm=length - 500, part=part)
        for number, ((a, b), length, part) in enumerate(zip(ends, lengths, parts, strict=True), 1)
    ]
    located = found(
        [
            (("C2-E5", 5), ("R1", 2)),
            (("C2-E5", 1), ("R1", 5)),
            (("C1-R4", 6), ("R1", 4)),
            (("C1-R4", 2), ("R2", 1)),
            (("C1-R4", 3), ("C2-E5", 3)),
        ]
    )
    known = {("C1-R4", 3): (2, 0), ("C2-E5", 5): (3, 0), ("R1", 2): (2, 1), ("R1", 4): (2, 0), ("R2", 1): (2, 1)}
    reach_mm = {("C1-R4", 2): 5_000, ("C1-R4", 6): 5_000, ("C2-E5", 1): 9_000}
    evidence = Evidence(
        plugs=frozenset([Plugged("C2-E5", 5)]),
        cable={Plugged(*port): cable for port, cable in known.items()},
        reach_mm={Plugged(*port): length for port, length in reach_mm.items()},
    )
    repair = repaired(compared(rows, located, strict=True), rows, evidence)
    assert set(applied(located, repair.moves, repair.removals, repair.additions).links) == planned(rows)


@given(ports, ports, st.randoms(use_true_random=False))
def test_any_evidence_leads_to_the_plan(plan, links, chance):
    """Whatever plugs state, and however long cables are: only the number of moves may grow."""
    rows = []
    for number, link in enumerate(paired(plan), 1):
        length = chance.choice([2_000, 5_000, 9_000])
        rows.append(connection(number, *link, stock_mm=length, run_mm=length - 500, part=chance.choice(["thin", "thick"])))
    located = found(paired(links))
    lit = sorted({port for link in located.links for port in link})
    evidence = Evidence(
        plugs=frozenset(port for row in planned(rows) for port in row if chance.random() < 0.3),
        cable={port: (chance.randint(1, len(rows)), chance.randint(0, 1)) for port in lit if rows and chance.random() < 0.3},
        reach_mm={port: chance.choice([2_000, 5_000, 9_000]) for port in lit if chance.random() < 0.5},
    )
    difference = compared(rows, located, strict=True)
    repair = repaired(difference, rows, evidence)
    assert set(applied(located, repair.moves, repair.removals, repair.additions).links) == planned(rows)
    crew = Crew(located)
    crew.take_out(repair.removals)
    crew.follow(repair.moves)
    assert crew.down <= 2
    surplus = sum(one.shape == "found at both ends" for one in difference.components)
    assert len(repair.moves) + 2 * len(repair.removals) >= len(difference.wrong) - surplus


# -- random errors on topologies --------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_random_errors_on_topologies(family):
    rows = of_topology(family)
    for share in (0, 0.01, 0.02, 0.05, 0.1):
        errors = miscabled(rows, share, seed=int(1000 * share))
        difference, repair = mended(rows, errors.located)
        wrong = set(errors.located.links) - planned(rows)
        assert set(difference.wrong) == wrong
        assert len(repair.moves) == len(errors.moved)
        assert (len(repair.removals), len(repair.additions)) == (len(errors.extra), errors.missing)
        assert len(difference.right) == len(rows) - errors.missing - len(wrong) + len(errors.extra)
        assert bool(repair.findings) == (share > 0)


@pytest.mark.slow
def test_a_fabric_of_another_plan_is_compared_as_well():
    """All plugs shuffled: one component may have thousands of links, and no order is searched."""
    rows = of_topology("slimfly", q=13)
    plugs = [Plugged(end.device, end.port) for row in rows for end in row.ends]
    random.Random(1).shuffle(plugs)
    located = found(zip(plugs[::2], plugs[1::2], strict=True))
    difference = compared(rows, located)
    repair = repaired(difference, rows)
    assert len(repair.moves) == len(difference.wrong) > 3_000
    assert set(applied(located, repair.moves, repair.removals, repair.additions).links) == planned(rows)
    assert repair.notes == ["Too many links are wrong to check whether the network stays connected during the work."]
