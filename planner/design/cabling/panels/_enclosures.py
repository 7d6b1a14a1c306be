"""Trunks over patch panels: enclosures with cassettes or adapters in their bays."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.design.cabling.bundling import cassette_for
from planner.design.cabling.bundling.bundles.cables import numbered
from planner.design.cabling.panels._carried import Carried, Fitted
from planner.design.cabling.panels._jumpers import jumpered, rank_within
from planner.domain.model import CablePlan
from planner.domain.parts import BundlingParts


def in_enclosures(parts: BundlingParts, cables: CablePlan, carried: Carried, parameters: dict[str, Any]) -> Fitted:
    """Plug trunks into cassettes, those of one kind at each panel in turn, and mount cassettes in enclosures from the bottom."""
    chosen = [cassette_for(parts, one.plug, one.glass) for one in cables.assemblies]
    cassettes = sorted({one for one in chosen if one is not None}, key=lambda one: one.id)
    of_assembly = np.array([cassettes.index(one) if one is not None else -1 for one in chosen], np.int64)
    of_row = of_assembly[cables.assembly[carried.rows]]
    of_trunk = np.empty(len(carried.trunk_bundle), np.int64)
    of_trunk[carried.trunk] = of_row
    # Both ends of every plug in one list: sorted by area and kind of cassette, then by trunk.
    area, kind = carried.trunk_area[carried.plug_trunk].T.ravel(), np.tile(of_trunk[carried.plug_trunk], 2)
    plugs, sockets = (np.array([getattr(one, name) for one in cassettes], np.int64) for name in ("trunk_plugs", "ports"))
    rank = rank_within(area, kind)
    kinds, cassette = numbered(np.column_stack([area, kind, rank // plugs[kind]]))
    cassette = cassette.reshape(2, -1).T
    bay = rank_within(kinds[:, 0])
    places, enclosure = numbered(np.column_stack([kinds[:, 0], bay // parts.panel.bays]))
    socket = (rank % plugs[kind]).reshape(2, -1).T
    # A plug at the rear serves an equal share of the ports at the front.
    end = np.where(carried.turned[:, None], [[1, 0]], [[0, 1]])
    mine, shared = (each[carried.plug[:, None], end] for each in (cassette, socket))
    first, port = _positions(cables, carried, end)
    port += shared * (sockets // plugs)[of_row][:, None]
    panel = enclosure.ravel()
    return Fitted(
        kind=0,
        units=parts.panel.units,
        area=places[:, 0],
        place=places[:, 1],
        part=np.zeros(len(places), np.int64),
        parts=(parts.panel.id, *(one.id for one in cassettes)),
        cassette_panel=panel,
        cassette_bay=bay % parts.panel.bays + 1,
        cassette_part=1 + kinds[:, 1],
        plug_panel=panel[cassette],
        plug_cassette=cassette,
        plug_socket=socket + 1,
        fiber=first,
        **jumpered(cables, carried, panel[mine], mine, port),
    )


def _positions(cables: CablePlan, carried: Carried, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first fiber in the plug, and the port of that plug, at both ends of each row, from 1, int64 (N, 2) each.

    A trunk of type B joins fiber i with fiber n + 1 - i: the first port at one end is the last at the other.
    """
    fibers = cables.of_assembly("fibers")[carried.rows][:, None]
    shares, rank = carried.links_per_plug[carried.trunk][:, None], carried.rank_in_plug[:, None]
    port = np.where((end == 1) & (cables.polarity == "B"), shares - 1 - rank, rank)
    return port * fibers + 1, port + 1
