"""Attachment rules, by hand and by the counts of published machines."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core import registry
from planner.core.errors import InputError
from planner.network.attachment import Leaves, Ports, attach


def leaves(count, free=64, plane=None):
    return Leaves(np.arange(count), np.full(count, free), None if plane is None else np.array(plane))


def test_each_rail_of_a_superpod_unit_is_one_leaf():
    """SuperPOD H100 of 4 units: 127 nodes of 8 ports on 32 leaves, and four UFM ports where the 128th node is missing."""
    compute = attach("rail", Ports("dgx", 127, 8), leaves(32, 32), block=32)
    for unit in range(4):
        nodes = compute[32 * unit : 32 * unit + 32]
        assert (nodes == nodes[0]).all()
        assert nodes[0].tolist() == list(range(8 * unit, 8 * unit + 8))
    used = np.bincount(compute.ravel(), minlength=32)
    assert used.tolist() == [32] * 24 + [31] * 8
    ufm = attach("free", Ports("ufm", 2, 2), Leaves(np.arange(32), 32 - used))
    assert set(ufm.ravel().tolist()) <= set(range(24, 32))
    assert len(set(ufm.ravel().tolist())) == 4
    assert compute.size + ufm.size == 1020


def test_blocks_need_leaves():
    with pytest.raises(InputError, match="2 blocks of 4 nodes with 8 ports need 16 leaves, the network has 8"):
        attach("rail", Ports("dgx", 8, 8), leaves(8), block=4)


def test_dual_tors_are_rails_of_both_ports():
    """A segment of HPN: 136 hosts, eight interfaces of two ports, sixteen switches, 136 ports each."""
    found = attach("rail", Ports("host", 136, 16), leaves(16, 136), block=136)
    assert Counter(found.ravel().tolist()) == {leaf: 136 for leaf in range(16)}
    assert (found[:, 0::2] != found[:, 1::2]).all()


def test_pairs_put_the_ports_of_a_node_on_two_leaves_of_one_pair():
    found = attach("pairs", Ports("dgx", 5, 2), leaves(4, 3))
    assert found.tolist() == [[0, 1], [2, 3], [0, 1], [2, 3], [0, 1]]
    with pytest.raises(InputError, match="5 leaves do not form sets of 2"):
        attach("pairs", Ports("dgx", 5, 2), leaves(5))


def test_planes_take_one_port_of_every_node():
    """Eight planes of 64 leaves: 2,048 nodes have one port in each, 32 on every leaf."""
    plane = np.repeat(np.arange(8), 64)
    found = attach("planes", Ports("node", 2048, 8), leaves(512, 32, plane))
    assert (plane[found] == np.arange(8)).all()
    assert (np.bincount(found.ravel()) == 32).all()
    railed = attach("planes", Ports("node", 4, 4), leaves(8, 4, [0, 0, 0, 0, 1, 1, 1, 1]), within="rail", block=2)
    assert railed.tolist() == [[0, 4, 1, 5]] * 2 + [[2, 6, 3, 7]] * 2
    with pytest.raises(InputError, match="3 ports of node do not divide among 2 planes"):
        attach("planes", Ports("node", 4, 3), leaves(2, 9, [0, 1]))
    with pytest.raises(InputError, match="belongs to the rule rail"):
        attach("planes", Ports("node", 4, 2), leaves(2, 9, [0, 1]), block=2)


def test_fill_and_near_use_leaves_in_order():
    assert attach("fill", Ports("disk", 3, 2), leaves(3, 4)).tolist() == [[0, 0], [0, 0], [1, 1]]
    assert attach("fill", Ports("disk", 3, 2), leaves(3, 4), per_leaf=2).tolist() == [[0, 0], [1, 1], [2, 2]]
    assert attach("near", Ports("bmc", 5, 1), leaves(2, 4)).ravel().tolist() == [0, 0, 0, 1, 1]
    # Never more than one apart: 36 ports on eight leaves are four and five in turn, not five each and one on the last.
    assert np.bincount(attach("near", Ports("bmc", 36, 1), leaves(8, 48)).ravel()).tolist() == [5, 4, 5, 4, 5, 4, 5, 4]
    with pytest.raises(InputError, match="6 ports, but the routers have 4 free"):
        attach("fill", Ports("disk", 3, 2), leaves(2, 2))


@given(st.integers(1, 20), st.integers(1, 4), st.lists(st.integers(0, 12), min_size=1, max_size=8))
def test_no_rule_overfills_a_leaf(devices, count, free):
    some = Leaves(100 + np.arange(len(free)), np.array(free))
    for rule in ("fill", "free", "near"):
        try:
            found = attach(rule, Ports("node", devices, count), some)
        except InputError:
            assert devices * count > sum(free)
            continue
        used = Counter(found.ravel().tolist())
        assert all(number <= free[router - 100] for router, number in used.items())
        if rule == "free":
            left = [room - used[100 + leaf] for leaf, room in enumerate(free)]
            assert max(left) - min(left[leaf] for leaf in range(len(free)) if used[100 + leaf]) <= 1


def test_too_many_ports_on_a_leaf_are_refused():
    with pytest.raises(InputError, match="attaches 3 ports of dgx to router 0, which has 2 free"):
        attach("pairs", Ports("dgx", 5, 2), leaves(4, 2))
    assert attach("fill", Ports("none", 0, 2), leaves(0)).shape == (0, 2)
    with pytest.raises(InputError, match="no router for ports of dgx"):
        attach("fill", Ports("dgx", 1, 2), leaves(0))


def test_a_table_names_each_port(tmp_path):
    table = tmp_path / "ports.csv"
    table.write_text("device,port,router\na,1,7\na,2,5\nb,1,5\nb,2,7\n")
    ports, some = Ports("node", 2, 2, ("a", "b")), Leaves(np.array([5, 7]), np.array([2, 2]))
    assert attach("table", ports, some, path=table).tolist() == [[7, 5], [5, 7]]
    table.write_text("device,port,router\nc,1,7\na,3,5\na,1,6\na,1,5\na,1,5\n")
    with pytest.raises(InputError) as error:
        attach("table", ports, some, path=table)
    assert [problem.line for problem in error.value.problems] == [2, 3, 4, 6]
    table.write_text("device,port,router\na,1,5\n")
    with pytest.raises(InputError, match="no line for port 2 of a and 2 other ports"):
        attach("table", ports, some, path=table)
    table.write_text("device,router\n")
    with pytest.raises(InputError, match="has no column port"):
        attach("table", ports, some, path=table)


@pytest.mark.parametrize(
    "text",
    [
        "device;port;router\r\na;1;7\r\na;2;5\r\nb;1;5\r\nb;2;7\r\n",
        "sep=;\ndevice;port;router\na;1;7\na;2;5\nb;1;5\nb;2;7\n",
        "\ufeffdevice\tport\trouter\n\na\t 1\t7\na\t2\t5\nb\t1\t5\nb\t2\t7\n",
        'router,"device",port,note\n7,a,1,"see a, 1"\n5,a,2,\n5,b,1\n7,b,2,\n',
    ],
    ids=["semicolons", "stated separator", "tabs", "quotes"],
)
def test_tables_of_any_spreadsheet_program_are_read(tmp_path, text):
    table = tmp_path / "ports.csv"
    table.write_text(text, encoding="utf-8")
    ports, some = Ports("node", 2, 2, ("a", "b")), Leaves(np.array([5, 7]), np.array([2, 2]))
    assert attach("table", ports, some, path=table).tolist() == [[7, 5], [5, 7]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("device,port,router\na,1," + "x" * 200_000, r"ports.csv:2: .*is not CSV: field larger"),
        ('device,port,router\na,1,"7', r"ports.csv:2: .*is not CSV"),
        ('device,port,router\na,1,"7"5', r"ports.csv:2: .*is not CSV"),
        ("device,port,router\na,1,7,8\n", r"ports.csv:2: .*has 4 cells for 3 columns"),
        ("device,port,router,port\na,1,7,8\n", r"has the column port twice"),
        ("device,port,router\na,²,7\n", r"a has no port '²'"),
        ("device,port,router\na," + "9" * 5000 + ",7\n", r"a has no port"),
        ("", r"has no column device, port, router"),
    ],
)
def test_damaged_tables_are_refused(tmp_path, text, message):
    table = tmp_path / "ports.csv"
    table.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        attach("table", Ports("node", 2, 2, ("a", "b")), Leaves(np.array([5, 7]), np.array([2, 2])), path=table)


def test_rules_are_elements():
    assert registry.names("attachment") == ["fill", "free", "near", "pairs", "planes", "rail", "table"]
