"""A machine that is bought in phases: its study, its plans, and what each step moves."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner.check import Source, check
from planner.check.phases import phases_agree, windows_keep_the_network_up
from planner.commands.console.cli import main
from planner.core.errors import InputError
from planner.studies import pipeline, study, verification
from planner.studies.phased import phased, run
from planner.studies.phased.networks import networks
from planner.view import schedule

PARTS = {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"}

MACHINE = {
    "name": "machine",
    "seed": 1,
    "topology": {"family": "jellyfish", "degree": 4, "endpoints_per_router": 2},
    "catalog": PARTS,
    "room": {"plan": "lab"},
    "placement": {"moves": 20_000, "bounds": False, "objective": "length", "interior": {"reserve_top_units": 32}},
    "report": {"formats": ["csv"]},
    "phase": [
        {"name": "2026", "change": {"topology.routers": 8}},
        {"name": "2027", "change": {"topology": {"routers": 12}}},
        {"name": "2029", "change": {"topology.routers": 16}},
    ],
    "growth": {"method": "inside", "cables_down": 4},
}


def given(**sections):
    return study.check({**MACHINE, **sections}, base=Path())


def problems(**sections):
    with pytest.raises(InputError) as raised:
        networks(given(**sections))
    return str(raised.value)


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("machine")
    return run(given(), out=folder), folder


def test_a_file_with_the_name_of_a_phase_is_refused_before_anything_runs(tmp_path):
    (tmp_path / "2027").write_text("notes")
    with pytest.raises(InputError, match=r"phase\.1\.name: '2027' is a file in .*; name the phase otherwise, or move the file"):
        run(given(), out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["2027"]


# -- the study ------------------------------------------------------------------------------------


def test_changes_are_those_of_set():
    found = given()
    assert list(found.phases) == ["2026", "2027", "2029"]
    assert [each.sections["topology"]["routers"] for each in found.phases.values()] == [8, 12, 16]
    assert [each.name for each in found.phases.values()] == ["machine-2026", "machine-2027", "machine-2029"]
    # Other commands work on the last phase.
    assert found.sections["topology"]["routers"] == 16
    assert found.growth["weights"] == ()


def test_all_problems_at_once():
    text = problems(
        phase=[
            {"name": "2026", "change": {"topology.routers": 8, "room.plan": "hall-a"}},
            {"name": "2026", "change": {"topology.routers": -2}},
            {"name": "a/b", "change": {"topology.degree": "x"}},
        ],
        growth={"method": "blok", "weights": [1, 2], "ends_down": 0},
    )
    for part in (
        "[room] must be the same in all phases", "is also the name of phase 1", "'a/b' cannot be the name of a folder",
        "there is no growth 'blok'; did you mean block?", "2 weights for 3 phases", "topology.routers", "topology.degree",
    ):  # fmt: skip
        assert part in text, part


@pytest.mark.parametrize(
    ("sections", "part"),
    [
        ({"phase": MACHINE["phase"][::-1]}, "list them in the order 2026, 2027, 2029"),
        ({"growth": {"weights": [1, 1]}}, "2 weights for 3 phases"),
        ({"growth": {"method": "inside", "inside": 4}}, "has no such key"),
        ({"growth": {"ends_down": 0}}, "ends_down"),
        ({"phase": []}, "lists no phase"),
        ({"phase": "2026"}, "must be a list of tables"),
        ({"phase": [{"name": "alone"}]}, "is a folder of the comparison"),
        ({"phase": [{"name": "Phases.JSON"}]}, "'Phases.JSON' is the name of a file, and a phase has a folder"),
        ({"keep": {"plan": "x"}}, "list what is built as the first phase"),
        ({"placement": {"endpoints": "apart"}}, 'write endpoints = "together"'),
        ({"placement": {"algorithm": "manual", "layout": "x.csv"}}, "all are placed at once"),
        ({"phase": [{"name": "1", "change": {"": 1}}]}, "is no key"),
        ({"phase": [{"name": "1", "change": {"topology.family.x": 1}}]}, "is not a section"),
        ({"phase": [{"name": "1", "change": {"phase.0": 1}}]}, "a phase has no phases"),
        ({"catalog": PARTS | {"router": "none"}}, "none"),
    ],
)
def test_what_is_refused(sections, part):
    assert part in problems(**sections)


def test_a_method_that_cannot_grow_the_network():
    text = problems(growth={"method": "block", "inside": 99})
    assert "growth.method: block: 4 new routers have at most 3 links each among themselves, not 99; use auto or match" in text


def test_endpoints_of_installed_routers_stay():
    phases = [{"name": "a", "change": {"topology.routers": 8}},
              {"name": "b", "change": {"topology.routers": 12, "topology.endpoints_per_router": 3}}]  # fmt: skip
    text = problems(phase=phases, growth={"method": "none"})
    assert "8 installed routers have other endpoints in b than in a" in text
    assert "endpoints_per_router" in text


def test_growth_without_phases():
    data = {key: value for key, value in MACHINE.items() if key != "phase"}
    with pytest.raises(InputError, match=r"add \[\[phase\]\]"):
        study.check(data, base=Path())


def test_a_room_that_grows_with_the_network():
    assert "write cabinets = " in problems(room={"plan": "spectralfly"})


def test_flow_runs_one_plan():
    with pytest.raises(InputError, match=r"planner\.studies\.phased\.run"):
        pipeline.run(given())


def test_bad_input_ends_with_two(tmp_path, capsys):
    file = tmp_path / "study.toml"
    file.write_text('[topology]\nfamily = "jellyfish"\n[[phase]]\nname = "x"\n[[phase]]\nname = "x"\n', encoding="utf-8")
    assert main(["run", str(file)]) == 2
    assert "phase.1.name" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["study.toml"]


# -- the plans ------------------------------------------------------------------------------------


def places(plan):
    columns = plan.inventory.names.tolist(), plan.placement.slot.tolist(), plan.placement.unit.tolist()
    return {name: place for name, *place in zip(*columns, strict=True)}


def ends(plan):
    return {frozenset((end.device, end.port) for end in row.ends) for row in schedule.of_plan(plan)}


@pytest.mark.slow
def test_every_phase_is_a_plan_without_violations(machine):
    found, folder = machine
    for name, plan in zip(found.names, found.plans, strict=True):
        assert plan.violations.items == ()
        assert verification.verified(folder / name).violations.items == ()
    assert [plan.topology.router_count for plan in found.plans] == [8, 12, 16]


@pytest.mark.slow
def test_devices_stay_and_kept_links_keep_their_ports(machine):
    found, _ = machine
    for old, new, change in zip(found.plans, found.plans[1:], found.growth.steps, strict=False):
        before, after = places(old), places(new)
        assert before.items() <= after.items()
        both = ends(old) & ends(new)
        assert len(both) == len(change.kept) + old.topology.endpoint_count
    # Names have the digits of the last phase.
    assert len({len(name) for plan in found.plans for name in plan.inventory.names.tolist()}) == 1


@pytest.mark.slow
def test_cabinets_are_bought_with_their_phase(machine):
    found, _ = machine
    used = [set(plan.placement.slot_of.tolist()) for plan in found.plans]
    assert used[0] < used[1] < used[2]


@pytest.mark.slow
def test_later_phases_are_reserved_by_name(machine):
    found, _ = machine
    first, last = found.plans[0], found.plans[-1]
    taken = {first.room.slot_names[each.slot]: each.name for each in first.room.existing.equipment}
    new = {last.room.slot_names[slot] for slot in last.placement.slot_of.tolist()} - {
        first.room.slot_names[slot] for slot in first.placement.slot_of.tolist()
    }
    assert new <= taken.keys()
    assert set(taken.values()) <= {"reserved for 2027", "reserved for 2029"}
    assert first.reserved.phases == ("2027", "2029")
    assert last.reserved is None
    later = {(first.inventory.names[d], p) for d, p in zip(first.reserved.device, first.reserved.port, strict=True)}
    names = set(first.inventory.names.tolist())
    assert later == {end for plan in found.plans[1:] for pair in ends(plan) for end in pair if end[0] in names}


@pytest.mark.slow
def test_windows_use_no_port_twice_and_bounds_hold(machine):
    found, _ = machine
    for step, (by_ports, by_quality) in zip(found.steps[1:], found.growth.bounds, strict=True):
        assert max(by_ports, by_quality) <= len(step.change.moved)
        assert (step.windows.added >= 0).all()
        assert step.windows.connected
        assert max(np.bincount(step.windows.moved)) <= 4


@pytest.mark.slow
def test_figures_of_the_phases(machine):
    found, folder = machine
    content = json.loads((folder / "phases.json").read_text(encoding="utf-8"))
    assert content["cost_cents"] == sum(phase["cost_cents"] for phase in content["phases"]) == found.cost_cents
    assert content["alone_cents"] == found.alone_cents
    for phase, plan in zip(content["phases"], found.plans, strict=True):
        links = plan.cables.run_mm[plan.inventory.is_link]
        assert phase["link_mm"] == int(links.sum())
        assert phase["links"] == len(links)
    change = content["phases"][1]["change"]
    # New cables: added links and endpoints of new routers.
    assert change["cables_added"] + change["cables_replugged"] == len(found.growth.steps[0].added) + 4 * 2
    assert change["cables_removed"] + change["cables_replugged"] == len(found.growth.steps[0].moved)
    assert change["devices_moved"] == 0


@pytest.mark.slow
def test_a_removed_cable_leaves_before_it_is_used_again(machine):
    found, folder = machine
    for step in found.steps[1:]:
        out = dict(zip((step.change.moved + 1).tolist(), step.windows.moved.tolist(), strict=True))
        into = dict(zip((step.change.added + 1).tolist(), step.windows.added.tolist(), strict=True))
        for each in step.difference.reuse:
            assert out[each.old.number] <= into.get(each.new.number, 99)
            assert each.old.stock_mm >= each.need_mm
    rows = (folder / "2026-2027" / "windows.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) - 1 == len(found.growth.steps[0].moved) + len(found.growth.steps[0].added)


@pytest.mark.nightly
def test_the_same_bytes_again(machine, tmp_path):
    _, folder = machine
    run(given(), out=tmp_path)
    names = ["phases.json", "phases.html", "phases.pdf", "2026/machine-2026.csv", "2026/study.toml", "2026-2027/windows.csv",
             "2026-2027/difference.pdf", "2027/machine-2027.csv", "2029/placement.npz"]  # fmt: skip
    for name in names:
        assert (folder / name).read_bytes() == (tmp_path / name).read_bytes(), name


@pytest.mark.slow
def test_a_second_run_reuses_every_phase(machine):
    _, folder = machine
    seen = []
    pipeline.run(
        folder / "2026", out=folder / "2026", progress=lambda phase, *_, stored=False, **__: seen.append((phase, stored))
    )
    assert {("placement", True), ("cables", True), ("work", True)} <= set(seen)


@pytest.mark.slow
def test_check_of_all_phases(machine, capsys):
    _, folder = machine
    assert main(["check", str(folder), "--quiet"]) == 0
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines() if line.startswith("phase")] == [
        "2026",
        "2027",
        "2029",
    ]


@pytest.mark.slow
def test_figures_of_another_run_are_refused(machine, tmp_path, capsys):
    _, folder = machine
    shutil.copytree(folder, tmp_path / "copy")
    assert main(["check", str(tmp_path / "copy"), "--quiet"]) == 0
    file = tmp_path / "copy" / "phases.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["phases"][1]["fingerprint"] = "0"
    file.write_text(json.dumps(content), encoding="utf-8")
    assert main(["check", str(tmp_path / "copy")]) == 2
    assert "other plans than those in 2027" in capsys.readouterr().err
    shutil.rmtree(tmp_path / "copy" / "2026")
    assert main(["check", str(tmp_path / "copy")]) == 2
    assert "phases without a plan: 2026" in capsys.readouterr().err
    file.write_text("[]", encoding="utf-8")
    assert main(["check", str(tmp_path / "copy")]) == 2


def test_a_study_without_phases_is_refused():
    data = {key: value for key, value in MACHINE.items() if key not in ("phase", "growth")}
    with pytest.raises(InputError, match="has no phases"):
        phased(study.check(data | {"topology": {"family": "slimfly", "q": 3}}, base=Path()))


# -- rules ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def step(machine):
    found, folder = machine
    windows = verification.windows_of(folder / "2026-2027" / "windows.csv")
    return found.plans[0], Source({}, None, None, lambda kind: (), lambda number: None, found.plans[1], windows, (1, 4))


def with_cables(plan, **changed):
    return replace(plan, cables=replace(plan.cables, **changed))


def swapped(array, row, other):
    found = array.copy()
    found[[row, other]] = found[[other, row]]
    return found


def other_window(source, number, **changed):
    windows = [replace(each, **changed) if each.number == number else each for each in source.windows]
    return replace(source, windows=tuple(windows))


@pytest.mark.slow
def test_phases_that_agree(step):
    plan, source = step
    assert [*phases_agree(plan, source), *windows_keep_the_network_up(plan, source)] == []
    assert list(phases_agree(plan, replace(source, later=None))) == []


@pytest.mark.slow
def test_changes_of_places_ports_and_routes_are_found(step):
    plan, source = step
    unit = plan.placement.unit.copy()
    unit[0] += 1
    moved = replace(plan, placement=replace(plan.placement, unit=unit))
    assert "is in" in next(phases_agree(moved, source)).message
    later = source.later
    kept = sorted(ends(plan) & ends(later), key=sorted)
    row = next(n for n, pair in enumerate(schedule.of_plan(later)) if frozenset((e.device, e.port) for e in pair.ends) == kept[0])
    port = later.cables.port.copy()
    port[row] += 20
    found = list(phases_agree(plan, replace(source, later=with_cables(later, port=port))))
    assert any("fewer keep their ports" in each.message for each in found)
    assert any("reserved" in each.message for each in found)
    between = next(n for n in range(plan.cables.cable_count) if plan.cables.route[n] >= 0 and sorted_ends(plan, n) in kept)
    route = plan.cables.route.copy()
    route[between] = -1
    found = list(phases_agree(with_cables(plan, route=route), source))
    assert any("another route" in each.message for each in found)


def sorted_ends(plan, row):
    return frozenset((end.device, end.port) for end in schedule.of_plan(plan)[row].ends)


@pytest.mark.slow
def test_a_device_that_the_next_phase_lacks_is_found(step):
    plan, source = step
    names = source.later.inventory.names.copy()
    names[0] = "R99"
    later = replace(source.later, inventory=replace(source.later.inventory, names=names))
    assert any("is missing in the next phase" in each.message for each in phases_agree(plan, replace(source, later=later)))


@pytest.mark.slow
def test_faults_of_windows_are_found(step):
    plan, source = step
    last = source.windows[-1]
    first = next(each for each in source.windows if each.out)

    def messages(changed):
        return " ".join(each.message for each in windows_keep_the_network_up(plan, changed))

    assert "is missing after the last window" in messages(other_window(source, last.number, put=last.put[1:]))
    assert "is still there after" in messages(other_window(source, first.number, out=first.out[1:]))
    assert "is not there" in messages(other_window(source, last.number, out=(*last.out, frozenset({("R00", 99), ("R01", 99)}))))
    assert "growth.cables_down" in messages(replace(source, limits=(1, 0)))
    assert "growth.ends_down" in messages(replace(source, limits=(0, 99)))
    # What comes before its port is free.
    early = replace(source, windows=(replace(source.windows[0], put=(*source.windows[0].put, *last.put)), *source.windows[1:-1],
                                     replace(last, put=())))  # fmt: skip
    assert "is in use when a cable comes" in messages(early)
    every = tuple(each for window in source.windows for each in window.out)
    links = tuple(frozenset(pair) for pair in ends(plan) if all(name.startswith("R") for name, _ in pair))
    assert every
    assert "do not reach one another" in messages(other_window(source, first.number, out=links))


@pytest.mark.slow
def test_rules_run_in_the_registry(step):
    plan, source = step
    found = check(plan, replace(source, topologies={"": plan.topology}, catalog=plan.catalog, room=plan.room, windows=()))
    assert "windows_keep_the_network_up" in {item.rule for item in found.items}


# -- other machines -------------------------------------------------------------------------------


def test_a_machine_without_a_room(tmp_path):
    data = {key: MACHINE[key] for key in ("name", "seed", "topology", "phase", "growth")}
    found = run(study.check(data, base=Path()), out=tmp_path)
    assert [plan.topology.router_count for plan in found.plans] == [8, 12, 16]
    assert found.cost_cents is None
    content = json.loads((tmp_path / "phases.json").read_text(encoding="utf-8"))
    assert content["phases"][0]["moved"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topology", "key", "values", "growth", "moved"),
    [
        pytest.param(
            {"family": "dragonfly", "a": 4, "h": 2, "max_groups": 9}, "groups", (4, 5), {}, 0, marks=pytest.mark.nightly
        ),
        pytest.param({"family": "dragonfly", "a": 4, "h": 2}, "groups", (4, 6), {}, None, marks=pytest.mark.nightly),
        ({"family": "hyperx"}, "sizes", ((3, 3), (4, 3)), {}, 0),
        pytest.param({"family": "slimfly"}, "q", (3, 5), {"method": "match", "moves": 200_000}, None, marks=pytest.mark.nightly),
        pytest.param(
            {"family": "jellyfish", "degree": 4}, "routers", (9, 14), {"method": "block"}, None, marks=pytest.mark.nightly
        ),
        pytest.param(
            {"family": "polarstar", "q": 3, "supernode_degree": 3}, "supernode_routers", (2, 4), {}, 0, marks=pytest.mark.nightly
        ),
    ],
)
def test_families_in_phases(topology, key, values, growth, moved):
    phases = [{"name": f"s{n}", "change": {f"topology.{key}": value}} for n, value in enumerate(values)]
    found = phased(
        given(topology=topology | {"endpoints_per_router": 1}, phase=phases, growth=growth | {"alone": False},
              room={"plan": "hall-a"}),
        until="violations",
    )  # fmt: skip
    assert all(plan.violations.errors == () for plan in found.plans)
    step = found.steps[-1]
    assert moved is None or len(step.change.moved) == moved
    count = step.difference.found.count
    assert count("removed")[1] + count("replugged")[1] == len(step.change.moved)
    assert found.alone_cents is None
    assert found.cost_cents > 0


@pytest.mark.slow
def test_prices_count_a_link_once():
    """The flow of prices has each link in the phase that buys it, that of lengths in every phase that has it."""
    from planner.studies.phased.networks import union

    growth = networks(given()).growth
    counts = [network.link_count for network in growth.networks]
    assert union(growth, (), "length").link_count == sum(counts)
    assert union(growth, (2, 4, 2), "length").link_count == counts[0] + 2 * counts[1] + counts[2]
    assert union(growth, (), "price").link_count == counts[0] + sum(len(change.added) for change in growth.steps)


@pytest.mark.parametrize(
    ("growth", "message"),
    [
        ("[growth]\n", r"growth: describes phases, and the study has none; write \[\[phase\]\] for \[\[stage\]\]"),
        ("", r"stage: a study has no such key or section; did you mean phase\?"),
    ],
)
def test_phases_by_their_earlier_name(tmp_path, growth, message):
    (tmp_path / "study.toml").write_text(f'[topology]\nfamily = "ring"\n{growth}[[stage]]\nname = "a"\n', encoding="utf-8")
    with pytest.raises(InputError, match=message):
        study.load(tmp_path)
