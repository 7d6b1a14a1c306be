"""Fabrics of users that were read wrongly, each as it is right."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from planner import flow, study
from planner.report import write
from planner.verify import verified

CASES = Path(__file__).parents[1] / "data" / "verify" / "cases"


@pytest.fixture(autouse=True)
def no_warnings():
    """NumPy must not warn on stderr."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def kinds(found) -> list[str]:
    return [each.kind for each in found.findings]


# -- nodes of several networks ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    """The plan of a study with [[network]], as folder, schedule and workbook."""
    folder = tmp_path_factory.mktemp("nodes") / "plan"
    plan = flow.run(study.load(CASES / "nodes-not-identified/study.toml", ["report.formats=[]"]), out=folder)
    return {"folder": folder, "schedule": write(plan, folder, "csv"), "workbook": write(plan, folder, "xlsx")}


@pytest.mark.parametrize("given", ["folder", "schedule", "workbook"])
def test_nodes_of_several_networks_are_identified(nodes, given):
    found = verified(nodes[given], [CASES / "nodes-not-identified/links.csv"])
    assert (found.right, len(found.identity.of), found.identity.unknown) == (48, 22, [])
    assert found.clean


def test_nodes_of_several_networks_are_identified_by_given_names(nodes, tmp_path):
    lines = (CASES / "nodes-not-identified/links.csv").read_text().splitlines()
    devices = sorted({name for line in lines[1:] for name in line.split(",")[::2]})
    guid = {name: f"0x7cfe9003{number:08x}" for number, name in enumerate(devices)}
    table, names = tmp_path / "links.csv", tmp_path / "names"
    rows = [line.split(",") for line in lines[1:]]
    table.write_text("\n".join([lines[0], *(f"{guid[a]},{m},{guid[b]},{n}" for a, m, b, n in rows)]) + "\n")
    names.write_text("".join(f'{key} "{name}"\n' for name, key in guid.items()))
    found = verified(nodes["folder"], [table], names=names)
    assert found.right == 48
    assert found.clean


def test_schedules_without_kinds_of_devices_have_nodes_by_their_printed_ports(nodes, tmp_path):
    text = nodes["schedule"].read_text()
    old = tmp_path / "old.csv"
    old.write_text(text.replace("a_kind", "a_other", 1).replace("b_kind", "b_other", 1))
    found = verified(old, [CASES / "nodes-not-identified/links.csv"])
    assert found.right == 48
    assert found.clean


# -- hosts with several ports -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "scan", "right"),
    [
        ("plan.csv", "no-description", 16),
        ("plan.csv", "generic-description", 16),
        ("plan.csv", "lldpd-alias", 16),
        ("plan-eight-rails.csv", "eight-rails", 64),
    ],
)
def test_two_switches_that_hear_a_host_never_mean_one_port(plan, scan, right):
    folder = CASES / "dual-homed-no-ifname"
    found = verified(folder / plan, [folder / scan])
    assert (found.right, found.clean) == (right, True)


# -- directors --------------------------------------------------------------------------------------

DIRECTOR = CASES / "director-ports"


def test_ports_of_a_director_are_those_of_its_modules_and_chips():
    found = verified(DIRECTOR / "plan.csv", [DIRECTOR / "ibnetdiscover.txt"])
    assert (found.right, found.clean) == (16, True)


@pytest.mark.parametrize("plan", ["plan-two-cables-swapped.csv", "plan-swapped-other-blade.csv"])
def test_cables_exchanged_at_a_director_are_found(plan):
    found = verified(DIRECTOR / plan, [DIRECTOR / "ibnetdiscover.txt"])
    assert (found.right, len(found.wrong), len(found.moves)) == (14, 2, 2)
    assert kinds(found) == ["swapped pair"]


@pytest.mark.parametrize(
    ("printed", "right", "unknown"), [("{port}", 0, 16), ("leaf{module:02}/{n}", 11, 3), ("L{module}/U{chip}/P{own}", 14, 0)]
)
def test_ports_of_a_director_that_are_not_compared_are_not_right(printed, right, unknown, tmp_path):
    """Numbers alone are not those of modules; three cables of the file are in ports behind which there is no panel."""
    header, *lines = (DIRECTOR / "plan-two-cables-swapped.csv").read_text().splitlines()
    place = header.split(",").index("b_printed")
    rows = []
    for line in lines:
        cells = line.split(",")
        module, chip, own = map(int, cells[place].split("/"))
        port = int(cells[place - 1])
        cells[place] = printed.format(port=port, module=module, chip=chip, own=own, n=port - 40 * (module - 1))
        rows.append(",".join(cells))
    plan = tmp_path / "plan.csv"
    plan.write_text("\n".join([header, *rows]) + "\n")
    found = verified(plan, [DIRECTOR / "ibnetdiscover.txt"])
    assert (found.right, len(found.unknown)) == (right, unknown)
    assert not found.clean
    assert ("not compared" in kinds(found)) == bool(unknown)
