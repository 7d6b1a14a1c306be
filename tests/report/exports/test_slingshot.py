"""Point-to-point file of HPE Slingshot, read by the grammar of its sample data."""

from __future__ import annotations

import ast
import csv
import re
from collections import Counter

import pytest

from planner.core.errors import InputError
from planner.formats import write

# The header of Cray-HPE/sat, tests/resources/slingshot/Shasta_system_hsn_pt_pt.valid.1.csv.
HEADER = (
    "cable_id,src_conn_a,src_conn_b,dst_conn_a,dst_conn_b,stage,src_egress_a,src_egress_b,dst_egress_a,dst_egress_b,"
    "link_type,src_group,dst_group,part_number,part_length,calculated_distance,route"
)
SWITCH = r"x\d{4}c0r\d+j\d+(p[01])?"
NODE = r"x\d{4}c0s\d+b0n\d+h0"
EGRESS = r"none|x\d{4}-(LEFT|RIGHT)"


def table(plan, folder, **options):
    """Comment lines and rows; every cell is as the sample has it."""
    lines = write(plan, folder, "slingshot_p2p", **options).read_text(encoding="utf-8").splitlines()
    comments = [line for line in lines if line.startswith("#")]
    assert lines[: len(comments)] == comments
    rows = list(csv.DictReader(lines[len(comments) :]))
    if not options.get("labels"):
        assert lines[len(comments)] == HEADER
    for row in rows:
        assert None not in row
        assert re.fullmatch(SWITCH, row["src_conn_a"])
        edge = row["link_type"] == "edge"
        assert re.fullmatch(NODE if edge else SWITCH, row["dst_conn_a"])
        assert all(re.fullmatch(rf"none|{SWITCH}|{NODE}", row[f"{side}_conn_b"]) for side in ("src", "dst"))
        assert all(re.fullmatch(EGRESS, row[f"{side}_egress_{end}"]) for side in ("src", "dst") for end in "ab")
        assert row["link_type"] in ("edge", "local", "global")
        assert row["stage"].isdigit()
        assert row["src_group"].isdigit()
        assert row["dst_group"] == "none" if edge else row["dst_group"].isdigit()
        assert float(row["part_length"]) >= float(row["calculated_distance"]) > 0
        assert all(isinstance(tray, str) for tray in ast.literal_eval(row["route"]))
    return comments, rows


def test_every_cable_is_listed_once_with_its_lengths(plan, tmp_path):
    comments, rows = table(plan, tmp_path)
    assert comments == ["# plan small", *(f"# rack x{1000 + n} is cabinet A0{n + 1}" for n in range(5))]
    assert len(rows) == plan.cables.cable_count
    assert len({row["cable_id"] for row in rows}) == len(rows)
    ends = Counter(end for row in rows for end in (row["src_conn_a"], row["dst_conn_a"]))
    assert set(ends.values()) == {1}
    assert [round(1000 * float(row["part_length"])) for row in rows] == plan.cables.stock_mm.tolist()
    assert [round(1000 * float(row["calculated_distance"])) for row in rows] == plan.cables.run_mm.tolist()
    assert Counter(row["link_type"] == "edge" for row in rows) == {False: 175, True: 100}
    # Egress and route are those of cables that leave their cabinet.
    for row in rows:
        inside = row["src_conn_a"][:5] == row["dst_conn_a"][:5]
        assert (row["src_egress_a"] == "none") == inside == (row["route"] == "[]")
    assert rows[0]["cable_id"] == "1000.1000.00.0000"


def test_local_and_global_links_are_distinguished_by_groups(trunks, tmp_path):
    _, rows = table(trunks, tmp_path)
    kinds = Counter((row["link_type"], row["src_group"] == row["dst_group"]) for row in rows)
    # Five groups of four routers, one link between each two groups; 80 servers, two on a splitter.
    assert kinds == {("local", True): 30, ("global", False): 10, ("edge", False): 40}


def test_a_module_with_two_fibers_has_two_ports(trunks, tmp_path):
    _, rows = table(trunks, tmp_path)
    ends = Counter(end for row in rows for side in ("src", "dst") for end in (row[f"{side}_conn_a"], row[f"{side}_conn_b"]))
    del ends["none"]
    assert set(ends.values()) == {1}
    assert {end[-2:] for end in ends if "j1p" in end} == {"p0", "p1"}


def test_twin_port_and_splitter_cables_are_one_row(twin, tmp_path):
    _, rows = table(twin, tmp_path)
    assert len(rows) == len(twin.cables.first_of_piece) == 12
    links = [row for row in rows if row["link_type"] != "edge"]
    assert all(row["src_conn_b"] == row["dst_conn_b"] == "none" for row in links)
    splitters = [row for row in rows if row["link_type"] == "edge"]
    assert all(row["src_conn_b"] == "none" and row["dst_conn_a"] != row["dst_conn_b"] != "none" for row in splitters)
    assert len({end for row in splitters for end in (row["dst_conn_a"], row["dst_conn_b"])}) == 16
    # The labels of this plan are ids, which are kept.
    assert {row["cable_id"] for row in rows} == {label.removesuffix("-A") for label in twin.cables.label_a.tolist()}


def test_four_tails_take_two_rows(four_tails, tmp_path):
    _, rows = table(four_tails, tmp_path)
    splitters = [row for row in rows if row["link_type"] == "edge"]
    assert len(splitters) == 2 * four_tails.topology.router_count
    assert Counter(Counter((row["cable_id"], row["src_conn_a"]) for row in splitters).values()) == {2: 8}
    ends = [row[f"dst_conn_{end}"] for row in splitters for end in "ab"]
    assert len(set(ends)) == len(ends) == four_tails.topology.endpoint_count


def test_labels_on_demand(odd, tmp_path):
    _, rows = table(odd, tmp_path, labels=True)
    assert [row["label_a"] for row in rows] == odd.cables.label_a.tolist()
    assert [row["label_b"] for row in rows] == odd.cables.label_b.tolist()
    names, made = odd.inventory.names, odd.cables
    for side, column in enumerate(("device_a", "device_b")):
        ends = zip(made.device[:, side].tolist(), made.port[:, side].tolist(), strict=True)
        assert [row[column] for row in rows] == [f"{names[device]} p{port}" for device, port in ends]


def test_a_part_of_the_plan(plan, tmp_path):
    _, rows = table(plan, tmp_path, cabinet="A03", stage="in row")
    chosen = (plan.cables.cabinet == 2).any(axis=1) & (plan.cables.stage == 1)
    assert len(rows) == chosen.sum() > 0
    with pytest.raises(InputError, match="there is no cabinet 'Z9'"):
        write(plan, tmp_path, "slingshot_p2p", cabinet="Z9")
