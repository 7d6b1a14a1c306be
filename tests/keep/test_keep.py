"""What is built stays where it is and plugged as it is."""

import csv
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from shared.plans import STUDIES, UNPRINTED, asked, grown, kept_study

from planner.check import Source, check
from planner.check.kept import kept_cables_stay, kept_devices_stay
from planner.check.replaced import replaced_devices_have_their_parts
from planner.core.errors import InputError
from planner.domain import catalog, stored
from planner.network.growth import moved_by_ports, step
from planner.network.growth import ports as growth_ports
from planner.studies import pipeline, study
from planner.view import schedule

LARGER = "nvidia-qm8700"

COLUMNS = ("a", "b", "part", "end_parts", "stock_mm", "run_mm", "trays", "kind", "stage")


def lines(plan):
    """Rows of a schedule without numbers, ends in order."""
    rows = [[getattr(row, name) for name in COLUMNS] for row in schedule.of_plan(plan)]
    return sorted(rows, key=str)


def ports(plan):
    """Ends of all connections, by name of the device and port."""
    return Counter(frozenset((end.device, end.port) for end in row.ends) for row in schedule.of_plan(plan))


def places(plan):
    """Cabinet and unit of all devices by name."""
    columns = plan.inventory.names.tolist(), plan.placement.slot.tolist(), plan.placement.unit.tolist()
    return {name: place for name, *place in zip(*columns, strict=True)}


def figures(plan):
    names = ("kept_devices", "moved_devices", "removed_devices", "new_devices", "kept_connections", "removed_connections",
             "new_connections")  # fmt: skip
    return tuple(plan.quantities[name]["value"] for name in names)


BARE = {"catalog": STUDIES["plain"]["catalog"], "room": {"plan": "lab"}, "placement": {"packing": "partition"}}
"""A room; the exact packing, the default, would search for its whole effort."""


def run(keep, folder, *, built=None, **sections):
    """Run a plan into a folder, then one that keeps it; sections of the second follow those of the first."""
    first = built or {name: section for name, section in sections.items() if name != "keep"}
    pipeline.run(study.check({"name": "built", "seed": 1, **UNPRINTED, **first}, base=Path()), out=folder / "built")
    again = {"plan": str(folder / "built")} | keep
    return pipeline.make(study.check({"name": "kept", "seed": 2, **sections, "keep": again}, base=Path()))


def row_of(name, kind, file, other, **figures):
    """A row of the catalog under another id, with other figures."""
    text = (Path(__file__).parents[2] / "catalogs" / f"{file}.toml").read_text(encoding="utf-8")
    row = next(each for each in text.split(f"[[{kind}]]\n") if each.startswith(f'id = "{name}"'))
    for key, value in figures.items():
        row = re.sub(rf"^{key} = .*$", f"{key} = {value}", row, flags=re.MULTILINE)
    return f"[[{kind}]]\n" + row.replace(f'id = "{name}"', f'id = "{other}"')


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain", "trunks", "several"])
def test_a_plan_that_keeps_itself_is_the_same(name, tmp_path):
    if name not in STUDIES:
        name = next(key for key, each in STUDIES.items() if "network" in each)
    plan = pipeline.make(kept_study(name, tmp_path))
    built = stored.restore(tmp_path / "built")
    assert lines(plan) == lines(built)
    assert places(plan) == places(built)
    assert figures(plan) == (len(places(built)), 0, 0, 0, built.cables.cable_count, 0, 0)
    assert plan.violations.items == built.violations.items


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_schedule_or_workbook_is_kept_like_its_plan(ending, tmp_path):
    given = asked("plain")
    given = replace(given, sections=given.sections | {"report": {"formats": (ending,)}})
    built = pipeline.run(given, out=tmp_path / "built")
    file = tmp_path / "built" / f"plain.{ending}"
    plan = pipeline.make(kept_study("plain", tmp_path, {"plan": str(file)}))
    assert lines(plan) == lines(built)
    assert not plan.violations.items


@pytest.mark.slow
def test_a_schedule_as_built_is_kept_with_its_deviations(tmp_path):
    given = asked("plain")
    built = pipeline.run(replace(given, sections=given.sections | {"report": {"formats": ("csv",)}}), out=tmp_path / "built")
    with (tmp_path / "built" / "plain.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    first, second = [row for row in rows if row["a_device"] == "R000"][:2]
    ends = ("a_port", "a_printed", "label_a", "a_cage")
    for name in ends:
        if name in first:
            first[name], second[name] = second[name], first[name]
    as_built = tmp_path / "as-built.csv"
    with as_built.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    plan = pipeline.make(kept_study("plain", tmp_path, {"plan": str(as_built)}))
    assert plan.violations.items == ()
    changed = ports(plan) - ports(built)
    mine = [{(row["a_device"], int(row["a_port"])), (row["b_device"], int(row["b_port"]))} for row in (first, second)]
    assert sorted(map(sorted, changed)) == sorted(map(sorted, mine))


@pytest.mark.slow
def test_five_groups_instead_of_four_move_no_switch_and_only_links_that_go():
    plan = grown()
    kept = plan.kept
    assert plan.violations.items == ()
    old_places = dict(zip(kept.names.tolist(), zip(kept.slot.tolist(), kept.unit.tolist(), strict=True), strict=True))
    new_places = places(plan)
    assert all(new_places[name] == list(place) for name, place in old_places.items())
    # A link goes only if the new topology does not have it.
    names = kept.names[kept.ends]
    old_pairs = Counter(frozenset(pair) for pair in names.tolist())
    new_pairs = Counter(frozenset(pair) for pair in plan.inventory.names[plan.inventory.ends].tolist())
    assert (kept.row >= 0).sum() == (old_pairs & new_pairs).total()
    own = [frozenset(zip(pair, port, strict=True)) for pair, port in zip(names.tolist(), kept.port.tolist(), strict=True)]
    now = ports(plan)
    assert all(now[ends] == 1 for ends, row in zip(own, kept.row.tolist(), strict=True) if row >= 0)
    assert max(now.values()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arrangement", "moved"), [({}, 8), pytest.param({"arrangement": "absolute", "max_groups": 17}, 0, marks=pytest.mark.nightly)]
)
def test_five_groups_take_out_the_minimum_of_links_for_their_ports(arrangement, moved, tmp_path):
    line = {"family": "dragonfly", "a": 8, "h": 2, "endpoints_per_router": 2} | arrangement
    plan = run({}, tmp_path, built=BARE | {"topology": line | {"groups": 4}}, topology=line | {"groups": 5}, **BARE)
    old = stored.restore(tmp_path / "built").topology
    change = step(old, plan.topology)
    assert plan.quantities["moved_devices"]["value"] == 0
    assert plan.quantities["removed_connections"]["value"] == len(change.moved) == moved
    assert not plan.violations.items
    # All global ports of the old groups are in use, or some of them wait for further groups.
    free = np.maximum(plan.topology.degree[:32] - old.degree, 0)
    among_new = int((plan.topology.links >= 32).all(axis=1).sum())
    assert moved == moved_by_ports(free, plan.topology.degree[32:], among_new)
    # Links have the ports that growth gives them, or the next one where a node is plugged there.
    rows = np.flatnonzero(plan.inventory.is_link)
    own, wanted = plan.cables.port[rows] - 1, growth_ports(change)
    nodes = {(name, port) for ends in ports(plan) for name, port in ends if any(far.startswith("E") for far, _ in ends)}
    names = plan.inventory.names[plan.inventory.ends[rows]]
    ends = zip(names.tolist(), wanted.tolist(), strict=True)
    free_port = np.array([[(n, p + 1) not in nodes for n, p in zip(*row, strict=True)] for row in ends])
    assert (own == wanted)[free_port].all()
    assert (own >= wanted).all()
    assert free_port.all() == bool(moved)


@pytest.mark.nightly
def test_the_method_of_growth_is_chosen(tmp_path):
    line = {"family": "dragonfly", "a": 4, "h": 2, "endpoints_per_router": 2}
    base = {"catalog": STUDIES["plain"]["catalog"], "room": {"plan": "lab"}}
    pipeline.run(
        study.check({"name": "four", "seed": 1, **UNPRINTED, **base, "topology": line | {"groups": 4}}, base=Path()), out=tmp_path
    )
    removed = {}
    for growth in ("none", "block", "member"):
        keep = {"plan": str(tmp_path), "growth": growth}
        given = {"name": "five", "seed": 1, **base, "topology": line | {"groups": 5}, "keep": keep}
        plan = pipeline.make(study.check(given, base=Path()))
        assert not [each for each in plan.violations.items if each.severity == "error"]
        removed[growth] = plan.quantities["removed_connections"]["value"]
        # A network that is kept again is the same, however it has grown.
        if growth == "member":
            pipeline.run(study.check(given, base=Path()), out=tmp_path / "five")
            again = given | {"keep": {"plan": str(tmp_path / "five")}}
            same = pipeline.make(study.check(again, base=Path()))
            assert lines(same) == lines(plan)
            assert same.quantities["removed_connections"]["value"] == 0
    # The palm tree of five groups has other pairs of routers; four links of old pairs of groups make place for those of the new.
    assert removed["member"] == 4 < removed["none"]
    assert removed["block"] < removed["none"]
    with pytest.raises(InputError, match=r"keep.growth: there is no growth 'matches'"):
        pipeline.make(study.check(given | {"keep": {"plan": str(tmp_path), "growth": "matches"}}, base=Path()))


@pytest.mark.slow
def test_one_more_pod_of_a_fat_tree_takes_no_cable_out(tmp_path):
    tree = {"family": "fattree", "k": 4, "clos": True, "subtrees": [3]}
    plan = run({}, tmp_path, built=BARE | {"topology": tree}, topology=tree | {"subtrees": [4]}, **BARE)
    built = stored.restore(tmp_path / "built")
    assert plan.quantities["removed_connections"]["value"] == plan.quantities["moved_devices"]["value"] == 0
    assert not ports(built) - ports(plan)
    assert len(set(plan.inventory.names.tolist())) == plan.inventory.device_count
    assert not [each for each in plan.violations.items if each.severity == "error"]
    old, new = ({str(name): role for name, role in zip(p.inventory.names, p.inventory.role, strict=True)} for p in (built, plan))
    assert all(new[name] == role for name, role in old.items())


@pytest.mark.slow
def test_movable_cabinets_may_move_and_their_cables_keep_their_ports(tmp_path):
    first = kept_study("plain", tmp_path)
    names = {str(each) for each in pipeline.make(first).room.slot_names}
    built = stored.restore(tmp_path / "built")
    cabinet = built.room.slot_names[int(built.placement.slot_of[0])]
    assert cabinet in names
    plan = pipeline.make(kept_study("plain", tmp_path, {"movable": {"cabinets": [cabinet]}}))
    moves = plan.kept.stays[plan.kept.slot == built.placement.slot_of[0]]
    assert not moves.any()
    assert plan.kept.stays.sum() == len(plan.kept.stays) - len(moves)
    # Nodes that share a box may change places in it.
    of_routers = [{end for ends in ports(each) for end in ends if end[0].startswith("R")} for each in (plan, built)]
    assert of_routers[0] == of_routers[1]
    links = [Counter({ends: 1 for ends in ports(each) if all(end[0].startswith("R") for end in ends)}) for each in (plan, built)]
    assert links[0] == links[1]
    assert not [each for each in plan.violations.items if each.severity == "error"]
    frozen = pipeline.make(kept_study("plain", tmp_path, {"frozen": {"cabinets": [cabinet]}}))
    assert frozen.kept.stays.sum() == len(moves)


@pytest.mark.slow
def test_a_smaller_network_frees_ports_only_on_purpose(tmp_path):
    base = {"catalog": STUDIES["plain"]["catalog"], "room": {"plan": "lab"}}
    line = {"family": "dragonfly", "a": 4, "h": 1, "endpoints_per_router": 2, "groups": 5}
    small = base | {"topology": line | {"groups": 4}}
    with pytest.raises(InputError, match=r"this plan lacks R016, R017.* write shrink = true to remove 12 devices"):
        run({}, tmp_path, built=base | {"topology": line}, **small)
    plan = run({"shrink": True}, tmp_path / "again", built=base | {"topology": line}, **small)
    assert plan.quantities["removed_devices"]["value"] == 12
    assert plan.quantities["moved_devices"]["value"] == 0
    assert not [each for each in plan.violations.items if each.severity == "error"]


def wrong(first, folder, keep=None, **changes):
    """Return the message with which a study that keeps a plan is refused before anything runs."""
    with pytest.raises(InputError) as caught:
        pipeline.run(kept_study(first, folder, keep, **changes), out=folder / "out", until="inventory")
    assert not (folder / "out" / "placement.npz").exists()
    return str(caught.value)


@pytest.mark.slow
def test_what_does_not_fit_is_refused_with_the_remedy(tmp_path):
    text = wrong("plain", tmp_path, room={"plan": "two-halls"})
    assert "keep.plan: is of another room" in text
    assert "choose the room of the kept plan" in text
    text = wrong("plain", tmp_path, catalog=STUDIES["plain"]["catalog"] | {"router": "nvidia-sn4600c"})
    assert "keep.plan: nvidia-sb7800 has another height, port side or first group of ports than nvidia-sn4600c" in text
    text = wrong("plain", tmp_path, {"movable": {"cabinets": ["Z99"], "roles": ["spin"], "networks": ["storage"]}})
    assert "keep.movable.cabinets: the kept plan has no cabinet 'Z99'" in text
    assert "keep.movable.roles: there is no role 'spin'" in text
    assert "keep.movable.networks: there is no network 'storage'" in text
    text = wrong("plain", tmp_path, {"movable": {"roles": ["router"]}, "frozen": {"roles": ["router"]}})
    assert "keep.movable.roles: 'router' is in frozen too" in text
    assert "keep 'router' in one of both" in text
    one = {"device": "R003", "part": LARGER, "ports": {"1": 41}}
    text = wrong("plain", tmp_path, {"replace": [one]})
    assert (
        f"R003 port 41: these connections of {LARGER} use ports 1 to 40; list 1 = … with a port from 1 to 40 in its ports" in text
    )
    text = wrong("plain", tmp_path, {"replace": [one | {"part": "server-half-unit", "ports": {}}]})
    assert "R003 is a router, and server-half-unit is none; choose a part of the kind router" in text
    (tmp_path / "tiny.toml").write_text(row_of("nvidia-sb7800", "router", "routers/nvidia-infiniband", "tiny", ports=6))
    own = STUDIES["plain"]["catalog"] | {"files": [str(tmp_path / "tiny.toml")]}
    text = wrong("plain", tmp_path, {"replace": [one | {"part": "tiny", "ports": {}}]}, catalog=own)
    assert "R003 has 7 connections at its ports, and tiny has 6 of these; choose a part with at least 7 such ports" in text
    text = wrong("plain", tmp_path, {"plan": str(tmp_path / "nothing")})
    assert "keep.plan" in text
    slot = stored.restore(tmp_path / "built").placement.slot_of[0]
    name = stored.restore(tmp_path / "built").room.slot_names[slot]
    text = wrong("plain", tmp_path, room={"plan": "lab", "existing": {"taken": [{"cabinet": name}]}})
    assert f"keep.plan: must stay in {name}, which a cabinet of others takes; remove the cabinet from taken" in text
    text = wrong("plain", tmp_path, {"overflow": ["A01"]})
    assert "has no effect in a plan of one network" in text


@pytest.mark.slow
def test_every_change_of_what_stays_is_found():
    plan = grown()
    kept, placement, cables = plan.kept, plan.placement, plan.cables
    row = int(kept.row[(kept.row >= 0) & (kept.choice >= 0) & (kept.route >= 0)][0])
    device = int(kept.device[kept.stays][0])

    def other(array, at, more=1):
        changed = array.copy()
        changed[at] = changed[at] + more
        return changed

    def relabeled(text):
        changed = text.astype(object)
        changed[row] = "other"
        return changed.astype(np.str_)

    slots = np.setdiff1d(np.arange(plan.room.slot_count), placement.slot_of)
    moved = placement.slot_of.copy()
    moved[placement.cabinet[device]] = slots[0]
    names = plan.inventory.names.astype("U20")
    names[device] = "renamed"
    for mutant in (
        replace(plan, placement=replace(placement, unit=other(placement.unit, device))),
        replace(plan, placement=replace(placement, slot_of=moved)),
        replace(plan, inventory=replace(plan.inventory, names=names)),
    ):
        assert list(kept_devices_stay(mutant))
    for mutant in (
        replace(cables, port=other(cables.port, (row, 0))),
        replace(cables, port=other(cables.port, (row, 1))),
        replace(cables, device=other(cables.device, (row, 1))),
        replace(cables, stock_mm=other(cables.stock_mm, row, 500)),
        replace(cables, assembly=(cables.assembly + (np.arange(cables.cable_count) == row)) % len(cables.assemblies)),
        replace(cables, label_a=relabeled(cables.label_a)),
        replace(cables, label_b=relabeled(cables.label_b)),
        replace(cables, route=np.where(np.arange(cables.cable_count) == row, -1, cables.route)),
    ):
        assert list(kept_cables_stay(replace(plan, cables=mutant)))
    freed = replace(kept, row=np.where(kept.row == row, -1, kept.row))
    assert list(kept_cables_stay(replace(plan, kept=freed)))
    assert check(plan).items == ()


@pytest.mark.slow
def test_cables_of_replaced_devices_are_plugged_port_by_port(tmp_path):
    parts = STUDIES["plain"]["catalog"]
    kept_study("plain", tmp_path)
    built = stored.restore(tmp_path / "built")
    routers = [name for name in built.inventory.names.tolist() if name.startswith("R")]
    larger = {"catalog": parts | {"router": LARGER}}
    old = {end for ends in ports(built) for end in ends if end[0].startswith("R")}
    used = sorted({port for _, port in old})
    swap = {"device": routers, "part": LARGER, "ports": {str(port): 40 - port for port in used}}
    plan = pipeline.make(kept_study("plain", tmp_path, {"replace": [swap]}, **larger))
    new = {end for ends in ports(plan) for end in ends if end[0].startswith("R")}
    assert new == {(name, 40 - port) for name, port in old}
    assert plan.quantities["moved_devices"]["value"] == 0
    assert not [each for each in plan.violations.items if each.severity == "error"]
    text = wrong("plain", tmp_path, {"replace": [swap | {"part": "other"}]}, **larger)
    assert "keep.replace.0.part: there is no part 'other'" in text
    bad = {"device": "R9", "part": LARGER, "ports": {"1": 2, "3": 2, "x": 4}}
    text = wrong("plain", tmp_path, {"replace": [bad]}, **larger)
    assert "the kept plan has no device 'R9'" in text
    assert "several ports become port 2" in text
    assert "'x' is not a port" in text
    one = {"device": "R000", "part": LARGER, "ports": {str(used[0]): used[1]}}
    rest = {"device": routers[1:], "part": LARGER}
    assert f"R000 port {used[1]} is used twice" in wrong("plain", tmp_path, {"replace": [one, rest]}, **larger)


@pytest.mark.slow
def test_one_switch_of_a_role_is_replaced_and_its_cables_stay(tmp_path):
    kept_study("plain", tmp_path)
    built = stored.restore(tmp_path / "built")
    swap = {"device": "R003", "part": LARGER, "ports": {"1": 40}}
    given = kept_study("plain", tmp_path, {"replace": [swap]})
    plan = pipeline.run(given, out=tmp_path / "second")
    assert plan.violations.items == built.violations.items
    number = plan.inventory.names.tolist().index("R003")
    parts = [plan.inventory.part_of(device).id for device in range(plan.inventory.router_count)]
    assert parts == [LARGER if device == number else STUDIES["plain"]["catalog"]["router"] for device in range(len(parts))]
    # All cables stay; one of them is plugged into another port.
    moved = {("R003", 1): ("R003", 40)}
    assert ports(plan) == Counter(frozenset(moved.get(end, end) for end in ends) for ends in ports(built))
    bought = [("part", "end_parts", "stock_mm", "trays"), ("label",)]
    old, new = (sorted((*(str(getattr(row, name)) for name in bought[0]), row.a.device, row.b.device)
                       for row in schedule.of_plan(each)) for each in (built, plan))  # fmt: skip
    assert old == new
    relabeled = [row for row in schedule.of_plan(plan) if any((end.device, end.port) == ("R003", 40) for end in row.ends)]
    assert [row.a.label.count(":40") for row in relabeled] == [1]
    assert plan.quantities["kept_connections"]["value"] == built.cables.cable_count
    # The verifier finds another part, other cables, and rows that are missing.
    source = Source({"": plan.topology}, plan.catalog, plan.room, lambda kind: tuple(catalog.rows(kind)), lambda _: plan.topology)
    assert not [*replaced_devices_have_their_parts(plan, source)]
    at = np.flatnonzero((plan.inventory.ends == number).any(axis=1))[0]
    part, joint = plan.inventory.part.copy(), plan.inventory.joint.copy()
    part[number], joint[at] = 0, 1
    for mutant in ({"part": part}, {"joint": joint}, {"rows": ()}):
        assert [*replaced_devices_have_their_parts(replace(plan, inventory=replace(plan.inventory, **mutant)), source)]
    # A plan that keeps this one keeps its parts, without an entry for them.
    again = STUDIES["plain"] | {"keep": {"plan": str(tmp_path / "second")}}
    third = pipeline.make(study.check({"name": "third", "seed": 1, **again}, base=Path()))
    assert lines(third) == lines(plan)
    assert third.inventory.part.tolist() == plan.inventory.part.tolist()
    assert third.violations.items == plan.violations.items


@pytest.mark.slow
def test_new_switches_of_another_model_join_those_that_are_built(tmp_path):
    """Kept devices keep their parts where the study chooses another one for their role."""
    line = {"family": "dragonfly", "a": 4, "h": 1, "endpoints_per_router": 2}
    base = {"room": {"plan": "lab"}}
    parts = STUDIES["plain"]["catalog"]
    first = base | {"catalog": parts, "topology": line | {"groups": 4}}
    plan = run({}, tmp_path, built=first, **base, catalog=parts | {"router": LARGER}, topology=line | {"groups": 5})
    assert not [each for each in plan.violations.items if each.severity == "error"]
    kept = set(plan.kept.device.tolist())
    for device in range(plan.inventory.router_count):
        assert plan.inventory.part_of(device).id == (parts["router"] if device in kept else LARGER)
    assert plan.quantities["moved_devices"]["value"] == 0


@pytest.mark.slow
def test_a_leaf_and_a_node_of_several_networks_are_replaced(tmp_path):
    base = {name: STUDIES["planes"][name] for name in ("catalog", "room", "network", "node")}
    for name, kind, file in (
        ("nvidia-sn4600c", "router", "routers/nvidia-spectrum"),
        ("dgx-h100", "endpoint", "endpoints/nvidia-dgx"),
    ):
        (tmp_path / f"{kind}.toml").write_text(row_of(name, kind, file, f"new-{kind}"), encoding="utf-8")
    base["catalog"] = base["catalog"] | {"files": [str(tmp_path / "router.toml"), str(tmp_path / "endpoint.toml")]}
    swap = [{"device": "inband-leaf1", "part": "new-router"}, {"device": "dgx2", "part": "new-endpoint"}]
    plan = run({"replace": swap}, tmp_path, built=base, **base)
    built = stored.restore(tmp_path / "built")
    assert not [each for each in plan.violations.items if each.severity == "error"]
    number = {name: device for device, name in enumerate(plan.inventory.names.tolist())}
    assert plan.inventory.part_of(number["inband-leaf1"]).id == "new-router"
    assert plan.inventory.part_of(number["dgx2"]).id == "new-endpoint"
    assert sum(plan.inventory.part_of(device).id.startswith("new-") for device in number.values()) == 2
    assert plan.quantities["moved_devices"]["value"] == plan.quantities["removed_connections"]["value"] == 0
    assert ports(plan) == ports(built)


@pytest.mark.slow
def test_new_nodes_join_built_cabinets_or_the_overflow(tmp_path):
    study_of = STUDIES["planes"]
    base = {name: study_of[name] for name in ("catalog", "room", "network")}
    dgx = study_of["node"][0]

    def grown_to(count, keep, built=None):
        folder = tmp_path / f"{built}-{count}-{len(keep)}"
        first = base | {"node": [dgx | {"count": built}]}
        return run(keep, folder, built=first, **base, node=[dgx | {"count": count}]), stored.restore(folder / "built")

    plan, old = grown_to(4, {}, built=3)
    assert plan.placement.cabinet_count == old.placement.cabinet_count
    assert plan.quantities["new_devices"]["value"] == 1
    assert not old.placement.slot[0] - plan.placement.slot[0]
    assert places(old).items() <= places(plan).items()
    assert not ports(old) - ports(plan)
    assert not [each for each in plan.violations.items if each.severity == "error"]
    # The tables begin a new cabinet for the third node, unless the overflow has space.
    plan, old = grown_to(3, {}, built=2)
    assert plan.placement.cabinet_count == old.placement.cabinet_count + 1
    home = old.room.slot_names[old.placement.slot[0]]
    plan, old = grown_to(3, {"overflow": [home]}, built=2)
    assert plan.placement.cabinet_count == old.placement.cabinet_count
    assert places(old).items() <= places(plan).items()
    assert plan.room.slot_names[plan.placement.slot[-1]] == home
    assert not [each for each in plan.violations.items if each.severity == "error"]
