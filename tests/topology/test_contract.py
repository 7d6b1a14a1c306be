"""What every family must hold, whoever wrote it."""

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.graphs import to_networkx

from planner.core import registry
from planner.core.errors import Infeasible, InputError
from planner.network import topology

FAMILIES = registry.names("topology")


@pytest.fixture(params=FAMILIES)
def network(request):
    module = registry.load("topology", request.param)
    return topology.build(request.param, **module.EXAMPLE)


PARALLEL = {"leafspine", "slingshot", "threelevel"}
"""Families whose examples have parallel links."""


@pytest.mark.slow
def test_links_are_sorted_and_connected(network):
    links = network.links
    assert (links[:, 0] < links[:, 1]).all()
    assert (len(np.unique(links, axis=0)) < len(links)) == (network.family in PARALLEL)
    assert np.array_equal(links, links[np.lexsort((links[:, 1], links[:, 0]))])
    assert links.min(initial=0) >= 0
    assert links.max(initial=0) < network.router_count
    assert networkx.is_connected(to_networkx(network)) == joined(network.family)


def joined(family):
    return getattr(registry.load("topology", family), "JOINED", True)


@pytest.mark.slow
def test_ports_are_symmetric(network):
    """Behind every port is the other end of its link, and each link has one port at each end."""
    owner = np.repeat(np.arange(network.router_count), network.degree)
    ends = network.links[network.link]
    assert np.array_equal(np.sort(np.column_stack([owner, network.indices]), axis=1), ends)
    assert np.array_equal(np.bincount(network.link, minlength=network.link_count), np.full(network.link_count, 2))


@pytest.mark.slow
def test_endpoints_are_contiguous_per_router(network):
    assert (np.diff(network.endpoint_router) >= 0).all()
    assert network.endpoint_count > 0
    assert network.endpoints_of.sum() == network.endpoint_count


@pytest.mark.slow
def test_groups_classes_and_coordinates_are_named(network):
    assert network.group.shape == (network.router_count, len(network.group_names))
    assert network.coords.shape == (network.router_count, len(network.coord_names))
    assert len(np.unique(network.coords, axis=0)) == network.router_count
    assert network.link_class.max(initial=0) < len(network.link_class_names)
    assert len(set(network.group_names)) == len(network.group_names)
    assert len(set(network.coord_names)) == len(network.coord_names)
    assert network.role.max() == len(network.role_names) - 1
    for fine, coarse in zip(network.group.T, network.group.T[1:], strict=False):
        assert len(np.unique(np.column_stack([fine, coarse]), axis=0)) == len(np.unique(fine)), "a group has one parent"


@pytest.mark.slow
def test_the_same_parameters_give_the_same_network(network):
    again = topology.build(network.family, **registry.load("topology", network.family).EXAMPLE)
    assert again.fingerprint == network.fingerprint


@pytest.mark.slow
def test_documentation(network):
    module = registry.load("topology", network.family)
    assert module.__doc__.strip()
    assert "References" in module.build.__doc__
    assert "Raises" in module.build.__doc__
    line, parameters = registry.summary("topology", network.family)
    assert line.endswith(".")
    assert parameters


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
@pytest.mark.slow
def test_wide_ranges_give_a_right_network_or_an_input_error(family, data):
    build = registry.function("topology", family)
    names = [n for n in build.__annotations__ if n != "return"]
    small = (
        st.integers(-3, 14)
        | st.none()
        | st.sampled_from(["iq", "paley", "relative", "x"])
        | st.lists(st.integers(0, 4), max_size=3)
    )
    parameters = data.draw(st.fixed_dictionaries({}, optional={name: small for name in names}))
    try:
        network = topology.build(family, **parameters)
    except (InputError, Infeasible) as error:
        assert str(error)
        return
    assert not joined(family) or networkx.is_connected(to_networkx(network))
    assert (network.links[:, 0] < network.links[:, 1]).all()


@pytest.mark.parametrize(
    ("family", "parameters", "message"),
    [
        ("slimfly", {"q": 6}, "nearest: 5 and 7"),
        ("slimfly", {"q": 2}, "nearest: 3"),
        ("polarstar", {"q": 6, "supernode_degree": 3}, "nearest: 5 and 7"),
        ("polarstar", {"q": 5, "supernode_degree": 5}, "nearest: 4 and 7"),
        ("polarstar", {"q": 5, "supernode_degree": 5, "supernode": "paley"}, "nearest: 4 and 6"),
        ("dragonfly", {"a": 4, "h": 2, "groups": 10}, "use at most 9"),
        ("dragonfly", {"a": 4, "h": 2, "groups": 5, "arrangement": "absolute"}, "absolute needs ah \\+ 1 = 9 groups"),
        ("dragonfly", {"a": 3, "h": 1, "groups": 4, "arrangement": "circulant"}, "odd number of groups"),
        ("torus", {"sizes": (4, 4), "block": (3, 2)}, r"use one of \[1, 2, 4\]"),
        ("jellyfish", {"routers": 5, "degree": 3}, "is odd"),
        ("jellyfish", {"routers": 5, "degree": 5}, "use at most 4"),
        ("slimfly", {"q": 5, "endpoint_per_router": 1}, "did you mean endpoints_per_router"),
        ("slimfy", {"q": 5}, "did you mean slimfly"),
        ("no.such.module", {}, "cannot be imported"),
    ],
)
def test_errors_name_the_nearest_valid_choice(family, parameters, message):
    with pytest.raises(InputError, match=message):
        topology.build(family, **parameters)


def test_ports_as_the_papers_number_them():
    """Dragonfly: local ports first, then port rh + j; torus: up, then down, dimension by dimension."""
    dragonfly = topology.build("dragonfly", a=4, h=2, arrangement="palmtree")
    for router in range(dragonfly.router_count):
        row = dragonfly.indices[dragonfly.indptr[router] : dragonfly.indptr[router + 1]]
        group, place = divmod(router, 4)
        assert row[:3].tolist() == [group * 4 + r for r in range(4) if r != place]
        for j in range(2):
            assert row[3 + j] // 4 == (group - (place * 2 + j) - 1) % 9
    torus = topology.build("torus", sizes=(5, 4))
    for router in range(20):
        x, y = divmod(router, 4)
        expected = [(x + 1) % 5 * 4 + y, (x - 1) % 5 * 4 + y, x * 4 + (y + 1) % 4, x * 4 + (y - 1) % 4]
        assert torus.indices[torus.indptr[router] : torus.indptr[router + 1]].tolist() == expected
