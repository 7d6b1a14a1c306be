"""Network interfaces that distribute their packets over planes: every plane by itself, in turn or by a hash."""

import numpy as np
import pytest
from shared.networks import ring

from planner.core.errors import InputError
from planner.kernels.packet.planes import fill_planes
from planner.network.metrics import interfaces, planes
from planner.network.topology import build
from planner.simulation import embed, examine, simulate
from planner.simulation.case import Case, rates
from planner.simulation.patterns import pattern
from planner.simulation.routers import RouterSettings
from planner.simulation.saturation import load_bound

PLANE = {"leaves": 4, "spines": 3, "uplinks": 4}
GIVEN = {"router_delay_ps": 100_000, "rate_gbps": 100}
RUN = {"seed": 1, "warmup": 1000, "cycles": 5000, **GIVEN}
NEVER = np.iinfo(np.int32).max


def delays(network):
    return np.full(network.link_count + network.endpoint_count, 5000)


def multiplane(count, **plane):
    return build("multiplane", planes=count, plane="leafspine", plane_parameters=PLANE | plane)


def simulated(network, **settings):
    return simulate(network, delays(network), **(RUN | settings))


def of_planes(result, network):
    """The mean load of the links of each plane, at every point."""
    plane = np.repeat(planes(network)[network.links[:, 0]], 2)
    return np.array([np.bincount(plane, load) / np.bincount(plane) for load in result.link_load])


# -- interfaces -------------------------------------------------------------------------------------


def test_interfaces_of_families():
    found = interfaces(multiplane(3))
    assert found.port.tolist() == [[h, 16 + h, 32 + h] for h in range(16)]
    assert found.node.tolist() == list(range(16))
    network = build("hpn", segments=2, rails=2, hosts_per_segment=3, spines_per_plane=2, pods=2, cores_per_plane=2)
    found, names = interfaces(network), network.coord_names
    assert (found.port.shape, sorted(found.port.ravel().tolist())) == ((2 * 2 * 3 * 2, 2), list(range(network.endpoint_count)))
    leaf = network.coords[network.endpoint_router[found.port]]
    # Both ports of a NIC are on one rail of one segment, in planes 0 and 1; a host has a NIC on each rail.
    for name in ("pod", "segment", "rail"):
        assert (leaf[:, 0, names.index(name)] == leaf[:, 1, names.index(name)]).all()
    assert leaf[:, :, names.index("plane")].tolist() == [[0, 1]] * len(leaf)
    assert leaf[:, 0, names.index("rail")].tolist() == [0, 1] * (len(leaf) // 2)


def test_interfaces_of_devices():
    """Device 7 owns two ports in plane 0 and three in plane 1; device 9 only one port."""
    network = build("leaves", leaves=2, endpoints_per_leaf=3)
    owner = np.array([[7, 4], [7, 0], [9, 0], [7, 1], [7, 3], [7, 5]])
    found = interfaces(network, owner)
    assert found.port.tolist() == [[1, 3], [0, 4]]
    assert found.node.tolist() == [0, 0]


# -- in turn ----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings", [{}, {"traffic": "permutation"}, {"process": "burst", "cycles": 20_000}, {"routing": "ugal"}]
)
def test_planes_in_turn_carry_what_one_carries(settings):
    """Per node three times the load of one plane: the same share of the ports."""
    one, three = build("leafspine", **PLANE), multiplane(3)
    loads = (0.3, 0.98) if "process" not in settings else (0.3, 0.8)
    alone = simulated(one, loads=loads, **settings)
    found = simulated(three, loads=loads, planes="spray", **settings)
    assert found.accepted == pytest.approx(alone.accepted, rel=0.06)
    assert found.mean_hops == pytest.approx(alone.mean_hops, rel=0.04)
    assert found.load_bound == pytest.approx(alone.load_bound)
    shares = of_planes(found, three)
    assert shares == pytest.approx(np.repeat(shares.mean(axis=1)[:, None], 3, axis=1), rel=0.05)


@pytest.mark.slow
def test_the_saturation_throughput_is_that_of_one_plane():
    alone = simulated(build("leafspine", **PLANE), loads=(0.5,), saturation=True, max_cycles=20_000)
    found = simulated(multiplane(2), loads=(0.5,), saturation=True, max_cycles=20_000, planes="spray")
    assert found.saturation_throughput == pytest.approx(alone.saturation_throughput, rel=0.03)


@pytest.mark.slow
def test_patterns_with_many_targets_stay_in_their_plane():
    """A hot node: of 16 nodes 15 send to it a quarter of their packets, at most its 3 ports of one phit per cycle."""
    found = simulated(multiplane(3), traffic="hot_spot", traffic_parameters={"share": 0.25}, loads=(0.2, 0.9), planes="spray")
    assert found.accepted[0] == pytest.approx(0.2, rel=0.05)
    assert found.dropped.sum() == 0
    assert found.accepted[1] < 0.6


@pytest.mark.slow
def test_valiant_stays_in_its_plane():
    """Twice the hops of minimal routing between uniform routers, and the pairs of each plane in the deadlock check."""
    network = multiplane(3)
    found = simulated(network, routing="valiant", loads=(0.2,), planes="spray")
    alone = simulated(build("leafspine", **PLANE), routing="valiant", loads=(0.2,))
    assert found.mean_hops[0] == pytest.approx(alone.mean_hops[0], rel=0.03)
    assert found.accepted[0] == pytest.approx(0.2, rel=0.05)
    assert (found.checked_pairs, found.router_pairs) == (3 * 4 * 3, 3 * 4 * 3)
    for routing in ("valiant", "ugal"):
        with pytest.raises(InputError, match="groups may belong to several planes"):
            simulated(network, routing=routing, routing_parameters={"through": "group"}, loads=(0.2,))


def test_wormhole_switching_in_planes():
    found = simulated(multiplane(2), preset="booksim", link_cycles=2, loads=(0.2,), planes="spray", routing="minimal")
    assert found.accepted[0] == pytest.approx(0.2, rel=0.06)


# -- hashed -----------------------------------------------------------------------------------------


def test_shares_of_hashed_pairs():
    network = multiplane(8)
    table, spread = pattern("permutation", None, network, 3, "hash")
    plane = np.empty(16, np.int64)
    fill_planes(np.arange(16), table.astype(np.int64), 8, plane)
    # One plane takes all packets of a node: eight times an even share.
    assert spread.share.tolist() == (8.0 * (plane[:, None] == np.arange(8))).tolist()
    # A uniform node has the targets in a plane that the hash gives it.
    _, spread = pattern("uniform", None, network, 3, "hash")
    for source in range(16):
        fill_planes(np.full(16, source), np.arange(16), 8, plane)
        counts = np.bincount(np.delete(plane, source), minlength=8)
        assert spread.share[source] == pytest.approx(counts * 8 / 15)


def test_a_hash_is_even():
    plane = np.empty(250_000, np.int64)
    fill_planes(*(axis.ravel() for axis in np.indices((500, 500))), 5, plane)
    assert np.abs(np.bincount(plane) - 50_000).max() < 5 * np.sqrt(50_000)
    # Opposite directions are independent.
    square = plane.reshape(500, 500)
    assert (square == square.T).mean() == pytest.approx(0.2, abs=0.01)


@pytest.mark.slow
def test_a_permutation_through_eight_planes_uses_one_port_of_each_node():
    """A port sends eight times an even share, so that a node gets no more than an eighth of its bandwidth."""
    network = multiplane(8)
    found = simulated(network, traffic="permutation", loads=(0.1, 0.5), planes="hash")
    assert found.accepted[0] == pytest.approx(0.1, rel=0.05)
    assert 0.95 / 8 < found.accepted[1] < 1.01 / 8
    sprayed = simulated(network, traffic="permutation", loads=(0.5,), planes="spray")
    assert sprayed.accepted[0] == pytest.approx(0.5, rel=0.05)


def test_the_bound_of_hashed_uniform_traffic_is_that_of_its_pairs():
    network = multiplane(2)
    embedded = embed(network, delays(network), RouterSettings(), **GIVEN)
    table, spread = pattern("uniform", None, network, 1, "hash")
    case = Case(**(vars(embedded.case) | {"traffic": "uniform", "table": table, "spread": spread}))
    port, plane = spread.port, np.empty(16, np.int64)
    router, total = network.endpoint_router, 0.0
    for source in range(16):
        fill_planes(np.full(16, source), np.arange(16), 2, plane)
        for target in set(range(16)) - {source}:
            hops = case.network.distance[router[port[source, plane[target]]], router[port[target, plane[target]]]]
            total += 2 / 15 * hops
    assert rates(case).sum() == pytest.approx(32)
    assert load_bound(case) == pytest.approx(min(1.0, 2 * network.link_count / total), rel=0.01)


# -- failures ---------------------------------------------------------------------------------------


def test_a_failed_leaf_drops_what_its_plane_should_carry():
    """Packets do not change planes: those to the four nodes of the leaf are dropped in its plane, all others arrive."""
    network = multiplane(2)
    fails = np.full(network.router_count, NEVER)
    fails[0] = 0
    found = simulated(network, loads=(0.4,), planes="spray", router_fails_at=fails, cycles=20_000)
    # 12 of 16 nodes send in that plane; 4 of the 15 others are not reached.
    created = found.delivered[0] + found.dropped[0]
    assert found.dropped[0] / created == pytest.approx(12 * 4 / 15 / (12 + 16), rel=0.08)
    whole = simulated(network, loads=(0.4,), planes="spray", cycles=20_000)
    assert of_planes(found, network)[0, 1] == pytest.approx(of_planes(whole, network)[0, 1], rel=0.03)


def test_a_failed_plane_leaves_the_others():
    network = multiplane(3)
    fails = np.where(planes(network) == 1, 0, NEVER)
    found = simulated(network, loads=(0.4,), planes="spray", router_fails_at=fails)
    assert found.dropped[0] == 0
    assert of_planes(found, network)[0, 1] == 0
    assert found.accepted[0] == pytest.approx(0.4 * 2 / 3, rel=0.05)


# -- what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["spray", "hash"])
@pytest.mark.parametrize("run", [simulate, examine.simulation])
def test_networks_without_planes_are_refused(rule, run):
    one = ring(4, 2)
    with pytest.raises(
        InputError, match=r"planes: test has no planes to distribute packets over.*remove the key, or use endpoint"
    ):
        run(one, delays(one), seed=1, loads=(0.1,), planes=rule, **GIVEN)
    leaves = build("leaves", leaves=4, endpoints_per_leaf=4)
    with pytest.raises(InputError, match=f"{rule} needs two nodes with a port in every plane of leaves"):
        run(leaves, delays(leaves), seed=1, loads=(0.1,), planes=rule, **GIVEN)


@pytest.mark.slow
def test_patterns_without_chances_are_refused_by_hash():
    network = multiplane(2)
    given = {"traffic": "shared.fixed_target", "traffic_parameters": {"targets": list(range(16))}}
    with pytest.raises(InputError, match=r"defines no function chances\(\), which hash needs.*spray"):
        simulated(network, loads=(0.1,), planes="hash", **given)
    given["traffic_parameters"] = {"targets": [(h + 5) % 16 for h in range(16)]}
    assert simulated(network, loads=(0.1,), planes="spray", **given).accepted[0] == pytest.approx(0.1, rel=0.1)


def test_loads_beyond_a_process_are_refused():
    """In eight planes a port of a permutation has eight times the load."""
    network = multiplane(8)
    given = {"planes": "hash", "traffic": "permutation", "packet_phits": 4}
    for run in (simulate, examine.simulation):
        with pytest.raises(InputError, match=r"a port creates at most a packet per cycle, not a load of 6.4"):
            run(network, delays(network), seed=1, loads=(0.8,), **given, **GIVEN)
        with pytest.raises(InputError, match=r"burst_load: 1.0 is not above the load 1.6"):
            run(network, delays(network), seed=1, loads=(0.2,), process="burst", **given, **GIVEN)
