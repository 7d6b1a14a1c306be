"""Routes and run lengths: formula and contraction against plain shortest paths."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from planner.core.errors import InputError
from planner.domain.catalog import select
from planner.hall import floor
from planner.hall.floor import Lengths, Slack, TrayDistances
from planner.kernels.trays import lengths as kernel

CABINET = select("nvidia-sb7800", "server-half-unit", "apc-ar3300").cabinet
LAB = floor.room("lab", routers=1)
GRID = floor.room("spectralfly", routers=60)


def room_of(xyz, segments, lengths, slot_node):
    """A room whose geometry is that of the laboratory except for its trays; only lengths are used."""
    count = len(slot_node)
    return replace(
        LAB,
        node_xyz=np.array(xyz, np.int32).reshape(-1, 3),
        segments=np.array(segments, np.int32).reshape(-1, 2),
        segment_mm=np.array(lengths, np.int32),
        segment_mm2=np.zeros(len(segments), np.int64),
        segment_tray=np.zeros(len(segments), np.int32),
        segment_carries=np.full(len(segments), 3, np.uint8),
        slot_names=tuple(f"A{n}" for n in range(count)),
        slot_node=np.repeat(np.array(slot_node, np.int32)[:, None], 2, axis=1),
        **{
            name: np.resize(getattr(LAB, name), (count, *getattr(LAB, name).shape[1:]))
            for name in (
                "slot_xy",
                "slot_size",
                "slot_row",
                "slot_facing",
                "slot_power_mw",
                "slot_load_g",
                "slot_egress",
            )
        },
    )


def plain_tray_mm(room):
    """Shortest paths from every slot over the whole graph."""
    nodes = len(room.node_xyz)
    dense = np.full((nodes, nodes), np.inf)
    for (a, b), length in zip(room.segments.tolist(), room.segment_mm.tolist(), strict=True):
        dense[a, b] = dense[b, a] = min(dense[a, b], length)
    graph = csr_array(np.where(np.isinf(dense), 0, dense))
    return dijkstra(graph, directed=False, indices=room.slot_node[:, 0])[:, room.slot_node[:, 0]]


def assert_all_routes(room):
    distances = TrayDistances(room)
    plain = plain_tray_mm(room)
    assert np.array_equal(distances.tray_mm, plain)
    assert distances.tray_mm.dtype == np.int32
    a, b = (index.ravel() for index in np.indices(plain.shape))
    assert np.array_equal(distances.between_mm(a, b), plain.ravel())
    assert np.array_equal(distances.rows_mm(np.arange(len(plain))[::-2]), plain[::-2])


@st.composite
def tray_rooms(draw):
    """Trees, rings, ladders, broken grids, each with subdivided, parallel and foreign parts."""
    shape = draw(st.sampled_from(["tree", "ring", "ladder", "grid", "path"]))
    size = draw(st.integers(2, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    if shape == "tree":
        edges = [(int(rng.integers(n)), n) for n in range(1, size * 2)]
    elif shape in ("ring", "path"):
        edges = [(n, n + 1) for n in range(size)] + ([(size, 0)] if shape == "ring" else [])
    else:
        columns, rows = (size, 2) if shape == "ladder" else (size, draw(st.integers(2, 5)))
        across = [(c * rows + r, (c + 1) * rows + r) for c in range(columns - 1) for r in range(rows)]
        along = [(c * rows + r, c * rows + r + 1) for c in range(columns) for r in range(rows - 1)]
        edges = along + [edge for edge in across if rng.random() < 0.8]
    nodes = max(map(max, edges)) + 1
    for _ in range(draw(st.integers(0, 3))):
        edges.append(edges[int(rng.integers(len(edges)))])
    fine = []
    for a, b in edges:
        inner = list(range(nodes, nodes + int(rng.integers(0, 4))))
        nodes += len(inner)
        fine += list(zip([a, *inner], [*inner, b], strict=True))
    # Ids are not in order along a tray; one more tray is separate from the rest.
    name = rng.permutation(nodes + 2)
    fine = [(int(name[a]), int(name[b])) for a, b in [*fine, (nodes, nodes + 1)] if a != b]
    lengths = rng.integers(1, draw(st.sampled_from([2, 5, 3000])), len(fine), endpoint=True)
    graph = csr_array((np.ones(len(fine)), np.array(fine).T), shape=(nodes + 2, nodes + 2))
    reach = np.flatnonzero(np.isfinite(dijkstra(graph, directed=False, indices=int(name[0]))))
    slots = rng.choice(reach, draw(st.integers(1, 25)))
    return room_of(rng.integers(0, 9000, (nodes + 2, 3)), fine, lengths, slots)


@pytest.mark.slow
@given(tray_rooms())
def test_any_trays_give_the_plain_shortest_lengths(room):
    assert_all_routes(room)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 5000), st.integers(1, 5000), st.integers(0, 2**32))
def test_full_lattices_are_recognised_and_exact(columns, rows, pitch_x, pitch_y, seed):
    room = lattice_room(columns, rows, pitch_x, pitch_y, seed)
    found = TrayDistances(room).lattice
    assert (found.columns, found.rows) == (columns, rows)
    assert_all_routes(room)
    assert_short_form_agrees(Lengths(replace(room, end_mm=700), CABINET, Slack(percent=7.0)))


def lattice_room(columns, rows, pitch_x, pitch_y, seed):
    rng = np.random.default_rng(seed)
    name = rng.permutation(columns * rows)
    c, r = np.indices((columns, rows)).reshape(2, -1)
    xyz = np.empty((columns * rows, 3), int)
    xyz[name] = np.column_stack([100 + c * pitch_x, 50 + r * pitch_y, np.full(c.shape, 2600)])
    at = name.reshape(columns, rows)
    along = np.column_stack([at[:, :-1].ravel(), at[:, 1:].ravel()])
    across = np.column_stack([at[:-1].ravel(), at[1:].ravel()])
    lengths = np.repeat([pitch_y, pitch_x], [len(along), len(across)])
    slots = rng.choice(columns * rows, rng.integers(1, columns * rows, endpoint=True), replace=False)
    return room_of(xyz, np.concatenate([along, across]), lengths, slots)


def assert_short_form_agrees(lengths):
    x, y, run_mm = lengths.lattice(40, 1, 1)
    assert x.dtype == y.dtype == run_mm.dtype == np.int32
    run = lengths.slot_run_mm(40, 1, 1)
    assert np.array_equal(run_mm[np.abs(np.subtract.outer(x, x)), np.abs(np.subtract.outer(y, y))], run)


def without(room, segment):
    kept = np.arange(len(room.segments)) != segment
    names = ("segments", "segment_mm", "segment_mm2", "segment_tray", "segment_carries")
    return replace(room, **{name: getattr(room, name)[kept] for name in names})


def changed(room, name, place, by):
    values = getattr(room, name).copy()
    values[place] += by
    return replace(room, **{name: values})


@pytest.mark.parametrize(
    "spoiled",
    [
        without(GRID, 3),
        changed(GRID, "segment_mm", 5, 1),
        changed(GRID, "node_xyz", (2, 2), 100),
        changed(GRID, "node_xyz", (2, 0), 100),
        replace(GRID, slot_node=np.zeros_like(GRID.slot_node)),
    ],
    ids=["segment missing", "segment longer", "node higher", "node aside", "slots share a node"],
)
def test_anything_less_than_a_lattice_is_none_and_still_exact(spoiled):
    assert TrayDistances(GRID).lattice is not None
    assert TrayDistances(spoiled).lattice is None
    assert_all_routes(spoiled)


def test_uneven_ends_have_no_short_form():
    room = changed(replace(GRID, end_mm=None), "slot_xy", (4, 1), 10)
    lengths = Lengths(room, CABINET, Slack())
    assert lengths.distances.lattice is not None
    assert lengths.lattice(40, 1, 1) is None


@pytest.mark.parametrize(("plan", "grid"), [("hall-a", False), ("lab", False), ("spectralfly", True), ("mddp", True)])
def test_shipped_rooms(plan, grid):
    room = floor.room(plan, routers=120)
    assert_all_routes(room)
    lengths = Lengths(room, CABINET, Slack())
    assert (lengths.lattice(40, 1, 1) is not None) == grid
    if grid:
        assert_short_form_agrees(lengths)
    run = lengths.slot_run_mm(40, 1, 1)
    assert run.dtype == np.int32
    assert np.array_equal(lengths.slot_run_rows(np.array([3, 1]), 40, 1, 1), run[[3, 1]])


def test_blocks_change_nothing(monkeypatch):
    expected = Lengths(LAB, CABINET, Slack()).slot_run_mm(40, 1, 1)
    monkeypatch.setattr(floor.distances, "BLOCK", 40)
    monkeypatch.setattr(floor.chains, "BLOCK", 1)
    assert np.array_equal(Lengths(LAB, CABINET, Slack()).slot_run_mm(40, 1, 1), expected)


def test_lengths_beyond_int32_are_refused():
    room = room_of([[0, 0, 2600], [1, 0, 2600], [2, 0, 2600]], [[0, 1], [1, 2]], [2**30, 2**30], [0, 2])
    with pytest.raises(InputError, match="2147 km long"):
        TrayDistances(room)
    almost = Lengths(changed(room, "segment_mm", 0, -1), CABINET, Slack())
    with pytest.raises(InputError, match="a run is 2147 km long"):
        almost.slot_run_mm(40, 1, 1)


def plain_route(a, b, end, to_end, chain, between):
    """Twin of the kernels."""
    through = [to_end[a][i] + between[end[a][i]][end[b][k]] + to_end[b][k] for i in (0, 1) for k in (0, 1)]
    along = [abs(to_end[a][0] - to_end[b][0])] if chain[a] == chain[b] >= 0 else []
    return min(through + along)


@given(st.integers(0, 2**32))
def test_kernels_equal_their_twin(seed):
    rng = np.random.default_rng(seed)
    slots, junctions = (int(rng.integers(1, high)) for high in (9, 5))
    end, chain = rng.integers(0, junctions, (slots, 2)), rng.integers(-1, 2, slots)
    to_end, between = rng.integers(0, 50, (slots, 2)), rng.integers(0, 90, (junctions, junctions))
    arrays = [values.astype(np.int32) for values in (end, to_end, chain, between)]
    plain = [[plain_route(a, b, *(values.tolist() for values in arrays)) for b in range(slots)] for a in range(slots)]
    length_mm = np.empty((slots, slots), np.int32)
    kernel.rows(np.arange(slots), *arrays, length_mm)
    assert length_mm.tolist() == plain
    a, b = np.divmod(np.arange(slots * slots), slots)
    single = np.empty(slots * slots, np.int32)
    kernel.pairs(a, b, *arrays, single)
    assert single.reshape(slots, slots).tolist() == plain
