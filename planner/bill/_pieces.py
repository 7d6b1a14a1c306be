"""Cables as bought, pulled and labeled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.model import CablePlan, Topology


@dataclass(frozen=True)
class Pieces:
    """The pieces of a cable plan, in order of their first rows.

    Attributes
    ----------
    row
        First row of each piece in the cable plan, int64 (N,).
    plugs
        Plugs of each piece, int64 (N,): 2, and more for a splitter.
    router_ports
        Router ports in use: 2 for each link, 1 for each endpoint; int64 (N,).
    server
        Whether it ends at endpoints, bool (N,).
    cents
        Price without transceivers, int64 (N,).
    power_mw
        Power of its own plugs, without transceivers, int64 (N,).
    """

    row: np.ndarray
    plugs: np.ndarray
    router_ports: np.ndarray
    server: np.ndarray
    cents: np.ndarray
    power_mw: np.ndarray

    def __len__(self) -> int:
        return len(self.row)


def pieces(topology: Topology, cables: CablePlan) -> Pieces:
    """Return the pieces of a plan, with the sums over their rows."""
    row = cables.first_of_piece
    link = np.arange(cables.cable_count) < topology.link_count
    ends = [made_of.ends for made_of in cables.assemblies]
    module_cents = np.array([[end.price_cents for end in pair] for pair in ends], np.int64).reshape(-1, 2)[cables.assembly]
    has_module = np.array([[end.part != "" for end in pair] for pair in ends], bool).reshape(-1, 2)[cables.assembly]

    def summed(of_rows: np.ndarray) -> np.ndarray:
        total = np.zeros(len(row), np.int64)
        np.add.at(total, cables.piece, of_rows)
        return total

    return Pieces(
        row=row,
        plugs=1 + cables.of_assembly("tails")[row],
        router_ports=summed(np.where(link, 2, 1)),
        server=~link[row],
        cents=summed(cables.price_cents - (cables.modules * module_cents).sum(axis=1)),
        power_mw=summed(np.where(has_module, 0, cables.power_mw).sum(axis=1)),
    )
