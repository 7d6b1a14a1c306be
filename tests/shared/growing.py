"""Small networks of families and what they grow to."""

from functools import cache

from planner.core.errors import Infeasible
from planner.network.growth import step
from planner.network.growth.methods import auto, block, inside, match, rebalance, swaps
from planner.network.growth.naming import embedding
from planner.network.growth.step import Step
from planner.network.topology import build

NUCLEUS = {"nucleus": "mesh", "nucleus_parameters": {"sizes": [2, 2]}}
LARGER = {"nucleus": "mesh", "nucleus_parameters": {"sizes": [2, 3]}}
SLINGSHOT = {"kinds": ["compute", "storage"], "routers": [4, 2], "bundles": [[2, 1], [1, 1]], "endpoints_per_router": [3, 1]}
UNITS = {"rails": 2, "spines_per_pod": 2, "cores": 2, "uplinks": 4, "core_uplinks": 4}

PAIRS = [
    ("biswapped", NUCLEUS, LARGER),
    ("dln", {"routers": 16, "matchings": 2}, {"routers": 24, "matchings": 2}),
    ("dragonfly", {"a": 4, "h": 2, "groups": 5}, {"a": 4, "h": 2, "groups": 7}),
    ("dragonfly", {"a": 4, "h": 2, "groups": 4, "max_groups": 9}, {"a": 4, "h": 2, "groups": 6, "max_groups": 9}),
    ("fattree", {"k": 4, "clos": True, "subtrees": [3]}, {"k": 4, "clos": True, "subtrees": [4]}),
    ("fattree", {"k": 4, "clos": True, "subtrees": [4]}, {"k": 4, "clos": True}),
    ("galaxyfly", {"clusters": 2, "q": 5, "a": 2}, {"clusters": 3, "q": 5, "a": 2}),
    ("hpn", {"segments": 2, "rails": 2, "spines_per_plane": 2}, {"segments": 3, "rails": 2, "spines_per_plane": 2}),
    ("hypercube", {"dimensions": 3}, {"dimensions": 4}),
    ("hyperx", {"sizes": [3, 3]}, {"sizes": [4, 3]}),
    ("hyperx", {"sizes": [4, 2], "parallel": [3, 1]}, {"sizes": [5, 2], "parallel": [2, 2]}),
    ("jellyfish", {"routers": 20, "degree": 4}, {"routers": 28, "degree": 5}),
    ("kautz", {"d": 2, "diameter": 3}, {"d": 3, "diameter": 3}),
    ("leafspine", {"leaves": 8, "spines": 4, "uplinks": 8}, {"leaves": 12, "spines": 6, "uplinks": 8}),
    ("mddp", {"routers": 12, "degree": 4, "trials": 1}, {"routers": 16, "degree": 4, "trials": 1}),
    ("megafly", {"rho": 2, "a": 4, "groups": 3, "max_groups": 5}, {"rho": 2, "a": 4}),
    ("mesh", {"sizes": [3, 3]}, {"sizes": [3, 5]}),
    ("multiplane", {"planes": 2, "plane": "mesh", "plane_parameters": {"sizes": [2, 2]}},
     {"planes": 2, "plane": "mesh", "plane_parameters": {"sizes": [2, 3]}}),
    ("otis", NUCLEUS, LARGER),
    ("polarfly", {"q": 3}, {"q": 4}),
    ("polarstar", {"q": 2, "supernode_degree": 0}, {"q": 2, "supernode_degree": 3}),
    ("projective", {"q": 2}, {"q": 3}),
    ("skywalk", {"columns": 2, "rows": 2, "routers_per_cabinet": 4, "inside": 2, "outside": 2},
     {"columns": 3, "rows": 2, "routers_per_cabinet": 4, "inside": 2, "outside": 2}),
    ("slimfly", {"q": 4}, {"q": 5}),
    ("slingshot", SLINGSHOT | {"groups": [3, 2]}, SLINGSHOT | {"groups": [4, 3]}),
    ("spectralfly", {"p": 3, "q": 5}, {"p": 5, "q": 7}),
    ("swapped_dragonfly", {"k": 3, "m": 3}, {"k": 4, "m": 3}),
    ("threelevel", UNITS | {"units": 2}, UNITS | {"units": 3}),
    ("torus", {"sizes": [4, 4]}, {"sizes": [5, 4]}),
    ("xpander", {"degree": 4, "lifts": 1}, {"degree": 4, "lifts": 2}),
]  # fmt: skip
"""Family, parameters of the old network, and of the target."""

METHODS = {
    "auto": auto.grow,
    "block": block.grow,
    "swaps": swaps.grow,
    "match": lambda old, target: match.grow(old, target, moves=20_000),
    "rebalance": rebalance.grow,
    "inside": inside.grow,
}


@cache
def grown(number: int, method: str) -> Step | None:
    """Return the step of one of `PAIRS` by a method; None where the method does not apply, or states so."""
    family, first, last = PAIRS[number]
    old, target = build(family, **first), build(family, **last)
    if method in ("rebalance", "inside") and embedding(old, target) is None:
        return None
    try:
        return step(old, METHODS[method](old, target))
    except Infeasible:
        # New routers with more links than disjoint old links there are, as where spines are the routers of most links.
        assert method in ("block", "swaps")
        assert family in ("hyperx", "leafspine", "threelevel")
        return None
