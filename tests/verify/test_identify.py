"""Which planned device each found box is: by hand, on fabrics with answer keys, and with random errors in six families."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from shared.found_fabrics import fabric_of, network, pairs_of, palmtree, schedule_of, with_errors

from planner.fabric.verify.found import HOST, SWITCH, Device, Fabric, Link, Place
from planner.fabric.verify.identify import identify, located
from planner.fabric.verify.normal import fabric
from planner.fabric.verify.readers import read
from planner.fabric.verify.result import Plugged
from planner.network import topology
from planner.view import schedule as schedules

DATA = Path(__file__).parents[1] / "data" / "verify"

FAMILIES = {
    "slimfly 5": ("slimfly", {"q": 5}),
    "slimfly 13": ("slimfly", {"q": 13}),
    "polarstar 248": ("polarstar", {"q": 5, "supernode_degree": 3}),
    "fattree 8": ("fattree", {"k": 8}),
    "hyperx": ("hyperx", {"sizes": (5, 6, 7)}),
    "jellyfish": ("jellyfish", {"routers": 200, "degree": 12}),
    "torus": ("torus", {"sizes": (6, 6, 6)}),
}
QUICK = ("slimfly 5", "torus")
LARGE = {"polarstar 1,064": ("polarstar", {"q": 11, "supernode_degree": 3}), "fattree 16": ("fattree", {"k": 16})}


@cache
def built(name):
    family, parameters = (FAMILIES | LARGE)[name]
    return network(topology.build(family, **parameters))


@pytest.fixture(scope="module")
def slimfly():
    return built("slimfly 5")


def marked(*names):
    """Return names of families as parameters: those of hundreds of switches are slow."""
    return [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in names]


def switches(schedule):
    return sorted({end.device for row in schedule for end in row.ends if end.device.startswith("R")})


def mistaken(identity, key, devices):
    """Return the devices whose box has another identity, with it."""
    return {d: identity.of.get(key[d]) for d in devices if key[d] not in identity.of or identity.of[key[d]].device != d}


# -- by hand --------------------------------------------------------------------------------------

TRIANGLE = schedule_of(
    [(("A", 1), ("B", 1)), (("A", 2), ("C", 2)), (("B", 2), ("C", 1))],
    [(("A", 5), ("H1", 1)), (("A", 6), ("H2", 1)), (("B", 5), ("H3", 1)), (("C", 5), ("H4", 2))],
)


def found(pairs, names=None, hosts="h"):
    """Return a fabric of links such as ``x1 y2``; devices with a first letter in `hosts` are hosts."""
    ends = [[(text[:-1], int(text[-1])) for text in pair.split()] for pair in pairs]
    keys = {key for pair in ends for key, _ in pair}
    devices = {key: Device(key, (names or {}).get(key, ""), HOST if key[0] in hosts else SWITCH) for key in sorted(keys)}
    return Fabric(devices, [Link(Place(*a), Place(*b)) for a, b in ends])


AS_PLANNED = ["x1 y1", "x2 z2", "y2 z1", "x5 ha1", "x6 hb1", "y5 hc1", "z5 hd1"]


def test_links_identify_switches_and_places_identify_hosts():
    identity = identify(found(AS_PLANNED), TRIANGLE)
    assert {key: one.device for key, one in identity.of.items()} == {
        **{"x": "A", "y": "B", "z": "C"},
        **{"ha": "H1", "hb": "H2", "hc": "H3", "hd": "H4"},
    }
    assert {one.certainty for one in identity.of.values()} == {1.0}
    assert (identity.of["x"].evidence, identity.of["ha"].evidence) == ("links", "place")
    assert (identity.of["x"].agreeing, identity.of["x"].links) == (4, 4)
    assert (identity.renamed, identity.ambiguous, identity.unknown, identity.notes) == ([], [], [], [])
    there = located(found(AS_PLANNED), identity, TRIANGLE)
    assert set(there.links) == {tuple(sorted(Plugged(*end) for end in pair)) for pair in pairs_of(TRIANGLE)}
    assert (there.dark, there.unknown, there.foreign) == ({}, frozenset(), [])


def test_links_outweigh_names_and_renamed_devices_are_reported():
    names = {"x": "B", "y": "a.site.org", "z": "C", "ha": "H1", "hb": "H2"}
    identity = identify(found(AS_PLANNED, names), TRIANGLE)
    assert [identity.of[key].device for key in "xyz"] == ["A", "B", "C"]
    assert identity.renamed == [("x", "B", "A"), ("y", "a.site.org", "B")]


def test_neighbors_in_each_others_places_are_found():
    """Each confirms the name of the other by three links between them; the links to others decide."""
    parallel = [(("A", n), ("B", n)) for n in (1, 2, 3)]
    others = [((device, port), (f"{device.lower()}{port}", 1)) for device in "AB" for port in (5, 6, 7)]
    ring = [((f"{device}5", 2), (f"{device}6", 2)) for device in "ab"]
    schedule = schedule_of(parallel + others + ring)
    names = {"A": "B", "B": "A"}
    every = {end.device for row in schedule for end in row.ends}
    devices = {device: Device(device, names.get(device, device), SWITCH) for device in sorted(every)}
    links = [Link(Place(*a), Place(*b)) for a, b in pairs_of(schedule)]
    identity = identify(Fabric(devices, links), schedule)
    assert {key: one.device for key, one in identity.of.items()} == {device: device for device in every}
    assert sorted(identity.renamed) == [("A", "B", "A"), ("B", "A", "B")]


def test_one_link_does_not_outweigh_a_name():
    """The hosts of two ports are exchanged: cables or names, which links cannot decide; the names count."""
    fabric = found(AS_PLANNED, {"ha": "H2", "hb": "H1"})
    identity = identify(fabric, TRIANGLE)
    assert (identity.of["ha"].device, identity.of["hb"].device) == ("H2", "H1")
    assert identity.swapped_hosts == [("H1", "H2")]
    assert not identity.renamed
    there = located(fabric, identity, TRIANGLE)
    assert (Plugged("A", 5), Plugged("H2", 1)) in there.links
    assert (Plugged("A", 6), Plugged("H1", 1)) in there.links


def test_names_that_the_plan_lacks_are_reported_where_nearly_all_are_known():
    named = dict(zip("xyz", "ABC", strict=True)) | {"ha": "H1", "hb": "node7"}
    identity = identify(found(AS_PLANNED, named), TRIANGLE)
    assert identity.renamed == [("hb", "node7", "H2")]
    every = {key: f"site-{key}" for key in ("x", "y", "z", "ha", "hb")}
    identity = identify(found(AS_PLANNED, every), TRIANGLE)
    assert not identity.renamed
    assert "5 devices have names that the plan lacks" in identity.notes[0]
    given = identify(found(AS_PLANNED, every), TRIANGLE, names={"site-x": "A", "Y": "B", "site-hb": "H2"})
    assert given.of["x"].evidence == "name and links"
    assert given.of["hb"].evidence == "name and place"


def test_a_name_that_several_devices_have_is_not_used():
    identity = identify(found(AS_PLANNED, {"ha": "H3", "hb": "H3", "hc": "H3"}), TRIANGLE)
    assert [identity.of[key].device for key in ("ha", "hb", "hc")] == ["H1", "H2", "H3"]
    assert identity.notes[0] == "3 devices answer as H3: their names are not used"
    assert not identity.renamed


def test_a_host_without_name_in_a_free_port_is_the_missing_one_of_its_switch():
    fabric = found([pair.replace("x5", "x7") for pair in AS_PLANNED])
    identity = identify(fabric, TRIANGLE)
    assert (identity.of["ha"].device, identity.of["ha"].certainty) == ("H1", 0.5)
    there = located(fabric, identity, TRIANGLE)
    assert (Plugged("A", 7), Plugged("H1", 1)) in there.links
    assert set(there.dark) == {Plugged("A", 5)}


def test_devices_that_the_plan_lacks_are_unknown_and_their_links_foreign():
    fabric = found([*AS_PLANNED, "x8 s1", "y8 hx1"], {"s": "storage"})
    identity = identify(fabric, TRIANGLE)
    assert identity.unknown == ["s", "hx"]
    there = located(fabric, identity, TRIANGLE)
    assert there.foreign == [(Plugged("A", 8), "storage port 1"), (Plugged("B", 8), "hx port 1")]


def test_switches_that_do_not_answer_are_unknown_and_dark_ports_are_known_elsewhere():
    fabric = found([pair for pair in AS_PLANNED if "z" not in pair])
    fabric = replace(fabric, dark={Place("x", 2): "polling"})
    identity = identify(fabric, TRIANGLE)
    there = located(fabric, identity, TRIANGLE)
    assert there.unknown == {"C"}
    assert there.dark == {Plugged("A", 2): "polling", Plugged("B", 2): "down", Plugged("H4", 2): "down"}


def test_the_order_of_rows_and_devices_does_not_matter(slimfly):
    rng = random.Random(1)
    one, key = fabric_of(slimfly, with_errors(slimfly, 0.05, rng), rng)
    expected = {k: each.device for k, each in identify(one, slimfly).of.items()}
    for _ in range(3):
        boxes = list(one.devices.items())
        links = [link if rng.random() < 0.5 else replace(link, a=link.b, b=link.a) for link in one.links]
        rng.shuffle(boxes)
        rng.shuffle(links)
        rows = rng.sample(slimfly, len(slimfly))
        again = identify(replace(one, devices=dict(boxes), links=links), rows)
        assert {k: again.of[k].device for k in key.values() if expected.get(k, "E")[0] == "R"} == {
            k: name for k, name in expected.items() if name[0] == "R"
        }


@pytest.mark.slow
def test_any_fabric_has_an_answer(slimfly):
    """Links to oneself, ports without a number or outside of the plan, devices that are missing: no place is given twice."""
    for seed in range(200):
        rng = random.Random(seed)
        schedule = rng.choice([slimfly, slimfly[:20], slimfly[170:], slimfly[::7], []])
        keys = [f"k{n}" for n in range(rng.randrange(1, 25))]
        names, kinds = ["", "R1", "R2", "E1", "E5", "storage"], [SWITCH, HOST, ""]
        devices = {key: Device(key, rng.choice(names), rng.choice(kinds)) for key in keys if rng.random() < 0.8}
        ends = [
            [Place(rng.choice(keys), rng.choice([0, 0, 1, 2, 3, 5, 8, 9, 400])) for _ in "ab"] for _ in range(rng.randrange(60))
        ]
        found = Fabric(devices, [Link(a, b) for a, b in ends], silent=frozenset(keys[:2]), numbered=rng.random() < 0.6)
        anchors = {rng.choice(keys): rng.choice(["R4", "E3", "nobody"])}
        identity = identify(found, schedule, names={rng.choice(keys): "R3"}, anchors=anchors)
        used = [one.device for one in identity.of.values() if one.device.startswith("R")]
        assert len(used) == len(set(used))
        assert all(0 <= one.certainty <= 1 for one in identity.of.values())
        assert set(identity.of) | set(identity.unknown) == set(devices) | {place.device for pair in ends for place in pair}
        there = located(found, identity, schedule)
        assert not {end for joined in there.links for end in joined} & set(there.dark)


# -- hosts with several ports ---------------------------------------------------------------------


def rails(nodes=4, exchanged=()):
    """Return a plan of nodes with four rails on four leaves under two spines, and what is found of it."""
    pairs = [((f"L{leaf}", 20 + spine), (f"S{spine}", 1 + leaf)) for leaf in range(4) for spine in range(2)]
    hosted = [((f"L{leaf}", 1 + node), (f"N{node}", 1 + leaf)) for node in range(nodes) for leaf in range(4)]
    schedule = schedule_of(pairs, hosted)
    devices = {end.device: None for row in schedule for end in row.ends}
    fabric = Fabric({d: Device(d, d if d[0] == "N" else "", HOST if d[0] == "N" else SWITCH) for d in devices}, [])
    adapters = {}
    for (leaf, port), (node, rail) in hosted:
        own = {4: 1, 1: 4}.get(rail, rail) if node in exchanged else rail
        # mlx5_0 .. mlx5_3 on mlx5_2 and more: the numbers of the adapters are not those of the rails.
        adapters[Place(node, own)] = f"mlx5_{own + 1}"
        fabric.links.append(Link(Place(leaf, port), Place(node, own)))
    fabric.links.extend(Link(Place(*a), Place(*b)) for a, b in pairs)
    return schedule, replace(fabric, adapters=adapters)


def test_adapters_are_rails_as_in_the_majority_of_hosts():
    schedule, fabric = rails()
    identity = identify(fabric, schedule)
    assert {key: one.device for key, one in identity.of.items()} == {key: key for key in fabric.devices}
    assert located(fabric, identity, schedule).links.keys() == {
        tuple(sorted(Plugged(*end) for end in pair)) for pair in pairs_of(schedule)
    }


def test_exchanged_rails_of_one_host_remain_visible():
    schedule, fabric = rails(exchanged=("N2",))
    identity = identify(fabric, schedule)
    planned = {tuple(sorted(Plugged(*end) for end in pair)) for pair in pairs_of(schedule)}
    assert located(fabric, identity, schedule).links.keys() - planned == {
        (Plugged("L0", 3), Plugged("N2", 4)),
        (Plugged("L3", 3), Plugged("N2", 1)),
    }


def test_hosts_with_several_links_in_each_others_places_are_renamed():
    schedule, fabric = rails()
    names = {"N1": "N2", "N2": "N1"}
    swapped = {k: replace(d, name=names.get(k, d.name)) for k, d in fabric.devices.items()}
    identity = identify(replace(fabric, devices=swapped), schedule)
    assert identity.renamed == [("N1", "N2", "N1"), ("N2", "N1", "N2")]
    assert not identity.swapped_hosts


# -- fabrics with answer keys ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def plan():
    return schedules.read(DATA / "plan-slimfly-200.csv")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sf-clean", "sf-mixed", "sf-device-swap"])
@pytest.mark.parametrize("file", ["ibnetdiscover.txt", "ibnetdiscover-noname.txt", "ibdiagnet2.db_csv", "iblinkinfo-line.txt"])
def test_all_devices_of_the_keys_are_identified(name, file, plan):
    key = json.loads((DATA / name / "answer.json").read_text())
    as_found = fabric(read([DATA / name / file]), plan)
    identity = identify(as_found, plan)
    wrong = {guid: place for guid, place in key["identity"].items() if identity.of[guid].device != place}
    # Hosts without names are those that the plan has at their ports: no scan distinguishes two of them.
    moved = {"E076", "E077", "E164", "E165", "E166", "E167"} if (name, "noname" in file) == ("sf-mixed", True) else set()
    assert set(wrong.values()) == moved
    assert (identity.symmetries, identity.unknown, identity.ambiguous) == (1, [], [])
    exchanged = name == "sf-device-swap" and "noname" not in file
    assert [(n, device) for _, n, device in identity.renamed] == ([("R017", "R030"), ("R030", "R017")] if exchanged else [])
    there = located(as_found, identity, plan)
    links = {frozenset((end.device, end.port if end.device[0] == "R" else 1) for end in joined) for joined in there.links}
    expected = {frozenset((d, p) for d, p in link) for link in key["wrong"]}
    of_plan = {frozenset((d, p if d[0] == "R" else 1) for d, p in pair) for pair in pairs_of(plan)}
    found_wrong = links - of_plan
    if moved:
        of_hosts = {link for link in expected if any(d in moved for d, _ in link)}
        assert found_wrong - {frozenset({("R041", 12), ("E164", 1)})} == expected - of_hosts
    else:
        assert found_wrong == expected
    dark = {frozenset(pair) for pair in pairs_of(plan) if all(Plugged(*end) in there.dark for end in pair)}
    assert dark == {frozenset((d, p) for d, p in link) for link in key["dark"]}


# -- random errors --------------------------------------------------------------------------------


def check(schedule, rate, seed, anchors=()):
    """Require that all switches are identified without names, and that exactly the planted links are wrong."""
    rng = random.Random(seed)
    pairs = with_errors(schedule, rate, rng)
    found, key = fabric_of(schedule, pairs, rng)
    identity = identify(found, schedule, anchors={key[device]: device for device in anchors})
    assert not mistaken(identity, key, switches(schedule))
    of_plan = {frozenset(pair) for pair in pairs_of(schedule)}
    there = located(found, identity, schedule)
    between = {frozenset(map(tuple, joined)) for joined in there.links if all(end.device[0] == "R" for end in joined)}
    assert between - of_plan == {frozenset(pair) for pair in pairs if all(d[0] == "R" for d, _ in pair)} - of_plan
    assert identity.symmetries == (33 if anchors else 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", marked(*FAMILIES))
@pytest.mark.parametrize("rate", [0, pytest.param(0.01, marks=pytest.mark.nightly), 0.05])
def test_relabeled_switches_are_identified_by_their_links(name, rate):
    schedule = built(name)
    for seed in range(3):
        check(schedule, rate, seed)


@pytest.mark.parametrize("name", marked("slimfly 5", "slimfly 13", "polarstar 248", "hyperx", "jellyfish"))
def test_one_error_in_ten_links_hides_no_switch_of_dense_networks(name):
    schedule = built(name)
    for seed in range(3):
        check(schedule, 0.1, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_large_networks_are_identified(name):
    check(built(name), 0.05, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rate", [0, pytest.param(0.02, marks=pytest.mark.nightly), pytest.param(0.05, marks=pytest.mark.nightly), 0.1]
)
def test_a_dragonfly_needs_one_anchor(rate):
    schedule = palmtree(8, 4)
    check(schedule, rate, 1, anchors=["R77"])
    rng = random.Random(2)
    found, key = fabric_of(schedule, with_errors(schedule, rate, rng), rng)
    identity = identify(found, schedule)
    assert identity.symmetries == 33
    assert sorted(map(len, identity.ambiguous)) == [33] * 8
    assert {f"R{8 * group + 3}" for group in range(33)} in map(set, identity.ambiguous)
    assert max(one.certainty for one in identity.of.values() if one.device[0] == "R") <= 1 / 33 + 0.001
    assert "33 mappings" in identity.notes[-1]
    # Another rotation than the true one is possible, but a rotation it is.
    place = {d: int(identity.of[key[d]].device[1:]) for d in switches(schedule)}
    assert len({(place[d] - int(d[1:])) % 264 for d in place}) == 1
    # The name of one host chooses as well.
    assert not mistaken(identify(found, schedule, names={key["E30"]: "E30"}), key, switches(schedule))


def as_planned(schedule):
    """Return the identities of a fabric without errors and without names."""
    return identify(fabric_of(schedule, pairs_of(schedule), random.Random(0))[0], schedule)


def test_symmetries_are_counted_by_hand():
    """A ring whose ports 1 and 2 lead onward and back maps to itself by every rotation; two equal rings by those of both."""
    ring = [((f"R{n}", 1), (f"R{(n + 1) % 5}", 2)) for n in range(5)]
    other = [((f"Q{n}", 1), (f"Q{(n + 1) % 5}", 2)) for n in range(5)]
    one = as_planned(schedule_of(ring))
    assert (one.symmetries, [sorted(group) for group in one.ambiguous]) == (5, [["R0", "R1", "R2", "R3", "R4"]])
    assert as_planned(schedule_of(ring + other)).symmetries == 10
    marked = as_planned(schedule_of([*ring[:-1], (ring[-1][0], ("R0", 3))]))
    assert (marked.symmetries, marked.ambiguous) == (1, [])
    # A ring with one host has one place for it.
    hosted = as_planned(schedule_of(ring, [(("R2", 5), ("H", 1))]))
    assert (hosted.symmetries, hosted.ambiguous) == (1, [])


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_exchanged_devices_are_found_by_their_links(share, slimfly):
    rng = random.Random(5)
    every = switches(slimfly)
    found, key = fabric_of(slimfly, with_errors(slimfly, 0.02, rng), rng, names=every)
    picked = rng.sample(every, round(share * len(every)))
    wrong = dict(zip(picked, picked[1:] + picked[:1], strict=True))
    devices = {k: replace(d, name=wrong.get(d.name, d.name)) for k, d in found.devices.items()}
    identity = identify(replace(found, devices=devices), slimfly)
    assert not mistaken(identity, key, every)
    assert sorted(identity.renamed) == sorted((key[d], name, d) for d, name in wrong.items())


@pytest.mark.parametrize("located", [1, 2, 5])
def test_anchors_that_contradict_links_are_reported(located, slimfly):
    rng = random.Random(4)
    found, key = fabric_of(slimfly, with_errors(slimfly, 0.05, rng), rng)
    every = switches(slimfly)
    said = dict(zip(every[:located], every[10 : 10 + located], strict=True))
    identity = identify(found, slimfly, anchors={key[d]: name for d, name in said.items()})
    assert not mistaken(identity, key, every)
    assert sorted(note.split(":")[0] for note in identity.notes if note.startswith("the anchor")) == sorted(
        f"the anchor {name} of {key[d]} contradicts its links" for d, name in said.items()
    )


def test_anchors_are_found_by_serial_number_address_and_name():
    fabric = found(AS_PLANNED, {"y": "sw-17"})
    fabric.devices["x"] = replace(fabric.devices["x"], serial="MT1234X", addresses=("7cfe900300a00440",))
    for anchor in ("mt1234x", "0x7cfe900300a00440", "7cfe:9003:00a0:0440", "X"):
        assert "anchor" in identify(fabric, TRIANGLE, anchors={anchor: "A"}).of["x"].evidence
    assert "anchor" in identify(fabric, TRIANGLE, anchors={"sw-17": "b"}).of["y"].evidence
    notes = identify(fabric, TRIANGLE, anchors={"nobody": "A", "x": "Z9"}).notes
    assert notes[:2] == ["the anchor Z9 of x is no device of the plan", "no device was found for 1 of the anchors: nobody"]


# -- without port numbers -------------------------------------------------------------------------


def renumbered(found, rng):
    """Return a fabric whose ports have other numbers."""
    numbers = rng.sample(range(1, 200), 199)
    first = {key: rng.randrange(199) for key in found.devices}

    def other(place):
        return Place(place.device, numbers[(first[place.device] + place.port) % 199])

    return replace(found, links=[Link(other(link.a), other(link.b)) for link in found.links], numbered=False)


@pytest.mark.parametrize(
    ("name", "anchors", "rate"),
    [
        ("slimfly 5", 4, 0.01),
        ("slimfly 5", 8, 0.05),
        pytest.param("slimfly 13", 4, 0.01, marks=pytest.mark.slow),
        pytest.param("slimfly 13", 8, 0.05, marks=pytest.mark.slow),
        pytest.param("polarstar 248", 16, 0.05, marks=pytest.mark.slow),
    ],
)
def test_anchors_replace_port_numbers(name, anchors, rate):
    schedule = built(name)
    for seed in range(3):
        rng = random.Random(seed)
        found, key = fabric_of(schedule, with_errors(schedule, rate, rng), rng)
        chosen = rng.sample(switches(schedule), anchors)
        identity = identify(renumbered(found, rng), schedule, anchors={key[d]: d for d in chosen})
        assert not mistaken(identity, key, switches(schedule))


def test_names_of_hosts_replace_port_numbers(slimfly):
    rng = random.Random(7)
    hosts = {row.b.device for row in slimfly if row.kind == "endpoint"}
    missing = pairs_of(slimfly)[3:]
    found, key = fabric_of(slimfly, missing, rng, names=hosts)
    found = renumbered(found, rng)
    identity = identify(found, slimfly)
    assert not mistaken(identity, key, key)
    there = located(found, identity, slimfly)
    assert there.links.keys() == {tuple(sorted(Plugged(*end) for end in pair)) for pair in missing}
    assert set(there.dark) == {Plugged(*end) for pair in pairs_of(slimfly)[:3] for end in pair}


def test_too_few_anchors_are_reported_without_port_numbers():
    tree = built("fattree 8")
    rng = random.Random(8)
    found, _ = fabric_of(tree, pairs_of(tree), rng)
    identity = identify(renumbered(found, rng), tree)
    assert "0% of the links" in identity.doubts[0]
    assert "look alike" in identity.notes[-1]
    alike = sorted(len(group) for group in identity.ambiguous)
    assert sum(alike) == len(switches(tree))


@pytest.mark.slow
def test_groups_in_each_others_places_are_found():
    """The boxes of two pods were delivered to each other's rows: their inner links are right, and the names agree with them."""
    tree = built("fattree 8")
    rng = random.Random(9)
    every = switches(tree)
    found, key = fabric_of(tree, with_errors(tree, 0.01, rng), rng, names=every)
    near = {d: {y for x, y in links_of(tree) if x == d} for d in every}
    edges = [d for d in every if any(row.kind == "endpoint" and row.a.device == d for row in tree)]
    pods = {frozenset(near[d]): [] for d in edges}
    for d in edges:
        pods[frozenset(near[d])].append(d)
    (one, first), (other, second) = list(pods.items())[:2]
    names = dict(
        zip([*sorted(one), *first, *sorted(other), *second], [*sorted(other), *second, *sorted(one), *first], strict=True)
    )
    devices = {k: replace(d, name=names.get(d.name, d.name)) for k, d in found.devices.items()}
    identity = identify(replace(found, devices=devices), tree)
    assert not mistaken(identity, key, every)
    assert sorted(identity.renamed) == sorted((key[d], name, d) for d, name in names.items())


def links_of(schedule):
    pairs = [(a[0], b[0]) for a, b in pairs_of(schedule) if b[0][0] == "R"]
    return pairs + [(b, a) for a, b in pairs]
