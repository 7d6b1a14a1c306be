"""Maximum flows between routers of a network."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import maximum_flow

from planner.domain.model import Topology


def carries(network: Topology, sources: np.ndarray, targets: np.ndarray) -> int:
    """Return the maximum flow over links of rate 1 if each router sends and takes at most what its endpoints do."""
    count, rate = network.router_count, network.endpoints_of
    both = np.concatenate([network.links, network.links[:, ::-1]])
    start = np.concatenate([both[:, 0], np.full(len(sources), count), targets])
    end = np.concatenate([both[:, 1], sources, np.full(len(targets), count + 1)])
    rates = np.concatenate([np.ones(len(both), np.int32), rate[sources], rate[targets]])
    graph = coo_array((rates, (start, end)), shape=(count + 2,) * 2).tocsr().astype(np.int32)
    return int(maximum_flow(graph, count, count + 1).flow_value)
