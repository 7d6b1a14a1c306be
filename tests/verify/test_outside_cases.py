"""Fabrics of users that were read wrongly, each as it is right."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from shared.small_plans import make_plan

from planner.core.errors import InputError
from planner.fabric.verify import verified
from planner.fabric.verify.outputs import lines
from planner.fabric.verify.outputs.content.findings import content
from planner.fabric.verify.readers import read
from planner.formats import write
from planner.studies import pipeline, study

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
    plan = pipeline.run(study.load(CASES / "nodes-not-identified/study.toml", ["report.formats=[]"]), out=folder)
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
    ("printed", "right", "unknown"),
    [
        ("{port}", 0, 16),
        ("leaf{module:02}/{n}", 11, 3),
        ("L{module}/U{chip}/P{own}", 14, 0),
        ("Blade {module}_Port {chip}/{own}", 14, 0),
    ],
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


# -- ports of neighbors -----------------------------------------------------------------------------


@pytest.mark.parametrize(("case", "scan", "right"), [("lldp-ifindex", "leaf01.json", 5), ("sonic-mgmt-vote", "box1.json", 32)])
def test_neither_indices_nor_management_ports_count_ports(case, scan, right):
    found = verified(CASES / case / "plan.csv", [CASES / case / scan])
    assert (found.right, found.wrong, found.moves, found.clean) == (right, [], [], True)


def test_links_whose_far_port_nobody_states_are_said_to_be_compared_by_device():
    found = verified(CASES / "lldp-ifindex/plan.csv", [CASES / "lldp-ifindex/leaf01.json"])
    assert found.notes[0].startswith("1 links are compared by their devices only")


def test_rows_may_lack_empty_cells_at_their_end():
    (scan,) = read([CASES / "ndt-ragged/links.csv"])
    assert [str(one.far.port) for one in scan.readings] == ["1/1/1", "2/1/1", "3/1/1"]


OUTPUTS = {
    "eos": ("Port  Neighbor Device ID  Neighbor Port ID  TTL\nEt1  spine1  Ethernet1  120\n", "detail | json"),
    "eos detail": ("Interface Ethernet1 detected 1 LLDP neighbors:\n\n  Neighbor 001c.73a0.fc18\n", "detail | json"),
    "nxos": (
        "Device ID     Local Intf   Hold-time  Capability  Port ID\nspine1  Eth1/49  120  BR  E1\n",
        "detail | json",
    ),
    "nxos detail": ("Chassis id: 0022.bdf8.19ff\nPort id: Ethernet1/1\nLocal Port id: Eth1/49\n", "detail | json"),
    "junos": ("Local Interface    Parent Interface    Chassis Id   Port info   System Name\net-0/0/48  -  x\n", "display json"),
    "aruba": (
        "LLDP Neighbor Information\n====\n\nLOCAL-PORT  CHASSIS-ID  PORT-ID  PORT-DESC  TTL  SYS-NAME\n",
        "lldp_neighbors?depth=2",
    ),
    "lldpcli": ("LLDP neighbors:\n-----\nInterface:    swp1, via: LLDP, RID: 1\n", "lldpcli -f json0"),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs_that_are_not_read_name_the_command_that_is(name, tmp_path):
    text, remedy = OUTPUTS[name]
    file = tmp_path / "leaf01.txt"
    file.write_text(f"leaf01# show\n{text}")
    with pytest.raises(InputError) as caught:
        read([file])
    (problem,) = caught.value.problems
    assert remedy in problem.remedy
    assert "is the text of" in problem.message


@pytest.mark.parametrize("name", ["shcd", "nvidia_p2p", "purchase"])
def test_workbooks_of_others_name_what_to_give(name, nodes, tmp_path):
    path = write(make_plan(q=3, simulate=False), tmp_path, name)
    for call in (lambda: verified(nodes["folder"], [path]), lambda: verified(path, [CASES / "ndt-ragged/links.csv"])):
        with pytest.raises(InputError) as caught:
            call()
        (problem,) = caught.value.problems
        assert "not the workbook of a plan" in problem.message
        assert "CSV" in problem.remedy or "paddle.json" in problem.remedy


# -- spreadsheets of other countries ----------------------------------------------------------------


@pytest.mark.parametrize("first", ["", "sep=;\n"])
def test_a_plan_of_a_spreadsheet_with_decimal_commas_is_read(first, tmp_path):
    text = (DIRECTOR / "plan.csv").read_text().replace(",3000,2000,", ";3000,0;2000,00;").replace(",", ";", 12)
    lines = [line if number else line.replace(",", ";") for number, line in enumerate(text.splitlines())]
    rows = [lines[0], *(line.replace(",", ";").replace("3000;0", "3000,0").replace("2000;00", "2000,00") for line in lines[1:])]
    plan = tmp_path / "plan.csv"
    plan.write_text(first + "\n".join(rows) + "\n", encoding="utf-8-sig")
    assert ";3000,0;2000,00;" in plan.read_text(encoding="utf-8-sig")
    found = verified(plan, [DIRECTOR / "ibnetdiscover.txt"])
    assert (found.right, found.clean) == (16, True)


# -- what comes first -------------------------------------------------------------------------------


def test_two_switches_of_one_name_are_not_as_planned(tmp_path):
    file = tmp_path / "ibnetdiscover.txt"
    file.write_text((DIRECTOR / "ibnetdiscover.txt").read_text().replace("edge2:", "edge1:"))
    found = verified(DIRECTOR / "plan.csv", [file])
    assert found.right == 16
    (finding,) = found.findings
    assert finding.kind == "same name"
    assert "edge1 and edge2" in finding.text


def test_a_scan_without_a_block_of_switches_is_not_as_planned(nodes, tmp_path):
    rows = (CASES / "nodes-not-identified/links.csv").read_text().splitlines(keepends=True)
    file = tmp_path / "links.csv"
    file.write_text("".join(row for row in rows if "leaf3" not in row and "leaf4" not in row))
    found = verified(nodes["folder"], [file])
    assert (found.right, len(found.unknown)) == (32, 16)
    assert kinds(found) == ["device silent"] * 2


def test_a_scan_without_nodes_is_not_as_planned(nodes, tmp_path):
    rows = (CASES / "nodes-not-identified/links.csv").read_text().splitlines(keepends=True)
    file = tmp_path / "links.csv"
    file.write_text("".join(row for row in rows if "gpu" not in row))
    found = verified(nodes["folder"], [file])
    assert (found.right, len(found.unknown), found.findings) == (32, 16, [])
    assert not found.clean
    assert "the fabric is as planned" not in "\n".join(lines(found))


def test_what_must_not_be_worked_by_comes_first(tmp_path):
    file = tmp_path / "links.csv"
    rows = [f"box1,{n},peer1,{n + 1 if n % 4 else n - 3}\n" for n in range(1, 33)]
    file.write_text("device1,port1,device2,port2\n" + "".join(rows).replace("box1", "R7").replace("peer1", "R8"))
    found = verified(CASES.parent / "plan-slimfly-200.csv", [file])
    assert not found.clean
    assert found.findings[0].kind == "doubtful"
    assert "do not work by this result" in found.notes[0]
    assert content(found)["notes"] == found.notes
    assert "do not work by this result" in "\n".join(lines(found)[:8])
