"""Links with lengths, router positions and cables between cabinets as Graph Golf and NII files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from planner.domain.model import Plan
from planner.formats.workbook.book import archive
from planner.view.selection import cables_of, one_network

ENDING = ".graph-golf.zip"


def write(plan: Plan, path: Path, *, network: str | None = None) -> None:
    """Write three files: ``.edges``, ``.coord`` and ``.clu.edges``; lengths and positions in whole centimeters.

    ``.edges`` has a line ``u v length`` for each link, ``.coord`` a line ``router cabinet y x`` for each router, and
    ``.clu.edges`` a line ``cabinet cabinet links`` for each pair of cabinets with links. All are numbered from 0; lengths
    are stock lengths, rounded up.

    Parameters
    ----------
    network
        One of several networks, by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, or no network of that name.

    References
    ----------
    .. [1] "Graph Golf: the order/degree problem competition", National Institute of Informatics.
    .. [2] I. Fujiwara et al., layout scripts of KoibuchiLab (the three files).
    """
    cables_of(plan)
    plan = one_network(plan, network)
    archive(path, {"network.edges": _edges(plan), "network.coord": _places(plan), "network.clu.edges": _between(plan)})


def _edges(plan: Plan) -> Iterator[str]:
    lengths = plan.cables.stock_mm[plan.inventory.links(plan.network)].tolist()
    for (u, v), length_mm in zip(plan.topology.links.tolist(), lengths, strict=True):
        yield f"{u} {v} {-(-length_mm // 10)}"


def _places(plan: Plan) -> Iterator[str]:
    cabinets = plan.placement.cabinet[plan.inventory.routers(plan.network)].tolist()
    places = plan.room.slot_xy[plan.placement.slot_of].tolist()
    for router, cabinet in enumerate(cabinets):
        x, y = (round(at / 10) for at in places[cabinet])
        yield f"{router} {cabinet} {y} {x}"


def _between(plan: Plan) -> Iterator[str]:
    cabinets = plan.cables.cabinet[plan.inventory.links(plan.network)].tolist()
    pairs = Counter(tuple(sorted(pair)) for pair in cabinets if pair[0] != pair[1])
    for (a, b), count in sorted(pairs.items()):
        yield f"{a} {b} {count}"
