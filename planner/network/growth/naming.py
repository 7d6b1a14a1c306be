"""Routers of an old network among those of a new one, and networks whose routers are renamed so that old ones come first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from planner.core import registry
from planner.core.errors import InputError
from planner.domain.model import Topology
from planner.network.growth.ports import aligned
from planner.network.topology import from_links
from planner.network.topology.construction.embedding import same_coordinates

GROWN = "grown "
"""Beginning of the name of the family of a network that is no member of it."""


def embedding(old: Topology, target: Topology) -> np.ndarray | None:
    """Return the router of the target that each old router becomes, int64 (R,); None if there is no such rule.

    A topology's file may define it as ``embed(old, target)``; otherwise it is the router of the same coordinates.
    """
    try:
        own = getattr(registry.load("topology", target.family), "embed", None)
    except InputError:
        own = None
    found = None if own is None else own(old, target)
    return same_coordinates(old, target) if found is None else found


def renamed(target: Topology, place: np.ndarray, old: Topology) -> Topology:
    """Return the target with its routers renamed: router r of the old network is `place[r]` of the target, others come last.

    Links that stay keep their ports.
    """
    order = np.concatenate([place, np.setdiff1d(np.arange(target.router_count), place)]).astype(np.int64)
    return aligned(old, chosen(target, order))


def chosen(network: Topology, order: np.ndarray) -> Topology:
    """Return the network of the named routers in this order, with the links among them."""
    number = np.full(network.router_count, -1)
    number[order] = np.arange(len(order))
    links = number[network.links]
    stay = (links >= 0).all(axis=1)
    owner = np.repeat(np.arange(network.router_count), network.degree)
    position = np.arange(len(owner)) - network.indptr[owner]
    key = np.empty((network.link_count, 2), np.int64)
    key[network.link, (owner == network.links[network.link, 1]).astype(int)] = position
    whole = len(order) == network.router_count
    names = network.endpoint_names
    if names and whole:
        first = np.searchsorted(network.endpoint_router, order)
        names = tuple(names[first[k] + n] for k, router in enumerate(order) for n in range(network.endpoints_of[router]))
    return from_links(
        network.family,
        network.params,
        len(order),
        links[stay],
        endpoints=network.endpoints_of[order],
        link_class=network.link_class[stay],
        link_class_names=network.link_class_names,
        group=network.group[order],
        group_names=network.group_names,
        coords=network.coords[order],
        coord_names=network.coord_names,
        port_key=key[stay],
        role=network.role[order],
        role_names=network.role_names,
        endpoint_names=names if whole else (),
        router_names=tuple(network.router_names[router] for router in order.tolist()) if network.router_names else (),
    )


def extended(
    old: Topology,
    routers: int,
    links: np.ndarray,
    *,
    params: Mapping[str, Any],
    link_class: np.ndarray | None = None,
    like: Topology | None = None,
) -> Topology:
    """Return a network of more routers, which need not be a member of a family.

    Parameters
    ----------
    old
        The old network, whose routers come first.
    routers, links
        The grown network, links int64 (L, 2).
    params
        Parameters of the growth, recorded next to those of the old network.
    link_class
        Class of each link of `links`, int (L,); by default links that stay keep theirs and the others have the one of most links.
    like
        A network of the same routers that has their endpoints, groups, coordinates and roles; by default new routers are like
        old ones in groups as large as theirs, and their coordinates are the numbers of routers.
    """
    classes = _classes(old, routers, links) if link_class is None else link_class
    place = _placed(old, routers) if like is None else _like(like)
    family = old.family.removeprefix(GROWN)
    params = {**old.params, "routers_first": old.params.get("routers_first", old.router_count), **params}
    names = old.link_class_names
    grown = from_links(f"{GROWN}{family}", params, routers, links, link_class=classes, link_class_names=names, **place)
    return aligned(old, grown)


def _classes(old: Topology, routers: int, links: np.ndarray) -> np.ndarray:
    usual = int(np.bincount(old.link_class, minlength=1).argmax())
    code = old.links[:, 0].astype(np.int64) * routers + old.links[:, 1]
    order = np.argsort(code, kind="stable")
    sorted_code = code[order]
    ends = np.sort(links, axis=1)
    wanted = ends[:, 0].astype(np.int64) * routers + ends[:, 1]
    at = np.minimum(np.searchsorted(sorted_code, wanted), max(len(code) - 1, 0))
    known = sorted_code[at] == wanted if len(code) else np.zeros(len(wanted), bool)
    return np.where(known, old.link_class[order[at]], usual) if len(code) else np.full(len(wanted), usual)


def _placed(old: Topology, routers: int) -> dict[str, Any]:
    added = routers - old.router_count
    endpoints = old.endpoints_of
    # New routers are of the kind of the majority of old ones.
    kinds, _first, count = np.unique(np.column_stack([old.role, endpoints]), axis=0, return_index=True, return_counts=True)
    role, per_router = kinds[np.argmax(count)].tolist()
    levels = []
    for level in old.group.T:
        size = max(1, round(len(level) / max(1, len(np.unique(level)))))
        levels.append(np.concatenate([level, level.max(initial=-1) + 1 + np.arange(added) // size]))
    return {
        "endpoints": np.concatenate([endpoints, np.full(added, per_router)]),
        "group": np.column_stack(levels) if levels else None,
        "group_names": old.group_names,
        "role": np.concatenate([old.role, np.full(added, role, old.role.dtype)]),
        "role_names": old.role_names,
    }


def _like(network: Topology) -> dict[str, Any]:
    return {
        "endpoints": network.endpoints_of,
        "group": network.group,
        "group_names": network.group_names,
        "coords": network.coords,
        "coord_names": network.coord_names,
        "role": network.role,
        "role_names": network.role_names,
    }
