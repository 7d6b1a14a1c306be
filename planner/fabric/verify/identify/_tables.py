"""Plan and fabric as arrays: what is at the other end of each port of each switch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from planner.fabric.verify.found import HOST, SWITCH, Fabric
from planner.view.schedule import Connection, nodes_of

_LONE = 2
"""Maximum number of links of a device whose kind is unknown that is taken as a host."""


@dataclass(frozen=True)
class Ends:
    """Links between switches as seen from each end: port `port` of `device` is joined to port `far_port` of `far`, int64 (E,)."""

    device: np.ndarray
    port: np.ndarray
    far: np.ndarray
    far_port: np.ndarray

    @classmethod
    def of(cls, links: np.ndarray) -> Ends:
        """Return links (L, 4): device, port, far device, far port."""
        return cls(*np.ascontiguousarray(np.concatenate([links, links[:, [2, 3, 0, 1]]]).T))

    def __len__(self) -> int:
        return len(self.device)


@dataclass(frozen=True)
class Planned:
    """The plan: switches first, then hosts.

    Attributes
    ----------
    names
        Names of all devices.
    switches
        Number of switches S.
    far, far_port
        Device and port at the other end of each port of each switch, int32 (S + 1, P): S for a port without a switch at its other
        end, and in the last row, which is the row of unidentified switches; -1 for the port there.
    host
        Host at each port of each switch, int32 (S + 1, P), -1 without.
    host_ends
        By host, its ports: (port, switch, port of the switch); links between hosts are left out.
    """

    names: list[str]
    switches: int
    far: np.ndarray
    far_port: np.ndarray
    host: np.ndarray
    host_ends: dict[int, list[tuple[int, int, int]]]
    ends: Ends

    @cached_property
    def number(self) -> dict[str, int]:
        """Number of each device by its name in lower case."""
        return {name.casefold(): number for number, name in enumerate(self.names)}

    @cached_property
    def neighbors(self) -> list[np.ndarray]:
        """Distinct neighbors of each switch, ascending."""
        return [np.unique(row[row < self.switches]) for row in self.far[: self.switches]]


@dataclass(frozen=True)
class Seen:
    """The fabric as found: keys of switches first, then of hosts.

    Attributes
    ----------
    ends
        Links between switches, from both ends. Ports outside of the plan are 0.
    host_links
        Links of hosts: (switch, port of the switch, host, port of the host).
    """

    keys: list[str]
    switches: int
    ends: Ends
    host_links: list[tuple[int, int, int, int]]

    @cached_property
    def number(self) -> dict[str, int]:
        return {key: number for number, key in enumerate(self.keys)}


def planned(schedule: Sequence[Connection]) -> Planned:
    """Return the plan as arrays."""
    names_a, names_b = [row.a.device for row in schedule], [row.b.device for row in schedule]
    hosts = nodes_of(schedule)
    every = dict.fromkeys(chain.from_iterable(zip(names_a, names_b, strict=True)))
    names = [name for name in every if name not in hosts] + [name for name in every if name in hosts]
    number = {name: index for index, name in enumerate(names)}
    switches = len(names) - len(hosts)
    links, hosted = _split(
        [number[name] for name in names_a],
        [row.a.port for row in schedule],
        [number[name] for name in names_b],
        [row.b.port for row in schedule],
        switches,
    )
    ends = Ends.of(links)
    width = 1 + int(max(ends.port.max(initial=0), hosted[:, 1].max(initial=0)))
    far = np.full((switches + 1, width), switches, np.int32)
    far_port, host = np.full((2, switches + 1, width), -1, np.int32)
    far[ends.device, ends.port] = ends.far
    far_port[ends.device, ends.port] = ends.far_port
    host[hosted[:, 0], hosted[:, 1]] = hosted[:, 2]
    host_ends: dict[int, list[tuple[int, int, int]]] = {}
    for device, port, other, other_port in hosted.tolist():
        host_ends.setdefault(other, []).append((other_port, device, port))
    for ports in host_ends.values():
        ports.sort()
    return Planned(names, switches, far, far_port, host, host_ends, ends)


def _split(
    device: list[int], port: list[int], far: list[int], far_port: list[int], switches: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the links between switches, and those of hosts with the switch first, int64 (L, 4), without those between hosts."""
    links = np.array([device, port, far, far_port], np.int64).T.reshape(-1, 4)
    turned = links[:, 0] >= switches
    links[turned] = links[turned][:, [2, 3, 0, 1]]
    between = links[:, 2] < switches
    return links[between], links[~between & (links[:, 0] < switches)]


def seen(fabric: Fabric, plan: Planned) -> Seen:
    """Return the fabric as arrays, with ports numbered as in the plan."""
    a, b = [link.a for link in fabric.links], [link.b for link in fabric.links]
    keys_a, keys_b = [place.device for place in a], [place.device for place in b]
    degree = Counter(dict.fromkeys(fabric.devices, 0))
    degree.update(chain(keys_a, keys_b))
    hosts = {key for key, links in degree.items() if _is_host(fabric, key, links, plan)}
    keys = [key for key in degree if key not in hosts] + [key for key in degree if key in hosts]
    number = {key: index for index, key in enumerate(keys)}
    switches, width = len(keys) - len(hosts), plan.far.shape[1]
    links, hosted = _split(
        [number[key] for key in keys_a],
        [place.port for place in a],
        [number[key] for key in keys_b],
        [place.port for place in b],
        switches,
    )
    links[:, 1::2][links[:, 1::2] >= width] = 0
    hosted[:, 1][hosted[:, 1] >= width] = 0
    return Seen(keys, switches, Ends.of(links), list(map(tuple, hosted.tolist())))


def _is_host(fabric: Fabric, key: str, degree: int, plan: Planned) -> bool:
    device = fabric.devices.get(key)
    if device is not None and device.kind in (SWITCH, HOST):
        return device.kind == HOST
    name = device.name if device is not None else key
    number = plan.number.get(name.casefold())
    return number >= plan.switches if number is not None else degree <= _LONE
