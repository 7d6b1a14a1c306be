"""Connections of several networks: links, ports that are attached, and cables between two nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.design.inventory.attached import Endpoints, Parts, main_group, main_groups
from planner.design.inventory.devices import Devices
from planner.design.inventory.direct import Pairs, direct
from planner.design.inventory.tables import Attachment, Network, Node
from planner.domain.model import Topology
from planner.domain.parts import EndpointPart, RouterPart


@dataclass(frozen=True, eq=False)
class Rows:
    """All connections; arrays (W, 2) and (W,) as in `planner.domain.model.Inventory`.

    `attachment` is the number of the attachment of each, -1 for links and connections between nodes. `first` holds the first
    link, endpoint and direct connection of each network in turn, and the number of all, int64 (3 N + 1,).
    """

    ends: np.ndarray
    rank: np.ndarray
    kind: np.ndarray
    kind_names: tuple[str, ...]
    group: np.ndarray
    port: np.ndarray
    network: np.ndarray
    attachment: np.ndarray
    attachments: tuple[Attachment, ...]
    first: np.ndarray

    @property
    def apart(self) -> np.ndarray:
        """Number of the device and attachment whose cables shall not all share a tray segment; -1 for none; int64 (W,)."""
        found = np.full(len(self.attachment), -1)
        chosen = np.flatnonzero(self._chosen(lambda each: "trays" in each.spread))
        keys = np.column_stack([self.attachment, self.ends[:, 1]])[chosen]
        found[chosen] = np.unique(keys, axis=0, return_inverse=True)[1].ravel()
        return found

    def _chosen(self, which: Callable[[Attachment], bool]) -> np.ndarray:
        """Return the connections of some attachments, bool (W,)."""
        return np.array([*map(which, self.attachments), False])[self.attachment]

    def on_line_cards(self, parts: Sequence[RouterPart | EndpointPart], part: np.ndarray) -> Rows:
        """Return the connections with those at directors on their line cards, which are used in printed order.

        Links come first, in the order of their router, then attached ports, then uplinks of the router. Line cards that an
        attachment names serve no others. `part` is the part of each device, int64 (D,).
        """
        group = self.group.copy()
        pools = [main_groups(each) for each in parts]
        is_link = (self.attachment < 0)[:, None] & (self.port < 0)
        for number, pool in enumerate(pools):
            ours = (part[self.ends] == number) & (group == pool[0])
            for device in np.unique(self.ends[ours]).tolist() if len(pool) > 1 else ():
                here = self.ends == device
                cards = [pool[0], *(card for card in pool[1:] if not (here & (group == card)).any())]
                rows, side = np.nonzero(here & ours)
                order = np.lexsort((rows, np.where(is_link[rows, side], self.rank[rows, side], 0), side, ~is_link[rows, side]))
                # Beyond the last port the connection stays at the last card, where it is found to be too many.
                card = np.repeat(cards, [parts[number].groups[card].count for card in cards])
                group[rows[order], side[order]] = card[np.minimum(np.arange(len(rows)), len(card) - 1)]
        return replace(self, group=group)

    @classmethod
    def of(
        cls,
        networks: Sequence[Network],
        nodes: Sequence[Node],
        topologies: Sequence[Topology],
        endpoints: Sequence[Endpoints],
        devices: Devices,
        parts: Parts,
    ) -> Rows:
        main = np.array([main_group(part) for part in devices.parts])
        names: list[str] = []
        columns: list[tuple[np.ndarray, ...]] = []
        attachments: list[Attachment] = []

        def kind(name: str) -> int:
            if name not in names:
                names.append(name)
            return names.index(name)

        numbers = {network.name: number for number, network in enumerate(networks)}
        for number, (network, topology, each) in enumerate(zip(networks, topologies, endpoints, strict=True)):
            first = int(devices.first_router[number])
            links = topology.links.astype(np.int64) + first
            classes = np.array([kind(name) for name in topology.link_class_names], np.int64)
            columns.append(
                (
                    links, link_ranks(topology), classes[topology.link_class], main[devices.part[links]],
                    np.full((len(links), 2), -1), np.full(len(links), number), np.full(len(links), -1),
                )
            )  # fmt: skip
            base = np.array(
                [devices.first_node[o.node] if o.node else devices.first_router[numbers[o.network]] for o in each.owners],
                np.int64,
            )
            far = base[each.owner] + each.device
            near = first + each.router
            # Uplinks use the ports that the links and endpoints of their router leave; cabling chooses them.
            uplink = (far < devices.first_router[-1]) & (each.group == main[devices.part[far]])
            own = [attachment.kind or _kind_of(attachment, network) for attachment in network.attachments]
            labels = np.array([kind(name) for name in own], np.int64)
            columns.append(
                (
                    np.column_stack([near, far]), endpoint_ranks(topology),
                    labels[each.attachment] if len(far) else np.zeros(0, np.int64),
                    np.column_stack([np.where(each.router_group < 0, main[devices.part[near]], each.router_group), each.group]),
                    np.column_stack([np.full(len(far), -1), np.where(uplink, -1, each.port)]), np.full(len(far), number),
                    len(attachments) + each.attachment,
                )
            )  # fmt: skip
            attachments += network.attachments
            every = direct(number, network, nodes, parts)
            columns.append(_direct(every, devices, np.array([kind(pairs.kind) for pairs in every], np.int64), number))
        ends, rank, kinds, group, port, network_of, attachment = (np.concatenate(column) for column in zip(*columns, strict=True))
        starts = np.cumsum([0, *(len(column[0]) for column in columns)])
        return cls(ends, rank, kinds, tuple(names), group, port, network_of, attachment, tuple(attachments), starts)


def _direct(every: Sequence[Pairs], devices: Devices, kind: np.ndarray, network: int) -> tuple[np.ndarray, ...]:
    """Return the columns of the connections between nodes of one network."""
    count = [len(pairs.port) for pairs in every]
    ends = [np.array([devices.first_node[name] for name in pairs.node]) + pairs.number for pairs in every]
    group = np.array([pairs.group for pairs in every], np.int64).reshape(-1, 2)
    port = np.concatenate([np.zeros(0, np.int64), *(pairs.port for pairs in every)])
    total = len(port)
    return (
        np.concatenate([np.zeros((0, 2), np.int64), *ends]), np.zeros((total, 2), np.int64), np.repeat(kind, count),
        np.repeat(group, count, axis=0), np.column_stack([port, port]), np.full(total, network), np.full(total, -1),
    )  # fmt: skip


def _kind_of(attachment: Attachment, network: Network) -> str:
    return attachment.ports or ("mgmt" if attachment.routers else network.name)


def link_ranks(topology: Topology) -> np.ndarray:
    """Return the port of each link at both routers, counted from 0, int64 (L, 2)."""
    owner = np.repeat(np.arange(topology.router_count), topology.degree)
    link = topology.link.astype(np.int64)
    # Both ends of a link differ, so the owner identifies the end of a position.
    side = (topology.links[link, 0] != owner).astype(np.int64)
    ranks = np.zeros((topology.link_count, 2), np.int64)
    ranks[link, side] = np.arange(len(owner)) - topology.indptr[owner]
    return ranks


def endpoint_ranks(topology: Topology) -> np.ndarray:
    """Return the port of each endpoint at its router, after the links, and 0 at the node, int64 (H, 2)."""
    router = topology.endpoint_router
    place = np.arange(len(router)) - np.searchsorted(router, router)
    return np.column_stack([topology.degree[router] + place, np.zeros_like(place)])
