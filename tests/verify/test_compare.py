"""What differs between plan and fabric: links, chains and cycles, parallel links, selections."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared.miscabling import connection, found, planned, schedule

from planner.fabric.verify.compare import CYCLE, OPEN, SHIFTED, SURPLUS, compared, sorted_pair, walks
from planner.fabric.verify.repair import repaired
from planner.fabric.verify.result import Located, Plugged


def one_component(links, located, **options):
    difference = compared(schedule(*links), located, **options)
    (component,) = difference.components
    return difference, component


def test_links_as_planned_in_any_direction():
    difference = compared(schedule((("R2", 1), ("R1", 1))), found([(("R1", 1), ("R2", 1))]))
    assert difference.right == [(Plugged("R1", 1), Plugged("R2", 1))]
    assert (difference.wrong, difference.dark, difference.unknown, difference.components) == ([], [], [], [])


@pytest.mark.parametrize(
    ("links", "up", "shape", "ports"),
    [
        ([(("A", 1), ("B", 1))], [], OPEN, "A1 B1"),
        ([], [(("A", 1), ("B", 1))], SURPLUS, "A1 B1"),
        ([(("A", 1), ("B", 1))], [(("B", 1), ("C", 1))], SHIFTED, "A1 B1 C1"),
        ([(("A", 1), ("B", 1)), (("C", 1), ("D", 1))], [(("B", 1), ("C", 1))], OPEN, "A1 B1 C1 D1"),
        ([(("B", 1), ("C", 1))], [(("A", 1), ("B", 1)), (("C", 1), ("D", 1))], SURPLUS, "A1 B1 C1 D1"),
        ([(("A", 1), ("B", 1)), (("C", 1), ("D", 1))], [(("A", 1), ("D", 1)), (("B", 1), ("C", 1))], CYCLE, "A1 D1 C1 B1"),
    ],
)
def test_shapes(links, up, shape, ports):
    _, component = one_component(links, found(up))
    assert component.shape == shape
    assert " ".join(f"{port.device}{port.port}" for port in component.ports) == ports
    assert {sorted_pair(*link) for link in component.wrong} == set(found(up).links)
    assert {sorted_pair(*link) for link in component.planned} == planned(schedule(*links))


ports = st.lists(st.tuples(st.sampled_from("ABCDE"), st.integers(1, 5)), unique=True, max_size=24)


@given(ports, ports)
def test_components_are_the_links_of_one_side_only(plan, links):
    plan, links = (
        {sorted_pair(Plugged(*a), Plugged(*b)) for a, b in zip(flat[::2], flat[1::2], strict=False)} for flat in (plan, links)
    )
    difference = compared(schedule(*plan), found(links), strict=True)
    assert set(difference.right) == plan & links
    wrong = [sorted_pair(*link) for one in difference.components for link in one.wrong]
    missing = [sorted_pair(*link) for one in difference.components for link in one.planned]
    assert sorted(wrong) == sorted(links - plan) == difference.wrong
    assert sorted(missing) == sorted(plan - links)
    lit = {port for link in links for port in link}
    assert set(difference.dark) == {link for link in plan if lit.isdisjoint(link)}
    for one in difference.components:
        assert len(set(one.ports)) == len(one.ports)


def test_walks_of_nothing():
    assert list(walks({}, {})) == []


# -- parallel links ---------------------------------------------------------------------------

PAIR = ((("R1", 1), ("R2", 1)), (("R1", 2), ("R2", 2)))
CROSSED = [(("R1", 1), ("R2", 2)), (("R1", 2), ("R2", 1))]


def test_parallel_links_may_exchange_their_ports():
    difference = compared(schedule(*PAIR), found(CROSSED))
    assert (len(difference.right), difference.wrong, len(difference.exchanged)) == (2, [], 2)
    kinds = [one.kind for one in repaired(difference, schedule(*PAIR)).findings]
    assert kinds == ["bundle-internal"] * 2


def test_parallel_links_are_cables_of_their_own_if_strict():
    difference = compared(schedule(*PAIR), found(CROSSED), strict=True)
    assert (len(difference.right), len(difference.wrong), difference.exchanged) == (0, 2, [])
    assert len(repaired(difference, schedule(*PAIR)).moves) == 2


def test_parallel_links_of_other_parts_are_not_exchanged():
    rows = [connection(n, Plugged("R1", n), Plugged("R2", n), part=part) for n, part in ((1, "fast"), (2, "slow"))]
    assert len(compared(rows, found(CROSSED)).wrong) == 2


def test_parallel_links_with_one_plug_elsewhere():
    """R1-1 to R2-2 fits; what is left of the two is R1-2 to R2-1."""
    rows = schedule(*PAIR)
    located = found([(("R1", 1), ("R2", 2)), (("R1", 2), ("R3", 1))])
    difference = compared(rows, located)
    assert (len(difference.right), len(difference.wrong)) == (1, 1)
    assert [(move.device, move.to_device, move.to_port) for move in repaired(difference, rows).moves] == [("R3", "R2", 1)]


# -- selection --------------------------------------------------------------------------------


def test_links_that_are_not_selected_are_neither_right_nor_missing():
    rows = schedule((("A", 1), ("B", 1)), (("C", 1), ("D", 1)), (("E", 1), ("F", 1)))
    difference = compared(rows, found([(("C", 1), ("D", 1)), (("X", 1), ("Y", 1))]), chosen={1})
    assert (difference.right, len(difference.dark), difference.wrong) == ([], 1, [])
    assert [one.cables for one in repaired(difference, rows).findings] == [(1,)]


def test_ports_that_are_not_selected_explain_a_wrong_plug():
    """The cable of row 1 is in the port of row 2, which is not installed yet."""
    rows = schedule((("A", 1), ("B", 1)), (("A", 2), ("C", 1)))
    located = found([(("A", 2), ("B", 1))])
    difference = compared(rows, located, chosen={1})
    repair = repaired(difference, rows)
    assert (len(difference.wrong), difference.dark, repair.additions) == (1, [], [])
    assert [(move.device, move.from_port, move.to_port) for move in repair.moves] == [("A", 2, 1)]
    assert [one.kind for one in repair.findings] == ["wrong far port"]
    # The other row alone: its own cable is believed to be there, with its far plug in the wrong port.
    other = repaired(compared(rows, located, chosen={2}), rows)
    assert [(move.device, move.to_device) for move in other.moves] == [("B", "C")]


def test_wrong_links_among_others_only_are_left_out():
    rows = schedule((("A", 1), ("B", 1)), (("C", 1), ("D", 1)), (("E", 1), ("F", 1)))
    located = found([(("A", 1), ("B", 1)), (("C", 1), ("F", 1)), (("D", 1), ("E", 1))])
    assert compared(rows, located, chosen={1}).components == []
    assert len(compared(rows, located, chosen={2}).wrong) == 2


# -- devices and files ------------------------------------------------------------------------


def test_links_of_silent_devices_are_unknown():
    rows = schedule((("A", 1), ("B", 1)), (("C", 1), ("D", 1)))
    difference = compared(rows, found([], unknown=frozenset({"A"})))
    assert difference.unknown == [(Plugged("A", 1), Plugged("B", 1))]
    assert difference.dark == [(Plugged("C", 1), Plugged("D", 1))]


def test_a_silent_device_may_have_links_that_others_report():
    rows = schedule((("A", 1), ("B", 1)))
    difference = compared(rows, found([(("A", 1), ("B", 1))], unknown=frozenset({"A"})))
    assert (len(difference.right), difference.unknown) == (1, [])


def test_two_links_of_one_port_contradict_each_other():
    rows = schedule((("A", 1), ("B", 1)))
    difference = compared(rows, found([(("A", 1), ("B", 1)), (("A", 1), ("C", 1)), (("D", 1), ("D", 1))]))
    assert (len(difference.right), difference.wrong) == (1, [])
    assert [one.kind for one in repaired(difference, rows).findings] == ["contradiction"] * 2


def test_slow_links_of_the_selection():
    rows = schedule((("A", 1), ("B", 1)), (("C", 1), ("D", 1)))
    links = dict.fromkeys(planned(rows), "")
    located = Located(links, slow=dict.fromkeys(links, "SDR"))
    assert len(compared(rows, located).slow) == 2
    assert list(compared(rows, located, chosen={2}).slow) == [(Plugged("C", 1), Plugged("D", 1))]
