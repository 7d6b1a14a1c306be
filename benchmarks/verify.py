"""Comparison of fabrics with plans and the moves that mend them: errors of 1, 2 and 5 % of the cables.

Errors are swaps of plugs on a device and between devices, plugs in free ports, shifted blocks, missing and extra cables. Plugs is
the share of the plugs chosen to move that were misplugged: the rest are the other reading of a swap between devices. Times are
wall time.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from planner.fabric.verify.compare import compared
from planner.fabric.verify.repair import repaired

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from shared.miscabling import miscabled, of_topology

NETWORKS = (
    ("slimfly", {"q": 5}),
    ("slimfly", {"q": 13}),
    ("dragonfly", {"a": 8, "h": 4}),
    ("polarstar", {"q": 11, "supernode_degree": 3}),
    ("fattree", {"k": 16}),
    ("slimfly", {"q": 43}),
)
SHARES = (0.01, 0.02, 0.05)


def main() -> None:
    columns = f"{'network':<34}{'cables':>9}{'errors':>8}{'wrong':>8}{'moves':>8}{'plugs':>8}"
    print(f"{columns}{'compare (s)':>13}{'moves (s)':>11}")
    for family, parameters in NETWORKS:
        rows = of_topology(family, **parameters)
        for share in SHARES:
            errors = miscabled(rows, share, seed=1)
            located = errors.located
            started = time.perf_counter()
            difference = compared(rows, located)
            between = time.perf_counter()
            repair = repaired(difference, rows)
            ended = time.perf_counter()
            if len(repair.moves) != len(errors.moved):
                raise SystemExit(f"{len(repair.moves)} moves mend {len(errors.moved)} misplugged plugs")
            misplugged = {port for port, _ in errors.moved}
            agree = sum((move.device, move.from_port) in misplugged for move in repair.moves)
            name = f"{family} {', '.join(f'{key}={value}' for key, value in parameters.items())}"
            print(
                f"{name:<34}{len(rows):>9,}{share:>8.0%}{len(difference.wrong):>8,}{len(repair.moves):>8,}"
                f"{agree / max(1, len(repair.moves)):>8.1%}{between - started:>13.3f}{ended - between:>11.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
