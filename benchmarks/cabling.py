"""Cable routing under fill limits: time and detour, in halls with trays in both directions.

Cabinet pairs are anywhere in the hall. In the first table the capacity of every tray is a fraction of the highest load
of shortest routes. The second has rows of slots: single fibers in the large hall at its design fill, searched
from junction to junction and from segment to segment; both must give the same routes. If nothing fits, the last column names
the proof. All times are wall time.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from planner.design.cabling.trays import chains
from planner.design.cabling.trays.graph import Demands, TrayGraph
from planner.design.cabling.trays.negotiation import negotiate
from planner.design.cabling.trays.result import Negotiated
from planner.design.cabling.trays.routes import trays
from planner.hall import floor

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
    graph, demands = hall(4, 4, 40, 100)
    negotiate(tight(graph, demands, 0.3), demands)
    grids()
    print()
    rows_of_slots()


def grids() -> None:
    columns = f"{'cables':>8}{'pairs':>8}{'nodes':>7}{'share':>7}{'seconds':>9}"
    print(f"{columns}{'over shortest':>15}{'worst fill':>12}{'strands':>9}   proof")
    for columns, rows, pairs, cables, share in HALLS:
        graph, demands = hall(columns, rows, pairs, cables)
        graph = tight(graph, demands, share)
        routed, seconds = timed(graph, demands)
        longer = routed.length_mm / routed.uncongested_mm - 1
        worst = (fill_um2(graph, demands, routed) / graph.room_um2).max()
        print(
            f"{cables:>8,}{pairs:>8,}{graph.nodes:>7,}{share:>7.2f}{seconds:>9.2f}{longer:>15.3%}{worst:>12.1%}"
            f"{len(routed.demand):>9,}   {proof(routed)}",
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
        demands = Demands(node, np.ones(pairs), np.full(pairs, FIBER_UM2), np.ones(pairs))
        routed, seconds = timed(graph, demands)
        plain = ""
        if both:
            ratio, chains.MIN_CONTRACTION = chains.MIN_CONTRACTION, room.slot_count
            other, plain_seconds = timed(graph, demands)
            chains.MIN_CONTRACTION = ratio
            if not np.array_equal(other.segments, routed.segments):
                raise SystemExit("routes over junctions differ from those over segments")
            plain = f"{plain_seconds:.1f}"
        longer = routed.length_mm / routed.uncongested_mm - 1
        worst = (fill_um2(graph, demands, routed) / graph.room_um2).max()
        print(
            f"{pairs:>8,}{graph.nodes:>7,}{routed.rounds:>8}{seconds:>15.1f}{plain:>14}{longer:>15.3%}{worst:>12.1%}"
            f"   {proof(routed)}",
            flush=True,
        )


def timed(graph: TrayGraph, demands: Demands) -> tuple[Negotiated, float]:
    started = time.perf_counter()
    return negotiate(graph, demands), time.perf_counter() - started


def proof(routed: Negotiated) -> str:
    """Return the proof of infeasibility, if known."""
    found = routed.certificate
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


def tight(graph: TrayGraph, demands: Demands, share: float) -> TrayGraph:
    """Set the capacity of every tray to a fraction of the highest load of shortest routes."""
    fullest = fill_um2(graph, demands, negotiate(graph, demands)).max()
    return replace(graph, room_um2=np.full(len(graph.ends), int(share * fullest)))


def fill_um2(graph: TrayGraph, demands: Demands, routed: Negotiated) -> np.ndarray:
    """Return the cross-section of all cables in each segment, int64 (K,)."""
    use = np.zeros(len(graph.ends), np.int64)
    np.add.at(use, routed.segments, np.repeat(demands.cable_um2[routed.demand] * routed.cables, np.diff(routed.indptr)))
    return use


if __name__ == "__main__":
    main()
