"""Jobs on planes that are not joined: every network interface has a rank and a port in each plane."""

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.kernels.packet.planes import fill_planes
from planner.network.metrics import interfaces, planes
from planner.network.topology import build
from planner.simulation import examine
from planner.simulation.messages import Program
from planner.simulation.ports import endpoints_of, parts, rank_ports
from planner.simulation.replay import run_motif
from planner.simulation.workload import Job, workload

PACKET = 16 * 64
PLANE = {"leaves": 4, "spines": 4, "uplinks": 4}
GIVEN = {"router_delay_ps": 0, "rate_gbps": 400, "seed": 1}


def delays(network):
    return np.zeros(network.link_count + network.endpoint_count, np.int64)


def multiplane(count):
    return build("multiplane", planes=count, plane="leafspine", plane_parameters=PLANE)


def hpn():
    return build("hpn", segments=2, rails=2, hosts_per_segment=4, spines_per_plane=4)


def ran(network, motif="alltoall", **settings):
    return run_motif(network, delays(network), motif=motif, **(GIVEN | settings))


def places(network, result, name):
    """A coordinate of the leaf at both ends of each message."""
    column = network.coord_names.index(name)
    return tuple(network.coords[network.endpoint_router[ends], column] for ends in (result.source, result.target))


@pytest.mark.slow
@pytest.mark.parametrize("motif", ["alltoall", "allreduce", "broadcast"])
@pytest.mark.parametrize("planes", [2, 4])
def test_messages_sprayed_over_planes_take_the_time_of_their_parts(motif, planes):
    """A message of 4 p packets over p planes is in each plane one of 4 packets, as if the others were not there."""
    sizes = {"alltoall": 4, "allreduce": 64, "broadcast": 4}
    size = sizes[motif] * PACKET
    alone = ran(build("leafspine", **PLANE), motif, motif_parameters={"bytes": size})
    found = ran(multiplane(planes), motif, motif_parameters={"bytes": size * planes}, port_rule="spray")
    assert (found.ranks, len(found.bytes), found.bytes.sum()) == (16, len(alone.bytes), planes * alone.bytes.sum())
    assert found.bound_cycles == alone.bound_cycles
    assert found.completion_cycles == alone.completion_cycles
    assert (found.delivered >= found.started).all()
    # One port alone takes longer by about the number of planes.
    narrow = ran(multiplane(planes), motif, motif_parameters={"bytes": size * planes}, port_rule="rail")
    assert narrow.completion_cycles > 0.9 * planes * found.completion_cycles


@pytest.mark.parametrize("rule", ["rail", "hashed", "spray"])
def test_rails_of_hpn(rule):
    """Rank j of a host is NIC j on rail j; an all-to-all on rails never leaves its rail, and a message never its plane."""
    network = hpn()
    found = ran(network, "rail_alltoall", motif_parameters={"node_ranks": 2, "bytes": 4 * PACKET}, port_rule=rule)
    assert (found.ranks, found.complete) == (2 * 4 * 2, True)
    for name in ("rail", "plane"):
        one, two = places(network, found, name)
        assert (one == two).all()
    # NIC j of a host is rank j of it: that many ranks before it.
    host = np.repeat(np.arange(8), 2)
    assert interfaces(network).node.tolist() == host.tolist()
    coords, names = network.coords[network.links.min(axis=1)], network.coord_names
    load = found.link_load.reshape(-1, 2).max(axis=1)
    used = {(rail, plane) for rail, plane in coords[load > 0][:, [names.index("rail"), names.index("plane")]].tolist()}
    # Rank modulo ports is the NIC here: each rail stays in one plane, while the other rules use both.
    assert used == ({(0, 0), (1, 1)} if rule == "rail" else {(0, 0), (0, 1), (1, 0), (1, 1)})


def test_hashed_pairs_take_the_plane_of_traffic():
    network = multiplane(3)
    found = ran(network, motif_parameters={"bytes": PACKET}, port_rule="hashed")
    plane = planes(network)[network.endpoint_router]
    assert (plane[found.source] == plane[found.target]).all()
    wanted = np.empty(len(found.source), np.int64)
    fill_planes(found.source.astype(np.int64) % 16, found.target.astype(np.int64) % 16, 3, wanted)
    assert plane[found.source].tolist() == wanted.tolist()


def test_rail_names_the_plane_of_the_target():
    found = ran(multiplane(3), motif_parameters={"bytes": PACKET})
    assert (found.source // 16 == found.target % 16 % 3).all()
    assert (found.source // 16 == found.target // 16).all()


def test_parts_are_the_packets_of_each_port_in_turn():
    """By hand, packet by packet: the packets of a rank take the ports in turn, whatever message they belong to."""
    program = Program(3)
    program.send([0, 0, 1], [1, 2, 0], [5 * PACKET, 1, 7 * PACKET - 3])
    program.send([0, 2], [1, 0], [2 * PACKET, 9 * PACKET])
    messages, ports = program.messages(), 4
    packets = np.maximum(1, -(-messages.bytes // PACKET))
    sent = parts(messages, packets, ports, "spray")
    port = np.arange(3 * ports).reshape(3, ports)
    leaves, arrives = endpoints_of(sent, port, "spray")
    assert (leaves % ports == arrives % ports).all()
    counted = {}
    turn = [0, 0, 0]
    for message, (source, count) in enumerate(zip(messages.source.tolist(), packets.tolist(), strict=True)):
        for _ in range(count):
            key = message, source * ports + turn[source] % ports
            counted[key] = counted.get(key, 0) + 1
            turn[source] += 1
    whole = np.repeat(np.arange(len(packets)), np.diff(np.append(sent.first, len(sent.packets))))
    found = {(int(m), int(e)): int(n) for m, e, n in zip(whole, leaves, sent.packets, strict=True)}
    assert found == counted
    assert np.bincount(whole, sent.messages.bytes).tolist() == messages.bytes.tolist()
    # Who waits for a message waits for each of its parts.
    for step, waited in enumerate(messages.dependencies()):
        assert sorted(whole[sent.messages.dependencies()[step]].tolist()) == sorted(
            part for message in waited for part in whole[whole == message].tolist()
        )


def test_a_workload_on_planes_reports_the_ports():
    network = hpn()
    jobs = (Job("alltoall", port_rule="spray"), Job("allreduce", 5, "groups", port_rule="hashed"), Job("broadcast", ports=2))
    found = workload(network, delays(network), jobs=jobs, **GIVEN)
    assert found.ports.tolist() == [2, 2, 2]
    assert found.ranks.tolist() == [16, 5, 16]
    assert found.finished.all()
    # Groups are those of the first port: the five ranks share a segment.
    port = rank_ports(network, 5, "groups", 1, None, "hashed")
    assert len(np.unique(network.group[network.endpoint_router[port], 0])) == 1


def test_nodes_of_a_study_are_their_devices():
    """Three devices of four ports, given in any order: two interfaces each."""
    network = build("leaves", leaves=2, endpoints_per_leaf=6)
    owner = np.array([[device, port] for device, port in [(5, 1), (3, 0), (4, 2), (3, 2), (5, 3), (4, 0)]] * 2)
    port = rank_ports(network, None, "linear", 1, None, "rail", owner)
    assert port.tolist() == [[1, 7], [3, 9], [5, 11], [2, 8], [0, 6], [4, 10]]
    found = ran(network, motif_parameters={"bytes": PACKET}, owner=owner, port_rule="spray")
    assert found.complete


def refused(network, words, **job):
    for run in (workload, examine.workload):
        with pytest.raises(InputError, match=words):
            run(network, delays(network), jobs=(Job("alltoall", **job),), **GIVEN)


def test_what_does_not_fit_is_refused():
    refused(multiplane(2), r"jobs\.0\.port_rule: any may lead to another plane.*use spray or hashed", port_rule="any")
    refused(multiplane(2), r"jobs\.0\.ports: nodes of multiplane have 2 ports, one in each plane, not 4", ports=4)
    refused(multiplane(2), r"jobs\.0\.ranks: 17 ranks exceed 16 nodes of 2 ports", ranks=17)
    leaves = build("leaves", leaves=3, endpoints_per_leaf=4)
    refused(leaves, r"jobs\.0\.topology: messages between planes of leaves have no path, and no node has a port in every plane")


def test_prescribed_paths_are_not_divided():
    network = build("swapped_dragonfly", k=2, m=4, endpoints_per_router=2)
    job = {"ports": 2, "port_rule": "spray", "motif_parameters": {"k": 2, "m": 4}}
    for run in (workload, examine.workload):
        with pytest.raises(InputError, match="spray divides messages, whose paths are prescribed"):
            run(network, delays(network), jobs=(Job("swapped_dragonfly", **job),), routing="swapped_dragonfly", **GIVEN)
