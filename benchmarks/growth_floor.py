"""Joint placement of all phases against each phase alone: loss of length in a room of 20 x 10 cabinets.

``python -m benchmarks growth_floor`` prints the table of ``docs/method/growth.md`` in about ten minutes. ``python -m
benchmarks.growth_floor short`` takes a tenth of the moves.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from planner.design.placement import Phasing, place
from planner.domain import catalog
from planner.domain.model import Topology
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network.growth import plan
from planner.network.topology import build
from planner.studies.phased.networks import flow_of

CASES: dict[str, tuple[str, dict[str, Any], str, Sequence[Any], int, str]] = {
    "Jellyfish 300-400-600": ("jellyfish", {"degree": 16}, "routers", (300, 400, 600), 4, "inside"),
    "Dragonfly 16-20-33 groups": ("dragonfly", {"a": 8, "h": 4}, "groups", (16, 20, 33), 4, "auto"),
    "D3(4-6-8, 6)": (
        "swapped_dragonfly",
        {"k": 8, "m": 6},
        "cabinets",
        (tuple(range(4)), tuple(range(6)), tuple(range(8))),
        6,
        "auto",
    ),
    "HyperX (4-6-8) x 6 x 6": ("hyperx", {}, "sizes", ((4, 6, 6), (6, 6, 6), (8, 6, 6)), 6, "auto"),
}
"""Family, its parameters, the one that grows, its values, routers of a cabinet, and the method of growth."""

WEIGHTS = ((1, 1, 1), (3, 2, 1), (1, 2, 3))

MOVES = 30_000_000
"""Moves of each search for one phase; the joint one has three times as many, since its links are those of three phases."""


def main(arguments: Sequence[str] = ()) -> None:
    moves = MOVES // 10 if "short" in arguments else MOVES
    print("loss of length against each phase alone, %        " + "".join(f"{weights!s:>27}" for weights in WEIGHTS))
    for name in CASES:
        start = time.perf_counter()
        cells = [_text(loss) for loss in losses(name, WEIGHTS, moves)]
        print(
            f"{name:<28}{time.perf_counter() - start:>6.0f} s" + " " * 15 + "".join(f"{cell:>27}" for cell in cells), flush=True
        )


def _text(loss: np.ndarray) -> str:
    return " / ".join(f"{each:.1f}" for each in loss[:-1]) + f", sum {loss[-1]:.1f}"


def losses(name: str, weights: Sequence[tuple[int, ...]], moves: int) -> Iterator[np.ndarray]:
    """Yield the loss of each phase and of their weighted sum for some weights, in percent."""
    family, parameters, key, values, per_cabinet, method = CASES[name]
    networks = networks_of(family, parameters, key, values, method)
    parts, lengths = setting(per_cabinet)
    alone = [_length(network, _placed(network, parts, lengths, moves), lengths) for network in networks]
    for weight in weights:
        yield loss(networks, weight, parts, lengths, moves, alone)


def loss(
    networks: Sequence[Topology],
    weights: tuple[int, ...],
    parts: Any,
    lengths: Lengths,
    moves: int,
    alone: Sequence[int] | None = None,
) -> np.ndarray:
    """Return how much longer the links of each phase and their weighted sum are than if each phase is placed alone, percent."""
    if alone is None:
        alone = [_length(network, _placed(network, parts, lengths, moves), lengths) for network in networks]
    links = [np.repeat(network.links, weight, axis=0) for network, weight in zip(networks, weights, strict=True)]
    phasing = Phasing(networks, flow_of(networks[-1], links))
    slot = _placed(networks[-1], parts, lengths, len(networks) * moves, phasing=phasing)
    joint = [_length(network, slot, lengths) for network in networks]
    total = [np.dot(weights, each) for each in (joint, alone)]
    return 100 * (np.array([*joint, total[0]]) / np.array([*alone, total[1]]) - 1)


def networks_of(family: str, parameters: dict[str, Any], key: str, values: Sequence[Any], method: str) -> list[Topology]:
    """Return the networks of the phases."""
    ideal = [build(family, **parameters, **{key: value}, endpoints_per_router=0) for value in values]
    return list(plan(ideal, method=method).networks)


def setting(per_cabinet: int, rows: int = 10, columns: int = 20) -> tuple[Any, Lengths]:
    """Return parts and the lengths of a room with a number of slots, 0.6 m by 2.4 m: Manhattan and 4 m between cabinets."""
    parts = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "grid.toml"
        path.write_text(_room(rows, columns), encoding="utf-8")
        drawn = floor.room(str(path), routers=1, base=Path(folder))
    room = replace(drawn, end_mm=2000, in_cabinet_mm=1, cabinet_routers=per_cabinet)
    return parts, Lengths(room, parts.cabinet, Slack(end_mm=0, loop_mm=0))


def _room(rows: int, columns: int) -> str:
    width, depth = 600 * columns, 2400 * rows
    tray = "width_mm = 10000\nheight_mm = 10000\nelevation_mm = 3000\n"
    lines = [
        'title = "Grid"\nsource = "made for the benchmark"\nconfidence = "D"\ndate = "2026"\n',
        f"outline_mm = [[-1200, -2400], [{width}, -2400], [{width}, {depth}], [-1200, {depth}]]\n",
    ]
    for number in range(rows):
        y, name = 2400 * number, chr(ord("A") + number)
        lines.append(f'[[row]]\nname = "{name}"\nfirst_mm = [0, {y}]\ncount = {columns}\n')
        lines.append(f'[[tray]]\nname = "row {name}"\npath_mm = [[0, {y}], [{600 * (columns - 1)}, {y}]]\n{tray}')
    for number in range(columns):
        x = 600 * number
        lines.append(f'[[tray]]\nname = "column {number}"\npath_mm = [[{x}, 0], [{x}, {2400 * (rows - 1)}]]\n{tray}')
    return "\n".join(lines)


def _placed(network: Topology, parts: Any, lengths: Lengths, moves: int, phasing: Phasing | None = None) -> np.ndarray:
    groups = "ignored" if network.family.endswith("jellyfish") else "required"
    given = {"algorithm": "anneal", "objective": "length", "groups": groups, "endpoints": "together", "bounds": False}
    return place(network, parts, lengths, seed=1, phasing=phasing, moves=moves, **given).slot[: network.router_count]


def _length(network: Topology, slot: np.ndarray, lengths: Lengths) -> int:
    a, b = slot[network.links.T]
    between = np.abs(lengths.room.slot_xy[a] - lengths.room.slot_xy[b]).sum(axis=1) + 4000
    return int(np.where(a == b, 0, between).sum())


if __name__ == "__main__":
    main(sys.argv[1:])
