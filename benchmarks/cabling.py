"""Cables under fill limits: time, and how much longer ways get, in halls with trays along and across.

Cabinet pairs lie anywhere in the hall. In the first table the room of every tray is a share of what the fullest one takes
when all ways are shortest. The second is about rows of slots: single fibers in the large hall at its design fill, searched
from junction to junction and from segment to segment; both must give the same ways. Where nothing fits, the last column names
the proof. All times are wall time of this machine, now.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from planner import floor
from planner.cabling import _chains
from planner.cabling._negotiated import Negotiated
from planner.cabling._negotiation import negotiate
from planner.cabling._routes import trays
from planner.cabling._trays import Demands, TrayGraph

HALLS = (
    # columns, rows, cabinet pairs, cables, room as a share of the fullest tray
    (25, 20, 4_000, 10_000, 0.5),
    (50, 40, 40_000, 100_000, 1.0),
    (50, 40, 40_000, 100_000, 0.6),
    (50, 40, 40_000, 100_000, 0.5),
    (50, 40, 40_000, 100_000, 0.4),
    (100, 80, 40_000, 100_000, 0.5),
)

LARGE_HALL = (
    # cabinet pairs, whether also from segment to segment
    (250_000, True),
    (500_000, False),
)
FIBER_UM2 = 7_100_000


def main() -> None:
    # The first calls load or compile the kernels.
    graph, pulls = hall(4, 4, 40, 100)
    negotiate(tight(graph, pulls, 0.3), pulls)
    grids()
    print()
    rows_of_slots()


def grids() -> None:
    columns = f"{'cables':>8}{'pairs':>8}{'nodes':>7}{'share':>7}{'seconds':>9}"
    print(f"{columns}{'over shortest':>15}{'worst fill':>12}{'strands':>9}   proof")
    for columns, rows, pairs, cables, share in HALLS:
        graph, pulls = hall(columns, rows, pairs, cables)
        graph = tight(graph, pulls, share)
        laid, seconds = timed(graph, pulls)
        longer = laid.length_mm / laid.uncongested_mm - 1
        worst = (fill_um2(graph, pulls, laid) / graph.room_um2).max()
        print(
            f"{cables:>8,}{pairs:>8,}{graph.nodes:>7,}{share:>7.2f}{seconds:>9.2f}{longer:>15.3%}{worst:>12.1%}"
            f"{len(laid.demand):>9,}   {proof(laid)}",
            flush=True,
        )


def rows_of_slots() -> None:
    columns = f"{'pairs':>8}{'nodes':>7}{'rounds':>8}{'junctions (s)':>15}{'segments (s)':>14}"
    print(f"{columns}{'over shortest':>15}{'worst fill':>12}   proof")
    room = floor.room("large-hall", routers=1)
    graph = trays(room, room.design_fill, np.zeros(len(room.segments), np.int64))
    for pairs, both in LARGE_HALL:
        random = np.random.default_rng(1)
        node = room.slot_node[random.integers(0, room.slot_count, (pairs, 2)), 1]
        pulls = Demands(node, np.ones(pairs), np.full(pairs, FIBER_UM2), np.ones(pairs))
        laid, seconds = timed(graph, pulls)
        plain = ""
        if both:
            worth, _chains.WORTH = _chains.WORTH, room.slot_count
            other, plain_seconds = timed(graph, pulls)
            _chains.WORTH = worth
            if not np.array_equal(other.segments, laid.segments):
                raise SystemExit("ways over junctions are not those over segments")
            plain = f"{plain_seconds:.1f}"
        longer = laid.length_mm / laid.uncongested_mm - 1
        worst = (fill_um2(graph, pulls, laid) / graph.room_um2).max()
        print(
            f"{pairs:>8,}{graph.nodes:>7,}{laid.rounds:>8}{seconds:>15.1f}{plain:>14}{longer:>15.3%}{worst:>12.1%}"
            f"   {proof(laid)}",
            flush=True,
        )


def timed(graph: TrayGraph, pulls: Demands) -> tuple[Negotiated, float]:
    started = time.perf_counter()
    return negotiate(graph, pulls), time.perf_counter() - started


def proof(laid: Negotiated) -> str:
    """Return what proves that nothing fits, if that is known."""
    found = laid.certificate
    return f"{'cut' if found.is_cut else 'prices'}, {len(found.segments)} trays" if found else ""


def hall(columns: int, rows: int, pairs: int, cables: int) -> tuple[TrayGraph, Demands]:
    """Return a grid of trays without limits and cables between random nodes, half of them copper, half fiber."""
    random = np.random.default_rng(1)
    node = np.arange(columns * rows).reshape(rows, columns)
    along = np.column_stack([node[:, :-1].ravel(), node[:, 1:].ravel()])
    across = np.column_stack([node[:-1].ravel(), node[1:].ravel()])
    count = len(along) + len(across)
    length = np.repeat([600, 1800], [len(along), len(across)])
    graph = TrayGraph(node.size, np.concatenate([along, across]), length, np.full(count, -1), np.full(count, 3))
    kind = random.integers(0, 2, pairs)
    number = 1 + random.multinomial(cables - pairs, np.full(pairs, 1 / pairs))
    area = np.where(kind == 0, 28_300_000, 7_100_000)
    return graph, Demands(random.integers(0, node.size, (pairs, 2)), kind, area, number)


def tight(graph: TrayGraph, pulls: Demands, share: float) -> TrayGraph:
    """Give every tray this share of what the fullest takes when all ways are shortest."""
    fullest = fill_um2(graph, pulls, negotiate(graph, pulls)).max()
    return replace(graph, room_um2=np.full(len(graph.ends), int(share * fullest)))


def fill_um2(graph: TrayGraph, pulls: Demands, laid: Negotiated) -> np.ndarray:
    """Return the cross-section of all cables in each segment, int64 (K,)."""
    use = np.zeros(len(graph.ends), np.int64)
    np.add.at(use, laid.segments, np.repeat(pulls.cable_um2[laid.demand] * laid.cables, np.diff(laid.indptr)))
    return use


if __name__ == "__main__":
    main()
