"""Attachments from a CSV table: device, port, router."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from planner.core import delimited
from planner.core.errors import InputError, Problem, suggestion
from planner.network.attachment._leaves import Leaves, Ports

_COLUMNS = ("device", "port", "router")


def attach(ports: Ports, leaves: Leaves, *, path: Path) -> np.ndarray:
    """Attach every port to the router that a table names.

    Parameters
    ----------
    path
        CSV file with the columns ``device`` (name), ``port`` (counted from 1 in its group) and ``router`` (number in the
        network, or name in the file of the network), relative to the folder of the study; one line for each port.

    Raises
    ------
    InputError
        With every wrong line, and every port without a line.
    """
    table = delimited.read(path)
    table.require(_COLUMNS)
    devices = {name: number for number, name in enumerate(ports.names)}
    routers = {name: place for place, name in enumerate(leaves.names or map(str, leaves.router.tolist()))}
    chosen, problems = np.full((ports.devices, ports.count), -1), []
    for line, cells in table.records():
        port = _number(cells["port"])
        router = cells["router"] if leaves.names else cells["router"].lstrip("0") or "0"
        device = devices.get(cells["device"], -1)
        if device < 0:
            remedy = suggestion(cells["device"], devices)
            problems.append(Problem("", f"there is no device {cells['device']!r}", remedy, str(path), line))
        elif not 1 <= port <= ports.count:
            message = f"{cells['device']} has no port {cells['port']!r} in this group"
            problems.append(Problem("", message, f"ports are 1 to {ports.count}", str(path), line))
        elif router not in routers:
            message = f"router {cells['router']!r} takes no ports of nodes"
            remedy = suggestion(router, routers) if leaves.names else "name a router with free ports by its number"
            problems.append(Problem("", message, remedy, str(path), line))
        elif chosen[device, port - 1] >= 0:
            problems.append(Problem("", f"port {port} of {cells['device']} is attached twice", "remove a line", str(path), line))
        else:
            chosen[device, port - 1] = routers[router]
    if not problems and (chosen < 0).any():
        device, port = np.argwhere(chosen < 0)[0].tolist()
        message = f"has no line for port {port + 1} of {ports.names[device]} and {int((chosen < 0).sum()) - 1} other ports"
        problems.append(Problem("", message, "add a line for each port", str(path)))
    if problems:
        raise InputError(problems)
    return chosen


def _number(text: str) -> int:
    """Return a whole number, or -1 for what is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 18 else -1
