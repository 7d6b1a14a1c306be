"""Fabrics of the 200-endpoint Slim Fly with known errors, in all formats: findings are those of the answer keys."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from planner.core.errors import InputError
from planner.fabric.verify import verified
from planner.fabric.verify.outputs.json import text

DATA = Path(__file__).parents[1] / "data/verify"
PLAN = DATA / "plan-slimfly-200.csv"
SETS = ("sf-clean", "sf-mixed", "sf-device-swap")
NAMED = ("ibnetdiscover.txt", "ibnetdiscover-p.txt", "iblinkinfo-line.txt", "ibdiagnet2.db_csv", "ufm-links.json")
COUNTS = ("planned", "found", "right", "min_plug_moves", "cables_to_remove", "cables_to_add_or_revive")

CASES = [(folder, file) for folder in SETS for file in (*NAMED, "lldp-json0.tar.gz")]


def key(folder):
    return json.loads((DATA / folder / "answer.json").read_text())


def links(listed):
    return {frozenset(map(tuple, link)) for link in listed}


def assert_as_in_key(found, answer):
    stated = json.loads(text(found))
    assert {name: stated[name] for name in COUNTS} == {name: answer[name] for name in COUNTS}
    assert links(stated["wrong"]) == links(answer["wrong"])
    assert links(stated["dark"]) == links(answer["dark"])
    assert len(stated["moves"]) == answer["min_plug_moves"]
    return stated


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "file"), CASES)
def test_counts_and_links_are_those_of_the_key(folder, file):
    answer = key(folder)
    found = verified(PLAN, [DATA / folder / file])
    stated = assert_as_in_key(found, answer)
    if not file.startswith("lldp"):
        assert stated["identity"] == answer["identity"]
    assert found.clean == (folder == "sf-clean")


@pytest.mark.slow
@pytest.mark.parametrize("folder", SETS)
def test_switches_are_identified_without_names(folder):
    answer = key(folder)
    stated = json.loads(text(verified(PLAN, [DATA / folder / "ibnetdiscover-noname.txt"])))
    switches = {guid: place for guid, place in answer["identity"].items() if place.startswith("R")}
    assert {guid: stated["identity"].get(guid) for guid in switches} == switches
    between = [link for link in answer["wrong"] if all(device.startswith("R") for device, _ in link)]
    assert links(stated["wrong"]) >= links(between)
    assert links(stated["dark"]) >= links(answer["dark"])


@pytest.mark.slow
@pytest.mark.parametrize("folder", SETS)
def test_names_of_guids_settle_what_discovery_cannot_know(folder, tmp_path):
    answer = key(folder)
    names = tmp_path / "names.csv"
    with names.open("w", newline="") as file:
        csv.writer(file).writerows([("guid", "name"), *answer["identity"].items()])
    found = verified(PLAN, [DATA / folder / "ibnetdiscover-noname.txt"], names=names)
    assert_as_in_key(found, answer)


@pytest.mark.slow
@pytest.mark.parametrize("folder", SETS)
def test_all_files_of_a_set_agree(folder):
    found = verified(PLAN, [DATA / folder / file for file in NAMED])
    assert_as_in_key(found, key(folder))
    assert not [each for each in found.findings if each.kind in ("contradiction", "stale")]


def test_exchanged_boxes_are_named_before_cables():
    found = verified(PLAN, [DATA / "sf-device-swap/ibnetdiscover.txt"])
    assert found.findings[0].kind == "exchanged devices"
    assert "R017" in found.findings[0].text
    assert "R030" in found.findings[0].text


@pytest.mark.slow
def test_every_planted_error_has_its_finding():
    answer = key("sf-mixed")
    found = verified(PLAN, [DATA / "sf-mixed/ibdiagnet2.db_csv", DATA / "sf-mixed/ibnetdiscover.txt"])
    kinds = {
        "swap_local": {"swapped pair"}, "swap_cabinet": {"swapped pair"}, "cycle3": {"cycle"}, "swap_hosts": {"exchanged hosts"},
        "missing": {"missing"}, "half": {"half plugged"}, "dead": {"no light"}, "free_port": {"wrong port, free"},
        "shift": {"shifted block"}, "slow": {"slow"}, "wrong_part": {"wrong part", "wrong length"},
    }  # fmt: skip
    for error in answer["errors"]:
        if error["kind"] == "extra":
            assert [each.kind for each in found.findings].count("extra") == 1
            continue
        cables, names = set(error["cables"]), kinds[error["kind"]]
        fitting = [each for each in found.findings if each.kind in names and cables & set(each.cables)]
        assert len(fitting) == 1, error
    assert len(found.findings) == len(answer["errors"])


def test_moves_start_at_misplaced_plugs():
    """Which of two plugs of a pair was misplaced cannot be known from links alone; serial numbers show it."""
    answer = key("sf-mixed")
    found = verified(PLAN, [DATA / "sf-mixed/ibdiagnet2.db_csv"])
    truth = {(*plug["is_in"], *plug["should_be"], plug["label"]) for plug in answer["misplaced_plugs"]}
    stated = {(move.device, move.from_port, move.to_device, move.to_port, move.label) for move in found.moves}
    assert len(stated & truth) >= 0.9 * len(truth)


def test_a_table_of_links_between_switches_proves_nothing_about_nodes(tmp_path):
    rows = list(csv.DictReader(PLAN.read_text().splitlines()))
    between = [row for row in rows if row["b_device"].startswith("R")]
    guid = {name: f"7cfe9003{number:08x}" for number, name in enumerate(sorted({row["a_device"] for row in rows}, reverse=True))}
    links = [[guid[row["a_device"]], row["a_port"], guid[row["b_device"]], row["b_port"]] for row in between]
    links[10][2:], links[50][2:] = links[50][2:], links[10][2:]
    table = tmp_path / "links.csv"
    with table.open("w", newline="") as file:
        csv.writer(file).writerows([("node_guid_1", "port_1", "node_guid_2", "port_2"), *links])
    found = verified(PLAN, [table])
    assert {key: one.device for key, one in found.identity.of.items()} == {key: name for name, key in guid.items()}
    assert (found.found, found.right, len(found.wrong), len(found.dark)) == (175, 173, 2, 0)
    assert len(found.unknown) == 200
    assert [each.kind for each in found.findings] == ["swapped pair"]
    assert "the files list no node: 200 links to nodes are unknown" in found.notes


def test_scanned_devices_that_the_plan_lacks_are_refused(tmp_path):
    anchors = tmp_path / "anchors.csv"
    anchors.write_text("guid,device\n0x7cfe900300a00b40,R099\n")
    with pytest.raises(InputError, match="'R099' is not a device of the plan; did you mean R0") as caught:
        verified(PLAN, [DATA / "sf-clean/ibnetdiscover.txt"], anchors=anchors)
    assert caught.value.problems[0].file == str(anchors)
