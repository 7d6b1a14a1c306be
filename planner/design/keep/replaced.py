"""Devices of the kept plan that others of another part replace: their cables are plugged again port by port."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from planner.core.errors import Problem, suggestion


def same_groups(old: Any, new: Any) -> dict[int, int]:
    """Return the port of a part for each port of another one, as printed: the one with its number in the group of its name.

    Parameters
    ----------
    old, new
        Parts with port groups.
    """
    found, first = dict[int, int](), dict[str, int]()
    before = 0
    for group in new.groups:
        first[group.name] = before
        before += group.count
    before = 0
    for group in old.groups:
        if group.name in first:
            found |= {before + number: first[group.name] + number for number in range(1, group.count + 1)}
        before += group.count
    return found


def ports_of(replacements: Iterable, devices: Mapping[str, object], problems: list[Problem]) -> dict[str, dict[int, int]]:
    """Return the new port of each port of the kept plan that changes, by device.

    Problems are collected: unknown devices, devices that are listed twice, ports that are no numbers, two ports that become one.
    """
    found: dict[str, dict[int, int]] = {}
    for number, each in enumerate(replacements):
        place = f"replace.{number}"
        wrong = [port for port in each.ports if not (port.isascii() and port.isdigit() and len(port) < 7 and int(port) > 0)]
        problems += [Problem(f"{place}.ports", f"{port!r} is not a port", "write numbers as printed, from 1") for port in wrong]
        own = {int(port): new for port, new in each.ports.items() if port not in wrong}
        if twice := sorted({new for new in own.values() if list(own.values()).count(new) > 1}):
            message = f"several ports become port {twice[0]}"
            problems.append(Problem(f"{place}.ports", message, "give each port of the kept plan its own"))
        for name in each.devices:
            if name not in devices:
                message = f"the kept plan has no device {name!r}"
                problems.append(Problem(f"{place}.device", message, suggestion(name, devices)))
            elif name in found:
                problems.append(Problem(f"{place}.device", f"{name} is listed twice", "list each device once"))
            found[name] = own
    return found
