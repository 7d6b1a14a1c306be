"""Rules of the inventory: its devices and connections are those of the network, in the parts of the catalog."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check.basis.existing import names_with_kept
from planner.check.basis.places import connection_name, device_name, unequal, unlike
from planner.check.basis.replaced import at_replaced, parts_in_use, replaced, with_replaced
from planner.check.basis.rule import rule
from planner.check.basis.tables import has_tables
from planner.core.record import plain
from planner.domain.model import Joint, Plan, Topology, Violation


@rule(2)
def devices_follow_the_network(plan: Plan) -> Iterator[Violation]:
    """Devices are the routers of the network, then a node for each endpoint, with the parts of the catalog."""
    if has_tables(plan):
        return
    inventory, topology, catalog, rule = plan.inventory, plan.topology, plan.catalog, "devices_follow_the_network"
    parts = (catalog.router, catalog.endpoint)
    ids = parts_in_use(plan, [one.id for one in parts])
    yield from unlike(rule, "inventory.parts", [one.id for one in inventory.parts], ids, "are not in use")
    for have, part in zip(inventory.parts, parts, strict=False):
        yield from unlike(rule, part.id, have == part, True, "is not as in the catalog")
    for field, want in (
        ("per_box", (1, catalog.endpoint.endpoints, *[1] * (len(ids) - 2))),
        ("role_names", (*topology.role_names, "node")),
        ("network_names", ("",)),
        ("group_names", topology.group_names),
        ("coord_names", topology.coord_names),
        ("first_router", [0, topology.router_count]),
        ("names", names_with_kept(plan, _names(topology))),
        ("rack", [-1] * (topology.router_count + topology.endpoint_count)),
        ("at", [0] * (topology.router_count + topology.endpoint_count)),
        ("rack_unit", ()),
        ("rack_position", ()),
        *([] if replaced(plan) else [("rows", ())]),
    ):
        yield from unlike(rule, f"inventory.{field}", plain(getattr(inventory, field)), plain(want), "does not match the network")
    # Nodes have neither groups nor coordinates.
    for field, of_routers, of_nodes in (
        ("part", np.zeros(topology.router_count), 1),
        ("role", topology.role, len(topology.role_names)),
        ("group", topology.group, -1),
        ("coords", topology.coords, -1),
    ):
        nodes = np.full((topology.endpoint_count, *of_routers.shape[1:]), of_nodes)
        want = np.concatenate([of_routers, nodes])
        if field == "part":
            want = with_replaced(plan, want, ids)
        yield from unequal(rule, getattr(inventory, field), want, lambda n: device_name(plan, n), f"inventory.{field}")


def _names(topology: Topology) -> list[str]:
    """Return the names of routers, then of nodes, by their ids."""
    digits = max(len(str(max(topology.router_count, topology.endpoint_count, 1) - 1)), 3)
    routers = topology.router_names or [f"R{str(number).zfill(digits)}" for number in range(topology.router_count)]
    given = topology.endpoint_names or [str(number) for number in range(topology.endpoint_count)]
    if any(set(name) - set("0123456789") for name in given):
        return [*routers, *given]
    return [*routers, *(f"E{name.lstrip('0').zfill(digits)}" for name in given)]


@rule(4)
def connections_follow_the_network(plan: Plan) -> Iterator[Violation]:
    """Connections are the links of the network, then one from each router to the node of each of its endpoints."""
    if has_tables(plan):
        return
    inventory, topology, rule = plan.inventory, plan.topology, "connections_follow_the_network"
    links, endpoints, routers = topology.link_count, topology.endpoint_count, topology.router_count
    of_endpoints = np.column_stack([topology.endpoint_router, routers + np.arange(endpoints)])
    ends = np.concatenate([topology.links.reshape(-1, 2), of_endpoints])
    kinds = np.concatenate([topology.link_class, np.full(endpoints, len(topology.link_class_names))])
    for field, want in (
        ("kind_names", [*topology.link_class_names, "endpoint"]),
        ("first_link", [0, links + endpoints]),
        ("first_endpoint", [links]),
        ("first_direct", [links + endpoints]),
    ):
        yield from unlike(rule, f"inventory.{field}", plain(getattr(inventory, field)), want, "does not match the network")
    for field, column in (
        ("ends", ends),
        ("rank", ranks(topology)),
        ("kind", kinds),
        ("joint", np.where(at_replaced(plan), inventory.joint, np.arange(links + endpoints) >= links)),
        ("port_group", np.zeros((links + endpoints, 2))),
        ("port", np.full((links + endpoints, 2), -1)),
        ("apart", np.full(links + endpoints, -1)),
    ):
        yield from unequal(rule, getattr(inventory, field), column, lambda n: connection_name(plan, n), f"inventory.{field}")


def ranks(topology: Topology) -> np.ndarray:
    """Return the rank of each link at both routers, then that of each endpoint at its router and node, int64 (L + H, 2).

    Ranks count port by port; a port whose link has other routers leaves the rank -1.
    """
    found = np.full((topology.link_count + topology.endpoint_count, 2), -1)
    used = np.diff(topology.indptr).astype(np.int64)
    router = np.repeat(np.arange(topology.router_count), used)
    rank = np.arange(len(router)) - np.repeat(topology.indptr[:-1].astype(np.int64), used)
    ends = topology.links[topology.link]
    for side in (1, 0):
        own = ends[:, side] == router
        found[topology.link[own], side] = rank[own]
    home = topology.endpoint_router
    order = np.argsort(home, kind="stable")
    first = np.searchsorted(home[order], home)
    place = np.empty(len(home), np.int64)
    place[order] = np.arange(len(home))
    found[topology.link_count :, 0] = used[home] + place - first
    found[topology.link_count :, 1] = 0
    return found


@rule(6)
def joints_follow_the_catalog(plan: Plan) -> Iterator[Violation]:
    """Links and endpoint cables may use the assemblies of the catalog, and cages have the ports of their parts.

    A node has the cages of the router where both have the same connector, otherwise cages of one port.
    """
    if has_tables(plan):
        return
    catalog, rule = plan.catalog, "joints_follow_the_catalog"
    router, node = catalog.router, catalog.endpoint
    size = router.ports_per_cage
    at_node = size if node.connector == router.connector else 1
    wanted = (
        Joint("links", catalog.link_assemblies, catalog.shared_link_assemblies, (size, size)),
        Joint("endpoint cables", catalog.endpoint_assemblies, catalog.shared_endpoint_assemblies, (size, at_node)),
    )
    # Replaced devices have joints of their own.
    joints = plan.inventory.joints[: len(wanted) if replaced(plan) else None]
    yield from unlike(rule, "inventory.joints", len(joints), len(wanted), "in number")
    for have, want in zip(joints, wanted, strict=False):
        yield from unlike(rule, "inventory.joints", have.name, want.name, "is named")
        yield from unlike(rule, want.name, tuple(have.ports_per_cage), want.ports_per_cage, "ports of a cage at both ends")
        for field in ("single", "shared"):
            own, known = getattr(have, field), getattr(want, field)
            where = f"{field} assemblies of {want.name}"
            yield from unlike(rule, where, [one.id for one in own], [one.id for one in known], "are not those of the catalog")
            wrong = [one.id for one, right in zip(own, known, strict=False) if one != right]
            yield from unlike(rule, where, wrong, [], "differ from the catalog")
