"""Families by how they grow: chains of members, what their steps move, and the outputs."""

import csv
import json
from itertools import pairwise

import pytest

from planner.commands.console.cli import main
from planner.core.errors import Infeasible, InputError
from planner.core.executors import executor
from planner.network.growth import plan, step, windows
from planner.network.growth.methods import inside
from planner.network.topology import build
from planner.studies.explore import growing, growth_output
from planner.studies.explore.growing import Grown, Wish, explore_growth, grown, ranked
from planner.studies.explore.members import PART, members
from planner.studies.explore.smaller import RULES, smaller

SMALL = Wish((100, 200), 16)

PARAMETERS = {
    "biswapped": {"nucleus": "hyperx", "nucleus_parameters": {"sizes": [3, 3]}},
    "dln": {"routers": 20, "matchings": 3},
    "dragonfly": {"a": 4, "h": 2, "groups": 6},
    "fattree": {"k": 4, "levels": 3, "clos": True, "subtrees": [6, 2]},
    "hypercube": {"dimensions": 5},
    "hyperx": {"sizes": [4, 3]},
    "jellyfish": {"routers": 21, "degree": 4},
    "kautz": {"d": 4, "diameter": 3},
    "leafspine": {"leaves": 8, "spines": 4, "uplinks": 4},
    "mddp": {"routers": 20, "degree": 4, "trials": 1},
    "megafly": {"rho": 2, "a": 4},
    "mesh": {"sizes": [4, 3]},
    "otis": {"nucleus": "hypercube", "nucleus_parameters": {"dimensions": 3}},
    "polarstar": {"q": 3, "supernode_degree": 3},
    "swapped_dragonfly": {"k": 4, "m": 3},
    "threelevel": {
        "units": 16,
        "rails": 1,
        "spines_per_pod": 4,
        "cores": 16,
        "uplinks": 4,
        "core_uplinks": 4,
        "units_per_pod": 4,
    },
    "torus": {"sizes": [4, 4]},
    "xpander": {"degree": 4, "lifts": 2, "trials": 1},
}


def test_all_rules_are_tried():
    assert PARAMETERS.keys() == RULES.keys()


@pytest.mark.parametrize("family", PARAMETERS)
def test_smaller_networks_have_the_stated_routers_and_end_with_the_network(family):
    given = PARAMETERS[family]
    found = smaller(family, given)
    sizes = [leaves for _, leaves in found]
    assert sizes == sorted(sizes)
    built = []
    for change, leaves in found:
        try:
            network = build(family, **(given | change))
        except (Infeasible, InputError):
            # Too few routers for the links of each.
            continue
        assert int((network.endpoints_of > 0).sum()) == leaves
        built.append(network)
    whole = build(family, **given)
    assert len(built) > 1
    assert (built[-1].router_count, built[-1].link_count) == (whole.router_count, whole.link_count)


@pytest.mark.parametrize(
    "family", ["hyperx", "mesh", "hypercube", "polarstar", "swapped_dragonfly", "kautz", "leafspine", "threelevel"]
)
def test_hereditary_rules_move_nothing(family):
    networks = [build(family, **(PARAMETERS[family] | change)) for change, _ in smaller(family, PARAMETERS[family])[-3:]]
    for old, new in pairwise(networks):
        assert len(step(old, inside.grow(old, new)).moved) == 0


@pytest.mark.slow
def test_reserved_groups_move_nothing():
    found = members("dragonfly", 16, [60, 120, 200], reserve=True)
    assert all("max_groups" in section for section in found.sections)
    growth = plan(found.networks)
    assert [len(change.moved) for change in growth.steps] == [0, 0]
    assert any(len(change.moved) for change in plan(members("dragonfly", 16, [60, 120, 200]).networks).steps)


def test_members_have_the_sizes_and_the_same_endpoints_per_router():
    for family in ("jellyfish", "hyperx", "slimfly", "fattree"):
        found = members(family, 20, [100, 200, 400])
        assert [network.endpoint_count >= size for network, size in zip(found.networks, (100, 200, 400), strict=True)] == [
            True
        ] * 3
        assert {int(network.endpoints_of.max()) for network in found.networks} == {found.last.endpoints_per_router}
        assert all(int((network.degree + network.endpoints_of).max()) <= 20 for network in found.networks)


def test_a_family_without_near_members_starts_as_a_part_of_the_last_one():
    found = members("slimfly", 20, [200, 400])
    assert found.sections[0]["family"] == PART
    part, whole = found.networks
    assert part.router_count == -(-200 // found.last.endpoints_per_router)
    assert whole.family == "slimfly"
    growth = plan(found.networks, method="inside")
    # The final network is exact, and what moves are the temporary links alone.
    assert growth.networks[-1].link_count == whole.link_count
    assert len(growth.steps[0].moved) <= part.link_count


def test_figures_are_those_of_the_plan():
    each = grown(SMALL, "jellyfish")
    own = members("jellyfish", 16, SMALL.sizes)
    growth = plan(own.networks)
    change = growth.steps[0]
    row = each.rows[1]
    assert row["moved"] == len(change.moved) == each.moved
    assert row["kept"] + row["moved"] == growth.networks[0].link_count
    assert row["moved"] >= row["bound_ports"]
    assert row["windows"] == windows(change).count
    assert each.moved_per_endpoint == len(change.moved) / (growth.networks[1].endpoint_count - growth.networks[0].endpoint_count)
    assert growth.windows[0].up.min() >= growth.networks[0].link_count


def test_ranking_is_by_moved_links_for_each_endpoint():
    def family(name, moved, routers):
        rows = [{"moved": 0, "bound_quality": 0, "endpoints": 100, "routers": 1}]
        return Grown(name, rows=(*rows, {"moved": moved, "bound_quality": 0, "endpoints": 200, "routers": routers}))

    found = ranked([Grown("none", reason="x"), family("many", 9, 1), family("large", 0, 9), family("small", 0, 5)])
    assert [each.family for each in found] == ["small", "large", "many", "none"]


def test_an_interrupt_keeps_the_families_that_are_done():
    class Interrupted:
        def each(self, function, tasks):
            from planner.core.executors.serial import Serial

            found = Serial().each(function, tasks)
            yield next(found)
            raise KeyboardInterrupt

    found, complete = explore_growth(SMALL, ["hyperx", "jellyfish"], executor=Interrupted())
    assert [each.family for each in found] == ["hyperx"]
    assert not complete


@pytest.mark.slow
def test_the_command_prints_and_writes_the_same(tmp_path, capsys):
    families = ["hyperx", "jellyfish", "leafspine"]
    chosen = ["explore", "--growth", "40,80", "--ports", "12", "--family", ",".join(families), "--jobs", "1", "--quiet"]
    assert main([*chosen, "--csv", str(tmp_path / "a.csv"), "--plot", str(tmp_path / "a.pdf"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [each["family"] for each in printed["families"]] == ["hyperx", "jellyfish"]
    assert printed["missing"].keys() == {"leafspine"}
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()))
    assert [(row["family"], int(row["moved"])) for row in rows] == [
        (each["family"], phase["moved"]) for each in printed["families"] for phase in each["phases"]
    ]
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    wish = Wish((40, 80), 12)
    with executor(1) as workers:
        found, _ = explore_growth(wish, families, executor=workers)
    text = growth_output.table(found, wish)
    assert main(chosen) == 0
    assert capsys.readouterr().out.strip() == text.strip()
    assert "no growth of leafspine: at most 72 of 80 endpoints" in text
    assert f"jellyfish: {found[1].moved_per_endpoint:.3f}, {found[1].moved} moved" in text


@pytest.mark.nightly
def test_match_has_a_bounded_effort():
    few = grown(Wish((60, 100), 12, method="match", moves=20_000), "jellyfish")
    more = grown(Wish((60, 100), 12, method="match", moves=400_000), "jellyfish")
    assert few.method == "match"
    assert more.moved <= few.moved


WRONG = ["--growth", "1,2", "--method", "blok", "--family", "slimfli", "--moves", "5", "--plot", "a.txt", "--routers", "1-2"]


@pytest.mark.parametrize(
    ("options", "messages"),
    [
        (["--growth", "x", "--ports", "16"], ["--growth: must be numbers of endpoints, not 'x'"]),
        (["--growth", "100", "--ports", "16"], ["needs at least two sizes, not 1"]),
        (["--growth", "200,100", "--ports", "16"], ["sizes must ascend from 1, not 200, 100"]),
        (["--growth", "0,100", "--ports", "16"], ["sizes must ascend from 1"]),
        (
            WRONG,
            ["--ports: is missing", "did you mean block", "did you mean slimfly", "effort of match", "a.txt has no", "--routers"],
        ),
        (
            ["--growth", "1,2", "--ports", "8", "--oversubscription", "0.5", "--seed", "-1"],
            ["--oversubscription: must", "--seed"],
        ),
        ([], ["--radix: is missing"]),
    ],
)
def test_bad_options_are_refused_together(options, messages, capsys):
    assert main(["explore", *options]) == 2
    said = capsys.readouterr().err
    assert all(message in said for message in messages)


@pytest.mark.slow
def test_no_family_that_grows_is_no_result(capsys):
    assert main(["explore", "--growth", "10,2000", "--ports", "8", "--family", "leafspine", "--quiet"]) == 1
    assert "no family grows over these sizes: leafspine: at most 32" in capsys.readouterr().err


def test_all_families_of_the_library_are_tried():
    assert not growing.problems(SMALL, ["hyperx"])
    with pytest.raises(InputError, match="'file' cannot list"), executor(1) as workers:
        explore_growth(SMALL, ["file"], executor=workers)
