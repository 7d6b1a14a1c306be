"""The design space: closed forms against what is built, and the scales that the papers print."""

import csv
import json
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from planner.commands.console.cli import main
from planner.core.errors import InputError
from planner.network import topology
from planner.network.metrics import distances
from planner.network.metrics.moore import moore_bound
from planner.studies.explore import explore, families, largest, ratios
from planner.studies.explore.output import table, write_csv
from planner.studies.explore.plots import write_plots
from planner.studies.plotting import spread

GOLDEN = json.loads((Path(__file__).parent / "data" / "golden.json").read_text())
RADIXES = range(8, 129)


@pytest.fixture(scope="module")
def space():
    return explore(RADIXES)


def _kind(configuration):
    return {"iq": "IQ", "paley": "Paley"}[configuration.parameters["supernode"]]


@pytest.mark.slow
def test_the_largest_polarstar_of_each_radix(space):
    best = largest(space)["polarstar", 3]
    for radix, expected in GOLDEN["polarstar_best_by_radix"].items():
        made = best[int(radix)]
        assert (made.routers, _kind(made)) == (expected["n"], expected["sn"])
        assert (made.parameters["q"], made.parameters["supernode_degree"]) == (expected["q"], expected["dp"])
        assert made.moore_efficiency == pytest.approx(expected["eff"], abs=5e-5)
    assert sorted(map(int, GOLDEN["polarstar_best_by_radix"])) == list(RADIXES)
    assert [radix for radix in best if _kind(best[radix]) == "Paley"] == [23, 50, 56, 80]


@pytest.mark.slow
def test_all_polarstars_of_radix_15(space):
    made = [
        [c.routers, _kind(c), c.parameters["q"], c.parameters["supernode_degree"]]
        for c in space
        if c.family == "polarstar" and c.radix == 15
    ]
    assert sorted(made) == sorted(GOLDEN["polarstar_configs_radix15"])


@pytest.mark.slow
def test_scale_against_other_families(space):
    expected = GOLDEN["scale_comparison"]
    found = {(r.family, r.diameter): r for r in ratios(space, "polarstar")}
    assert found["dragonfly", 3].ratio == pytest.approx(expected["geomean_vs_dragonfly"], abs=5e-5)
    assert found["hyperx", 3].ratio == pytest.approx(expected["geomean_vs_hyperx3d"], abs=5e-5)
    assert found["bundlefly", 3].ratio == pytest.approx(expected["geomean_vs_bundlefly_feasible_radices"], abs=5e-5)
    # The paper states 12.8.
    assert found["spectralfly", 3].radixes == 20
    assert found["spectralfly", 3].ratio == pytest.approx(expected["geomean_vs_LPS_diam3_p_prime"], abs=5e-3)
    bundlefly = largest(space)["bundlefly", 3]
    assert [radix for radix in RADIXES if radix not in bundlefly] == expected["bundlefly_infeasible"]
    counts = [sum(c.family == "polarstar" and c.radix == radix for c in space) for radix in RADIXES]
    assert [min(counts), RADIXES[counts.index(min(counts))]] == expected["min_configs"]


@pytest.mark.parametrize("family", families())
@pytest.mark.slow
def test_small_configurations_are_what_they_promise(family):
    made = explore(range(1, 21), [family], routers=(1, 2999))
    assert made
    for item in made:
        network = topology.build(family, **item.parameters)
        assert (network.router_count, network.degree.max()) == (item.routers, item.radix), item
        assert network.endpoint_count == item.endpoints, item
        if item.diameter is not None and item.routers <= 600 and item.endpoints:
            assert distances(network).endpoint_diameter == item.diameter, item
            assert item.moore_efficiency is None or item.routers <= moore_bound(item.radix, item.diameter)


def test_ranges_bound_what_is_returned():
    made = explore([12, 11], routers=(400, 1000), endpoints=(1000, 3000))
    assert made == sorted(made, key=lambda c: (c.radix, c.family, c.routers))
    assert {c.radix for c in made} == {11, 12}
    assert all(400 <= c.routers <= 1000 and 1000 <= c.endpoints <= 3000 for c in made)
    everything = explore([11, 12])
    assert len([c for c in everything if 400 <= c.routers <= 1000 and 1000 <= c.endpoints <= 3000]) == len(made)


@pytest.mark.parametrize(
    ("radixes", "names", "message"),
    [([0], None, "radix: 0 is out of range"), ([9], ["jellyfish"], "cannot list"), ([9], ["polarsta"], "did you mean polarstar")],
)
def test_wrong_questions(radixes, names, message):
    with pytest.raises(InputError, match=message):
        explore(radixes, names)
    with pytest.raises(InputError, match="reference: 'nonsense' cannot list"):
        ratios([], "nonsense")


def test_csv_and_table_say_the_same(tmp_path, capsys):
    assert main(["explore", "--radix", "8-9", "--routers", "200-600", "--csv", str(tmp_path / "all.csv"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    rows = list(csv.DictReader((tmp_path / "all.csv").read_text(encoding="utf-8").splitlines()))
    made = explore([8, 9], routers=(200, 600))
    assert [(c.family, c.routers) for c in made] == [(row["family"], int(row["routers"])) for row in rows]
    assert [(c.family, c.routers) for c in made] == [(c["family"], c["routers"]) for c in printed["configurations"]]
    text = table(made, ratios(made, "quadrangle"), "quadrangle")
    assert re.search(r"9 +3  quadrangle +585 +1,755  88.9%  q=8", text)
    assert "quadrangle has 2.340 times the routers of bundlefly at diameter 3" in text
    write_csv(made, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "all.csv").read_bytes()


def test_the_command_prints_the_table(capsys):
    assert main(["explore", "--radix", "15", "--family", "polarstar,dragonfly"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"15 +3  polarstar +1,064 +5,320  33.6%  q=11 supernode_degree=3 supernode=iq", out)
    assert "polarstar has 1.727 times the routers of dragonfly at diameter 3" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--radix", "9-8"], "expected an integer or a range"),
        (["--radix", "x"], "expected an integer or a range"),
    ],
)
def test_the_command_refuses_bad_ranges(options, message, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["explore", *options])
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_nothing_in_range_is_no_result(capsys):
    assert main(["explore", "--radix", "8", "--routers", "1-2"]) == 1
    assert "no family has a configuration" in capsys.readouterr().err


@pytest.mark.nightly
def test_plots(tmp_path, space):
    """A page for each diameter and figure, one for PolarStar, one for all sizes; the same bytes each time."""
    import pypdfium2

    chosen = ("dragonfly", "hyperx", "polarfly", "polarstar", "slimfly")
    near = [c for c in space if c.radix <= 40 and c.family in chosen]
    families = ["--family", ",".join(chosen)]
    assert main(["explore", "--radix", "8-40", *families, "--json", "--plot", str(tmp_path / "a.pdf")]) == 0
    write_plots(near, tmp_path / "b.pdf")
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
    with pypdfium2.PdfDocument(tmp_path / "a.pdf") as document:
        titles = [page.get_textpage().get_text_bounded() for page in document]
    expected = [
        "Largest network of diameter 2",
        "Moore efficiency at diameter 2",
        "Largest network of diameter 3",
        "Moore efficiency at diameter 3",
        "Design space of PolarStar",
        "Feasible sizes",
    ]
    assert len(titles) == len(expected)
    assert all(title in text for title, text in zip(expected, titles, strict=True))
    # Lines are named at their ends; every family has a panel of its own with its number of sizes.
    for page, diameter in ((0, 2), (1, 2), (2, 3), (3, 3)):
        assert all(f"{c.family}\r\n" in f"{titles[page]}\r\n" for c in near if c.diameter == diameter)
    for family in {c.family for c in near}:
        assert f"{family} ({len({(c.radix, c.routers) for c in near if c.family == family}):,})" in titles[-1]


@pytest.mark.slow
@pytest.mark.parametrize("family", [*families()[:3], *(pytest.param(each, marks=pytest.mark.nightly) for each in families()[3:])])
def test_a_single_configuration_can_be_plotted(family, tmp_path):
    found = next(made for radix in range(3, 20) if (made := explore([radix], [family])))
    write_plots(found[:1], tmp_path / "one.pdf")
    assert (tmp_path / "one.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(InputError, match="is not a PDF file"):
        write_plots(found[:1], tmp_path / "one.txt")


@pytest.mark.parametrize("places", [[0.5] * 4, [0.0, 0.01, 0.99, 1.0], [0.2, 0.9, 0.21, 0.22, 0.5], [1.0] * 30, []])
def test_names_at_the_ends_of_lines_are_apart_and_in_order(places):
    gap = 0.05
    found = spread(places, gap)
    order = sorted(range(len(places)), key=lambda n: places[n])
    assert all(places[a] <= places[b] and found[a] <= found[b] for a, b in pairwise(order))
    apart = [found[b] - found[a] for a, b in pairwise(order)]
    assert not apart or min(apart) >= min(gap, 1 / len(places)) - 1e-9
    assert all(-1e-9 <= at <= 1 + 1e-9 for at in found)


@pytest.mark.slow
def test_diameters_of_spectralfly_are_those_of_one_search():
    """Vertex-transitive: the eccentricity of one router is the diameter; here of graphs of up to 13,000 routers."""
    checked = 0
    for item in explore(range(3, 49), ["spectralfly"], routers=(1, 13_000)):
        network = topology.build("spectralfly", **item.parameters)
        graph = csr_array((np.ones(len(network.indices), np.int8), network.indices, network.indptr))
        assert depth_of(graph) == item.diameter, item
        checked += 1
    assert checked > 50


def depth_of(graph):
    order, before = breadth_first_order(graph, 0)
    depth = np.zeros(len(order), int)
    for router in order[1:]:
        depth[router] = depth[before[router]] + 1
    return depth.max()


def test_megafly_is_compared_by_the_hops_between_its_endpoints():
    made = explore([15], ["megafly"])
    assert {(item.diameter, item.moore_efficiency) for item in made} == {(3, None)}
    text = table(made, [], "polarstar")
    assert text.count("megafly") == 1
    assert "rho=5 a=20" in text


def test_networks_without_endpoints_are_not_listed():
    made = explore([4], ["kautz"])
    assert {item.endpoints > 0 for item in made} == {True, False}
    assert all(int(line.split()[4].replace(",", "")) for line in table(made, [], "kautz").splitlines()[1:])
