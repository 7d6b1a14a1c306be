"""Which configuration is chosen for a family: networks that papers call balanced, and what is reported where there is none."""

from pathlib import Path

import pytest

from planner.core.errors import Infeasible, InputError
from planner.network.topology import build
from planner.studies import compare
from planner.studies.compare import cases
from planner.studies.compare.trimmed import build as trimmed
from planner.studies.explore.candidate import Demand
from planner.studies.explore.candidates import all_families, can_choose, candidates
from planner.studies.explore.capacity import limit_of
from planner.studies.explore.choice import choose

REPORT = Path(__file__).parents[2] / "reports" / "compare-5000"

TABLE_3 = {
    "PS-IQ": (1064, 15, 5320),
    # The paper prints 993 routers and 4,965 endpoints: (q² + q + 1)(2d' + 1) is 949 for q = 8 and d' = 6.
    "PS-Pal": (949, 15, 4745),
    "BF": (882, 15, 4410),
    "HX": (648, 23, 5184),
    "DF": (876, 17, 5256),
    "SF": (1092, 24, 8736),
    "MF": (1040, 16, 4160),
    "FT": (972, 36, 5832),
}
"""Routers, network radix and endpoints of K. Lakhotia et al., "PolarStar", SPAA 2024, Table 3."""


@pytest.mark.slow
def test_the_report_has_the_eight_networks_of_table_3():
    found = cases.cases(compare.load(REPORT))
    built = {case.label: build(**case.study.sections["topology"]) for case in found}
    assert {label: (t.router_count, int(t.degree.max()), t.endpoint_count) for label, t in built.items()} == TABLE_3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "ports", "endpoints", "network"),
    [
        # Ports are those of Table 3's routers: radix and endpoints.
        ("polarstar", 20, 5300, {"q": 11, "supernode_degree": 3, "supernode": "iq", "endpoints_per_router": 5}),
        ("bundlefly", 20, 4400, {"p": 9, "s": 7, "endpoints_per_router": 5}),
        ("hyperx", 31, 5000, {"sizes": [9, 9, 8], "endpoints_per_router": 8}),
        ("dragonfly", 23, 5200, {"a": 12, "h": 6, "endpoints_per_router": 6}),
        ("spectralfly", 32, 8700, {"p": 23, "q": 13, "endpoints_per_router": 8}),
        ("megafly", 16, 4100, {"rho": 8, "a": 16, "endpoints_per_leaf": 8}),
        # The paper's tree has 972 routers, those of the top with 18 of 36 ports; half of them with all ports do as well.
        ("fattree", 36, 5800, {"k": 18, "levels": 3, "clos": True, "subtrees": [18], "endpoints_per_leaf": 18}),
        # M. Besta, T. Hoefler, "Slim Fly", SC 2014: about half the radix; 19 + 9 ports for q = 13.
        ("slimfly", 28, 3000, {"q": 13, "endpoints_per_router": 9}),
    ],
)
def test_balanced_networks_of_papers_are_chosen_where_ports_are_theirs(family, ports, endpoints, network):
    found = choose(family, ports, Demand(endpoints))
    assert {key: value for key, value in found.topology.items() if key != "family"} == network


@pytest.mark.parametrize("family", ["hypercube", "slimfly", "spectralfly", "torus"])
def test_networks_of_one_kind_of_link_bear_radix_over_mean_distance(family):
    parameters = {
        "hypercube": {"dimensions": 6}, "slimfly": {"q": 5}, "spectralfly": {"p": 3, "q": 5}, "torus": {"sizes": [4, 4]},
    }[family]  # fmt: skip
    topology = build(family, endpoints_per_router=1, **parameters)
    found = limit_of(topology)
    assert found.by_all == pytest.approx(topology.degree.mean() / found.mean_hops)


@pytest.mark.parametrize("family", ["hpn", "leaves", "multiplane", "slingshot"])
def test_families_whose_shape_the_study_must_write_are_not_chosen(family):
    assert candidates(family, 32, Demand(100)) == []
    with pytest.raises(Infeasible, match="write its parameters"):
        choose(family, 32, Demand(100))


def test_families_without_closed_forms_can_be_chosen():
    found = {family for family in all_families() if can_choose(family)}
    assert {"biswapped", "galaxyfly", "jellyfish", "mddp", "otis", "skywalk", "xpander"} <= found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "ports", "endpoints"),
    [
        *(
            (family, 16, 100)
            for family in ("biswapped", "fattree", "galaxyfly", "leafspine", "mddp", "otis", "skywalk", "threelevel")
        ),
        ("fattree", 40, 2000),
        *(pytest.param(family, 40, 2000, marks=pytest.mark.nightly) for family in ("galaxyfly", "skywalk")),
    ],
)
def test_configurations_are_what_is_built(family, ports, endpoints):
    """Routers, radix, routers with endpoints and their links are foretold, for small ones of all kinds."""
    known = [each for each in candidates(family, ports, Demand(endpoints)) if 4 < each.routers <= 1000]
    assert len(known) > 5
    for candidate in known[:: max(1, len(known) // 40)]:
        topology = build(**candidate.topology(1))
        leaves = topology.endpoints_of > 0
        assert topology.router_count == candidate.routers, candidate
        assert topology.degree.max() == candidate.radix, candidate
        assert leaves.sum() == candidate.leaves, candidate
        assert topology.degree[leaves].max() == candidate.leaf_links, candidate
        assert candidate.radix <= ports


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "ports", "endpoints", "network"),
    [
        # 5,000 = 2 · 50² routers over the Hoffman-Singleton graph.
        ("biswapped", 40, 5000, {"nucleus": "slimfly", "nucleus_parameters": {"q": 5}}),
        ("otis", 40, 5000, {"nucleus": "hyperx", "nucleus_parameters": {"sizes": (9, 8)}}),
        ("skywalk", 40, 5000, {"columns": 11, "rows": 10, "routers_per_cabinet": 4, "inside": 3, "outside": 25}),
        pytest.param("mddp", 40, 5000, {"routers": 386, "degree": 27, "trials": 1}, marks=pytest.mark.nightly),
        pytest.param("mddp", 64, 100_000, {"routers": 5884, "degree": 47, "trials": 1}, marks=pytest.mark.nightly),
        pytest.param("galaxyfly", 40, 5000, {"clusters": 19, "q": 27, "a": 2}, marks=pytest.mark.nightly),
        ("fattree", 64, 100_000, {"k": 32, "levels": 4, "clos": True, "subtrees": [49, 2]}),
        # The number of cores that NVIDIA's reference architectures have for 8,192 GPUs.
        ("leafspine", 64, 2000, {"leaves": 63, "spines": 32, "uplinks": 32}),
        ("threelevel", 64, 8000, {"cores": 128, "uplinks": 32, "core_uplinks": 32}),
    ],
)
def test_families_without_a_list_of_their_own(family, ports, endpoints, network):
    found = choose(family, ports, Demand(endpoints, oversubscription=1.2 if family == "biswapped" else 1))
    assert network.items() <= found.topology.items()
    topology = build(**found.topology)
    assert endpoints <= topology.endpoint_count == found.endpoints < 1.1 * endpoints
    assert int((topology.degree + topology.endpoints_of).max()) <= ports


@pytest.mark.slow
@pytest.mark.parametrize(("ports", "endpoints"), [(24, 300), pytest.param(32, 1000, marks=pytest.mark.nightly)])
def test_a_choice_is_never_oversubscribed_and_fits_its_ports(ports, endpoints):
    for family in all_families():
        try:
            found = choose(family, ports, Demand(endpoints))
        except Infeasible:
            continue
        topology = build(**found.topology)
        assert endpoints <= topology.endpoint_count == found.endpoints <= 2 * endpoints
        assert int((topology.degree + topology.endpoints_of).max()) <= ports
        # A hundredth is forgiven.
        assert found.endpoints_per_router <= 1.01 * limit_of(topology).endpoints


def test_oversubscription_takes_fewer_routers():
    plain, twice = (choose("slimfly", 48, Demand(5000, oversubscription=by)) for by in (1, 2))
    assert twice.routers < plain.routers
    assert plain.endpoints_per_router <= plain.limit < twice.endpoints_per_router <= 2 * twice.limit


def test_a_range_bounds_the_endpoints():
    found = choose("dragonfly", 36, Demand(4000, 4500))
    assert 4000 <= found.endpoints <= 4500


def test_trimmed_networks_have_exactly_what_is_wanted():
    found = choose("slimfly", 36, Demand(1000, trimmed=True))
    topology = build(**found.topology)
    assert topology.endpoint_count == found.endpoints == 1000
    assert set(topology.endpoints_of) <= {found.endpoints_per_router, found.endpoints_per_router - 1}


def test_endpoints_are_taken_away_evenly():
    of = trimmed("torus", {"sizes": [10, 10], "endpoints_per_router": 3}, endpoints=275).endpoints_of
    halves = of[:50].sum(), of[50:].sum()
    assert abs(halves[0] - halves[1]) <= 1
    assert sorted(set(of.tolist())) == [2, 3]


def test_no_more_endpoints_than_there_are():
    with pytest.raises(InputError, match=r"slimfly has 200 endpoints, not 201; use at most 200"):
        trimmed("slimfly", {"q": 5, "endpoints_per_router": 4}, endpoints=201)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "ports", "endpoints", "reason"),
    [
        ("cayley253", 40, 5000, r"at most 506 of 5,000 endpoints with 40 ports \(253 routers with 2"),
        ("polarfly", 64, 100_000, r"at most 37,860 of 100,000 endpoints with 64 ports \(q = 43: 1,893 routers with 20"),
        ("quadrangle", 40, 5000, r"no configuration has 5,000 to 10,000 endpoints; the nearest sizes are 1,755 and 33,825"),
        ("slimfly", 5, 100, r"no configuration leaves a port of 5 for endpoints"),
        (
            "slimfly",
            64,
            100_000,
            r"at most 35,322 .* 21 endpoints each\); at least 91 ports would be necessary \(q = 41: 3,362 routers",
        ),
        (
            "biswapped",
            40,
            5000,
            r"the links support less than one endpoint per router; oversubscription = 1\.2 would suffice \(nucleus = slim",
        ),
        ("otis", 64, 100_000, r"at most 94,249 of 100,000 .*; oversubscription = 1\.6 or more would be necessary \(nucleus = "),
        ("biswapped", 64, 100_000, r"the links support less than one .*; oversubscription = 2\.4 or more would be necessary"),
    ],
)
def test_why_a_family_has_no_configuration(family, ports, endpoints, reason):
    with pytest.raises(Infeasible, match=reason):
        choose(family, ports, Demand(endpoints))
