"""Content of cabinets that a study fixes, by hand and as published."""

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.design.inventory.racks import Cabinets, Kind, racks
from planner.domain import catalog

CABINET = catalog.rows("cabinet")[0]
SWITCH = catalog.select("nvidia-qm9700", "server-half-unit-400g-osfp", "hpe-10648-g2").router
DGX = next(row for row in catalog.rows("endpoint") if row.id == "dgx-h100")
AMPLE_MW = 10**9


def packed(kinds, sets=(), units=46, power_mw=AMPLE_MW):
    return racks(kinds, sets, CABINET, units, power_mw, sum(len(kind.device) for kind in kinds))


def test_a_superpod_has_38_cabinets():
    """127 nodes, four in a cabinet, units of 32; 64 InfiniBand switches and others in six management cabinets."""
    dgx = Kind("dgx", DGX, np.arange(127), "dgx", per_cabinet=4, unit=32, defines=True)
    leaf = Kind("leaf", SWITCH, 127 + np.arange(48), "management")
    spine = Kind("spine", SWITCH, 175 + np.arange(16), "management")
    found = packed([dgx, leaf, spine], [Cabinets(name="management", count=6, position="middle of row")])
    assert len(found.unit) == 38
    assert np.bincount(found.rack[:127]).tolist() == [4] * 31 + [3]
    assert found.unit.tolist() == [unit for unit in range(4) for _ in range(8)] + [-1] * 6
    assert (found.rack[127:175] == 32 + np.arange(48) // 8).all()
    assert np.bincount(found.rack[175:])[32:].tolist() == [3, 3, 2, 3, 3, 2]
    assert found.position.tolist() == [0] * 32 + [2] * 6


def test_switches_join_the_cabinets_of_their_nodes():
    dgx = Kind("dgx", DGX, np.arange(8), "compute", per_cabinet=2, defines=True)
    tor = Kind("tor", SWITCH, 8 + np.arange(4), "compute")
    assert packed([dgx, tor]).rack.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 0, 1, 2, 3]


def test_switches_alone_fill_cabinets_in_order():
    leaf, spine = Kind("leaf", SWITCH, np.arange(5), "net"), Kind("spine", SWITCH, 5 + np.arange(3), "net")
    assert packed([leaf, spine], units=3).rack.tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
    assert packed([leaf, spine], power_mw=4 * SWITCH.power_max_mw).rack.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_as_many_nodes_as_fit():
    dgx = Kind("dgx", DGX, np.arange(11), "dgx", unit=5, defines=True)
    found = packed([dgx], units=25)
    assert found.rack.tolist() == [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4]
    assert found.unit.tolist() == [0, 0, 1, 1, 2]


def test_management_racks_of_a_superpod_b200():
    """As published: 16 leaves, two managers and all 16 spines in racks 1 and 2, the other leaves and managers in 3 and 4."""
    leaf = Kind("leaf", SWITCH, np.arange(32)).over(["a", "b"])
    spine = Kind("spine", SWITCH, 32 + np.arange(16)).over(["a"])
    ufm = Kind("ufm", SWITCH, 48 + np.arange(4)).over(["a", "b"])
    found = packed([*leaf, *spine, *ufm], [Cabinets(name="a", count=2), Cabinets(name="b", count=2)])
    assert [np.bincount(found.rack[some], minlength=4).tolist() for some in (slice(32), slice(32, 48), slice(48, 52))] == [
        [8, 8, 8, 8],
        [8, 8, 0, 0],
        [1, 1, 1, 1],
    ]
    assert (np.diff(found.rack[:32]) >= 0).all()


def test_scalable_units_go_on_in_the_next_set():
    """Ten nodes in units of four over two sets: the unit that is divided begins a cabinet in each."""
    dgx = Kind("dgx", DGX, np.arange(10), per_cabinet=2, unit=4, defines=True).over(["west", "east"])
    found = packed(dgx)
    assert found.rack.tolist() == [0, 0, 1, 1, 2, 3, 3, 4, 5, 5]
    assert found.unit.tolist() == [0, 0, 1, 1, 1, 2]


def test_a_set_named_twice_takes_two_shares():
    """Of six PDUs four are in the first set, as its two cabinets are to the one of the second; units count over all nodes."""
    pdu = Kind("pdu", SWITCH, np.arange(6)).over(["a", "b", "a"])
    found = packed(pdu, [Cabinets(name="a", count=2), Cabinets(name="b", count=1)])
    assert found.rack.tolist() == [0, 0, 2, 2, 1, 1]
    dgx = Kind("dgx", DGX, np.arange(6), per_cabinet=2, unit=3, defines=True).over(["a", "b", "a"])
    assert packed(dgx).unit.tolist() == [0, 1, 0, 1]


def test_overfull_cabinets_are_refused_with_all_problems():
    dgx = Kind("dgx", DGX, np.arange(8), "dgx", per_cabinet=8, defines=True)
    net = Kind("leaf", SWITCH, 8 + np.arange(9), "net")
    with pytest.raises(InputError) as error:
        packed([dgx, net], [Cabinets(name="net", count=1)], units=8, power_mw=50_000_000)
    messages = [problem.message for problem in error.value.problems]
    found = [message.split(":")[0] for message in messages]
    assert found == ["cabinet 1 of dgx with 8 dgx"] * 2 + ["cabinet 1 of net with 9 leaf"]
    assert "rack units 64, allowed 8" in messages[0]
