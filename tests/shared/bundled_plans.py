"""Plans with cables in looms, over trunks, in multi-core fibers or over shuffle boxes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from planner.design.bill import bill
from planner.design.cabling import cable
from planner.design.cabling.panels import panels
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.domain import catalog
from planner.domain.model import Catalog, Plan
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology
from shared.plan_study import study_of

PARTS = catalog.select("nvidia-sn4700", "server-half-unit-400g", "hpe-10648-g2", media=("passive copper", "transceiver"))

KINDS = {
    "loom": {},
    "row_loom": {},
    "trunk": {},
    "trunk by cabinets": {"level": "cabinet"},
    "trunk by zones": {"level": "zone"},
    "multicore": {"fiber_cents": 5000},
    "shuffle": {"box_cents": 100_000},
}
"""Parameters by the kind of bundling; the first word is the kind."""

WITHOUT_TRUNKS = "shuffle in one area"
"""All links are inside one area, whose shuffle boxes join them."""

KINDS[WITHOUT_TRUNKS] = {"level": "zone", "box_cents": 100_000}

OVER_PANELS = [kind for kind in KINDS if "loom" not in kind and kind != WITHOUT_TRUNKS]


@cache
def duplex_parts() -> Catalog:
    """Parts whose only optical links are duplex, so that several share the plug of a trunk."""
    parts = catalog.select("nvidia-sb7800", "server-half-unit", "hpe-10648-g2", media=("passive copper", "transceiver"))
    return replace(parts, link_assemblies=tuple(one for one in parts.link_assemblies if one.plug != "mpo"))


@cache
def planned(kind: str, room: str = "two-halls", q: int = 7, duplex: bool = False) -> tuple[Plan, Lengths]:
    """Return a Slim Fly with one kind of bundling, and the lengths of its room."""
    network = topology.build("slimfly", q=q, endpoints_per_router=4)
    parts = duplex_parts() if duplex else PARTS
    hall = floor.room(room, routers=1)
    lengths = Lengths(hall, parts.cabinet, Slack())
    placed = place(network, parts, lengths, seed=1, algorithm="random")
    name, devices = kind.split()[0], inventory(network, parts)
    cables = cable(devices, parts, placed, lengths, bundling=name, bundling_parameters=KINDS[kind])
    over = panels(parts, hall, placed, cables, name, KINDS[kind])
    billed = bill(devices, parts, placed, cables, room=hall, rows=catalog.rows, spares="none", panels=over)
    study = study_of()
    study["cabling"] = study.get("cabling", {}) | {"bundling": name, "bundling_parameters": KINDS[kind]}
    plan = Plan(
        "t", "t", study, catalog=parts, room=hall, topology=network, inventory=devices, placement=placed, cables=cables,
        panels=over, bill=billed,
    )  # fmt: skip
    return plan, lengths
