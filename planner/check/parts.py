"""Rules of parts: what is bought covers its cable and fits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check._places import cable_name, error
from planner.model import Plan, Violation


def parts_cover_their_cables(plan: Plan) -> Iterator[Violation]:
    """The stock length is on sale, covers the run, stays in reach, costs what is planned, and fits both sockets at the rate."""
    cables, catalog = plan.cables, plan.catalog
    for number in np.flatnonzero(cables.stock_mm < cables.run_mm):
        yield error(
            "parts_cover_their_cables",
            cable_name(plan, number),
            cables.stock_mm[number],
            cables.run_mm[number],
            "mm",
            "stock too short",
        )
    link = np.arange(cables.cable_count) < plan.topology.link_count
    far = {True: catalog.router.connector, False: catalog.endpoint.connector}
    rate = {True: catalog.router.rate_gbps, False: catalog.endpoint.rate_gbps}
    kinds = np.column_stack([cables.assembly, cables.stock_mm, cables.price_cents, link])
    for kind in np.unique(kinds, axis=0) if len(kinds) else ():
        made_of, stock, price, is_link = cables.assemblies[kind[0]], int(kind[1]), int(kind[2]), bool(kind[3])
        wrong = []
        if (stock, price) not in zip(made_of.stock_mm, made_of.price_cents, strict=True):
            wrong.append(f"{made_of.id} is not sold at {stock} mm for {price} cents")
        if stock > made_of.reach_mm:
            wrong.append(f"{made_of.id} reaches {made_of.reach_mm} mm")
        if sorted((made_of.connector_a, made_of.connector_b)) != sorted((catalog.router.connector, far[is_link])):
            wrong.append(f"{made_of.id} does not fit {catalog.router.connector} and {far[is_link]}")
        if made_of.rate_gbps != rate[is_link]:
            wrong.append(f"{made_of.id} runs at {made_of.rate_gbps} Gb/s, not {rate[is_link]}")
        for message in wrong:
            first = int(np.flatnonzero((kinds == kind).all(axis=1))[0])
            yield error("parts_cover_their_cables", cable_name(plan, first), stock, made_of.reach_mm, "mm", message)
