"""Cabling plan of the Prescriptive Topology Manager as Graphviz DOT: every switch checks its neighbors against it."""

from __future__ import annotations

from pathlib import Path

from planner.domain.model import Plan
from planner.view.ends import End, cables, meters
from planner.view.names import is_named
from planner.view.selection import WHOLE, Selection

ENDING = ".dot"


def write(
    plan: Plan,
    path: Path,
    *,
    endpoint_port: str = "",
    selection: Selection = WHOLE,
) -> None:
    """Write ``topology.dot``, an edge for each link; UTF-8.

    Ports of routers are called swp1, or swp1s0 where cages carry several. Edges have the labels of both ends and
    the stock length as attributes that PTM ignores.

    Parameters
    ----------
    endpoint_port
        Name of the endpoints' port; by default eth0, or in a plan of several networks the port as printed on the device.
    selection
        Which cables; of several networks by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.

    References
    ----------
    .. [1] CumulusNetworks/ptm, topology.dot.sample.
    """
    found = cables(plan, selection.of_one_network(plan))
    several = is_named(plan)

    def port(end: End) -> str:
        if not end.is_router:
            return endpoint_port or (end.port_name if several else "eth0")
        return f"swp{end.cage}s{end.lane - 1}" if end.ports_per_cage > 1 else f"swp{end.port}"

    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"graph {_quoted(plan.name)} {{\n")
        for cable in found:
            ends = " -- ".join(f"{_quoted(end.name)}:{_quoted(port(end))}" for end in (cable.a, cable.b))
            facts = {"taillabel": cable.a.label, "headlabel": cable.b.label, "length": f"{meters(cable.stock_mm)} m"}
            file.write(f"    {ends} [{', '.join(f'{key}={_quoted(text)}' for key, text in facts.items())}]\n")
        file.write("}\n")


def _quoted(text: str) -> str:
    r"""Return a text as a DOT string: backslashes are doubled, quotes escaped.

    >>> print(_quoted('hall "A"\\'))
    "hall \"A\"\\"
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
