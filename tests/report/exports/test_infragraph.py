"""InfraGraph: its own library validates the file and expands it to the graph of the plan."""

from __future__ import annotations

from collections import Counter

import pytest
import yaml
from shared.gallery import planned

from planner.formats import write


@pytest.fixture(scope="session")
def expand():
    """The graph of a file by the library of the format, which takes seconds to import."""
    from infragraph.infragraph_service import InfraGraphService

    def graph(path):
        service = InfraGraphService()
        service.set_graph(path.read_text(encoding="utf-8"))
        return service.get_networkx_graph()

    return graph


def connections(graph):
    """Edges between devices: instance and port at both ends, with their link class."""
    found = Counter()
    for a, b, facts in graph.edges(data=True):
        (first, _, _, port), (second, _, _, other) = a.split("."), b.split(".")
        if first != second:
            found[frozenset([(first, int(port)), (second, int(other))]), facts["link"]] += 1
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("which", ["plan", "twin"])
def test_the_graph_is_that_of_the_plan(which, request, expand, tmp_path):
    plan = request.getfixturevalue(which)
    path = write(plan, tmp_path, "infragraph")
    content, made = yaml.safe_load(path.read_text()), plan.cables
    delay = {link["name"]: link["physical"]["latency"]["ns"] for link in content["links"]}
    found = connections(expand(path))
    assert sum(found.values()) == made.cable_count
    names = plan.inventory.names
    routers = plan.topology.router_count
    wanted = Counter(
        (
            frozenset((str(names[end]), port - 1 if end < routers else 0) for end, port in zip(ends, ports, strict=True)),
            delay_ps / 1000,
        )
        for ends, ports, delay_ps in zip(made.device.tolist(), made.port.tolist(), made.delay_ps.tolist(), strict=True)
    )
    assert Counter({(ends, delay[link]): count for (ends, link), count in found.items()}) == wanted


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
def test_several_networks_have_ports_of_their_own(expand, tmp_path_factory, tmp_path):
    superpod = planned("superpod-h100", tmp_path_factory.mktemp("superpod"))
    for network, links in (("compute", 2044), ("oob", None)):
        found = connections(expand(write(superpod, tmp_path, "infragraph", network=network)))
        rows = superpod.inventory.connections(superpod.network_names.index(network), direct=True)
        assert sum(found.values()) == rows.stop - rows.start
        assert links is None or sum(found.values()) == links
        ends = [end for pair, _ in found for end in pair]
        assert len(ends) == len(set(ends))
