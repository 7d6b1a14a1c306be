"""Faceplates: every socket of a box at one place, in the rows and columns that the catalog states."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from planner.domain import catalog
from planner.domain.parts import PanelPart, PortGroup, RouterPart, SocketBlock
from planner.hall.scene.faceplate import Rectangle, ports, shapes, sockets


def router(blocks=(), **keys) -> RouterPart:
    given = {
        "id": "box", "ports": 36, "connector": "Q", "rate_gbps": 100, "units": 1, "power_typical_mw": 1, "power_max_mw": 1,
        "mass_g": 1, "delay_ps": 1, "price_cents": 1, "source": "x", "confidence": "D", "faceplate": tuple(blocks),
    }  # fmt: skip
    return RouterPart(**given | keys)


def grid(part, side="rear"):
    """Return the numbers of sockets by row and column, from the upper left."""
    found = {}
    for socket in part.face(side).sockets:
        found.setdefault(socket.row, []).append((socket.column, socket.cage))
    return [[cage for _, cage in sorted(row)] for _, row in sorted(found.items())]


def test_sockets_are_counted_down_the_columns_or_along_the_rows():
    assert grid(router([SocketBlock(rows=2)])) == [list(range(1, 37, 2)), list(range(2, 37, 2))]
    assert grid(router([SocketBlock(rows=2, order="columns upward")])) == [list(range(2, 37, 2)), list(range(1, 37, 2))]
    assert grid(router([SocketBlock(rows=2, order="rows")])) == [list(range(1, 19)), list(range(19, 37))]


def test_blocks_are_side_by_side_or_below_each_other():
    apart = router([SocketBlock(rows=2, sockets=16), SocketBlock(rows=2, first=17)]).face("rear")
    assert max(socket.column for socket in apart.sockets if socket.cage <= 16) == 7
    assert min(socket.column for socket in apart.sockets if socket.cage > 16) > 8
    below = router([SocketBlock(rows=2, sockets=16), SocketBlock(rows=2, first=17, below=True)])
    assert [len(row) for row in grid(below)] == [8, 8, 10, 10]
    gap = router([SocketBlock(rows=2, gaps=(9,))]).face("rear")
    columns = sorted({socket.column for socket in gap.sockets})
    steps = [b - a for a, b in pairwise(columns)]
    assert steps.index(max(steps)) == 8
    assert max(steps) > 1


def test_groups_without_a_block_have_usual_rows_and_are_named():
    groups = (
        PortGroup(name="ports", count=36, connector="Q", rate_gbps=100),
        PortGroup(name="uplink", count=2, connector="U", rate_gbps=100),
        PortGroup(name="service", count=1, connector="S", rate_gbps=1, side="front"),
    )
    part = router([SocketBlock(group="ports", rows=2)], port=groups, mgmt_connector="RJ45")
    assert part.face("rear").derived == ("uplink", "mgmt")
    assert part.face("front").derived == ("service",)
    assert [socket.cage for socket in part.face("front").sockets] == [39]
    assert sorted(cage for row in grid(part) for cage in row) == [*range(1, 39), 40]


def test_twin_sockets_hold_their_ports_side_by_side():
    part = router([SocketBlock(rows=2)], ports=64, ports_per_cage=2)
    face, box = part.face("rear"), Rectangle(0, 0, 1600, 40)
    places, cages = ports(face, box), sockets(face, box)
    assert len(cages) == 32
    assert sorted(places) == list(range(1, 65))
    for port, place in places.items():
        cage = cages[(port + 1) // 2]
        assert place.width == pytest.approx(cage.width / 2)
        assert place.left == pytest.approx(cage.left + (port % 2 == 0) * cage.width / 2)
    # Odd sockets are above even ones.
    assert cages[1].left == cages[2].left
    assert cages[1].bottom > cages[2].bottom


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ([SocketBlock(rows=2, sockets=30)], "sockets 31, 32, 33, 34, 35, 36 of group ports are in no block"),
        ([SocketBlock(rows=2), SocketBlock(first=36)], "sockets 36 of group ports are in two blocks"),
        ([SocketBlock(rows=2, first=30, sockets=9)], "sockets 30 to 38 of group ports, which has 36"),
        ([SocketBlock(rows=2, first=40)], "sockets 40 to 40 of group ports, which has 36"),
        ([SocketBlock(group="portz")], "there is no port group 'portz'"),
        ([SocketBlock(rows=2, gaps=(18,))], "gap after column 18 of 18"),
    ],
)
def test_every_socket_is_in_one_block(blocks, message):
    assert any(message in problem.message for problem in router(blocks).problems())


def test_shipped_boxes_have_every_port_once_and_none_over_another():
    for kind in ("router", "endpoint"):
        for part in catalog.rows(kind):
            assert not list(part.problems())
            faces = [part.face(side) for side in ("front", "rear")]
            found = [
                port
                for face in faces
                for socket in face.sockets
                for port in range(socket.first_port, socket.first_port + socket.ports)
            ]
            assert sorted(found) == list(range(1, len(part.port_names) + 1)), part.id
            for face in faces:
                places = [(socket.column, socket.row) for socket in face.sockets]
                assert all(
                    abs(a - c) > 0.999 or abs(b - d) > 0.999
                    for number, (a, b) in enumerate(places[:64])
                    for c, d in places[number + 1 : 64]
                ), part.id


def test_arrangements_that_sources_state():
    """The leaf modules of the CS8500 have two rows of 20 ports each (NVIDIA, port connector interfaces)."""
    modules = next(part for part in catalog.rows("router") if part.id == "nvidia-cs8500")
    rows: dict[float, list[int]] = {}
    for socket in modules.face("rear").sockets[:800]:
        rows.setdefault(socket.row, []).append(socket.cage)
    assert [len(row) for _, row in sorted(rows.items())] == [20] * 40


def test_shapes_are_inside_the_box_and_show_what_is_used():
    box = Rectangle(10, 20, 480, 44)
    made = list(shapes(router([SocketBlock(rows=2)]).face("rear"), box, "R1", used={3}))
    assert [shape.name for shape in made if shape.kind == "port in use"] == ["R1:3"]
    assert len(made) == 36
    points = [point for shape in made for point in shape.points_mm]
    assert min(x for x, _ in points) >= 10
    assert max(x for x, _ in points) <= 490
    assert min(y for _, y in points) >= 20
    assert max(y for _, y in points) <= 64


def test_a_box_without_ports_on_a_side_has_no_face():
    assert replace(router(), port_side="front").face("rear").sockets == ()
    assert sockets(router().face("front"), Rectangle(0, 0, 10, 10)) == {}


# -- panels -----------------------------------------------------------------------------------


def panel(*blocks, bays=12):
    about = {"id": "enclosure", "source": "test", "confidence": "D", "price_cents": 1}
    return PanelPart(**about, bays=bays, units=2, faceplate=tuple(blocks))


def test_bays_of_a_panel_are_in_rows_as_stated():
    assert panel(bays=4).bay_rows == [[1, 2, 3, 4]]
    assert panel(SocketBlock(rows=2, order="rows")).bay_rows == [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]
    assert panel(SocketBlock(rows=2)).bay_rows == [[1, 3, 5, 7, 9, 11], [2, 4, 6, 8, 10, 12]]
    left, right = SocketBlock(sockets=6, rows=3, order="rows"), SocketBlock(first=7, rows=3, order="rows")
    assert panel(left, right).bay_rows == [[1, 2, 7, 8], [3, 4, 9, 10], [5, 6, 11, 12]]


def test_every_bay_is_in_one_block():
    assert list(panel(SocketBlock(rows=2)).problems()) == []
    [problem] = panel(SocketBlock(sockets=6)).problems()
    assert "sockets 7, 8, 9, 10, 11, 12 of group bays are in no block" in problem.message
