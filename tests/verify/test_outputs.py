"""Outputs of a verification: counts of the keys of fabrics with known errors, in every file."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from shared import paper
from shared.verifications import answer, verification

from planner.core.errors import InputError
from planner.fabric.baseline import plan_of_rows
from planner.fabric.verify import outputs
from planner.fabric.verify.outputs.as_built import as_built, write_schedule
from planner.fabric.verify.result import KINDS, Addition, Finding, Identified, Identity, Move, Plugged
from planner.view import schedule

FABRICS = ("sf-clean", "sf-mixed", "sf-device-swap")
COUNTS = ("planned", "found", "right", "min_plug_moves", "cables_to_remove", "cables_to_add_or_revive")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("out")
    found = verification()
    return {path.name: path for path in outputs.write(found, folder, plan_of_rows(found.planned, "slimfly-200"))}


@pytest.fixture(scope="module")
def pages(written) -> list[str]:
    """Texts of the pages of the work cards."""
    made = paper.read(written["moves.pdf"])
    assert not made.faults
    return list(made.pages)


def links(found) -> set:
    return {frozenset((device, port) for device, port in link) for link in found}


@pytest.mark.parametrize("name", FABRICS)
def test_json_has_the_counts_and_links_of_the_key(name):
    content, key = outputs.content(verification(name)), answer(name)
    assert tuple(content) == outputs.KEYS
    assert {count: content[count] for count in COUNTS} == {count: key[count] for count in COUNTS}
    assert [links(content[kind]) for kind in ("wrong", "dark")] == [links(key[kind]) for kind in ("wrong", "dark")]
    assert content["dark"] == key["dark"]
    assert content["identity"] == key["identity"]
    assert content["unknown"] == []


def test_links_are_written_from_end_a_to_end_b_of_their_cable():
    """As in the key, apart from the cable that the plan lacks: its ends have no order."""
    content, key = outputs.content(verification()), answer("sf-mixed")
    extra = [[["R039", 36], ["R047", 36]], [["R047", 36], ["R039", 36]]]
    assert [link for link in content["wrong"] if link not in extra] == [link for link in key["wrong"] if link not in extra]


def test_every_move_names_port_label_and_place():
    moves = outputs.content(verification())["moves"]
    key = {plug["cable"]: plug for plug in answer("sf-mixed")["misplaced_plugs"]}
    assert [move["order"] for move in moves] == list(range(1, 18))
    for move in moves:
        plug = key[move["cable"]]
        assert [move["device"], move["from_port"]] == plug["is_in"]
        assert [move["to_device"], move["to_port"]] == plug["should_be"]
        assert (move["label"], move["end"]) == (plug["label"], plug["end"].lower())
        # Labels begin with cabinet and unit of the port where the plug belongs.
        if move["device"] == move["to_device"]:
            assert move["label"].startswith(f"{move['cabinet']}-{move['unit']}:")


@pytest.mark.slow
def test_equal_verifications_give_equal_files(written, tmp_path):
    found = verification()
    again = outputs.write(found, tmp_path, plan_of_rows(found.planned, "slimfly-200"))
    assert {path.name for path in again} == set(written)
    for path in again:
        assert path.read_bytes() == written[path.name].read_bytes(), path.name


@pytest.mark.slow
def test_a_schedule_alone_gives_all_files_but_the_page(written):
    assert set(written) == {"verification.json", "verification.xlsx", "moves.pdf", "node-name-map"}
    assert set(outputs.names()) == set(written) | {"verification.html"}


@pytest.mark.slow
def test_the_file_is_what_the_command_prints(written):
    assert json.loads(written["verification.json"].read_text()) == outputs.content(verification())


def test_the_workbook_opens_on_a_summary_and_lists_every_move(written):
    book = openpyxl.load_workbook(written["verification.xlsx"])
    assert book.sheetnames == ["summary", "moves", "cables", "findings", "links", "parts", "identity"]
    assert book.active.title == "summary"
    header, *rows = book["moves"].iter_rows(values_only=True)
    assert {"done", "label found", "label on the plug"} <= set(header)
    assert [row[header.index("label on the plug")] for row in rows] == [move.label for move in verification().moves]
    assert book["links"].max_row - 1 == len(answer("sf-mixed")["wrong"]) + len(answer("sf-mixed")["dark"])
    assert book["identity"].max_row - 1 == len(answer("sf-mixed")["identity"])


def test_no_text_is_a_formula(tmp_path):
    evil = '=HYPERLINK("http://x")'
    found = replace(
        verification("sf-clean"),
        findings=[Finding("unknown device", evil)],
        identity=Identity({evil: Identified(evil, evil, 1.0, evil)}, renamed=[(evil, evil, evil)]),
        moves=[Move(1, evil, 1, evil, 2, 0, "a", evil, evil)],
        notes=[evil],
    )
    for path in outputs.write(found, tmp_path, plan_of_rows(found.planned, "x")):
        if path.suffix == ".xlsx":
            for sheet in openpyxl.load_workbook(path):
                cells = [cell for row in sheet.iter_rows() for cell in row if cell.value]
                assert not [cell.coordinate for cell in cells if cell.data_type == "f" or str(cell.value).startswith("=")]


def test_cards_name_every_label_and_come_by_cabinet(pages):
    text = "\n".join(pages)
    for move in verification().moves:
        assert move.label in text
    assert text.count("PULL AND HOLD") == sum(move.hold for move in verification().moves) == 5
    assert re.search(r"Cables to remove.*Moves of crew 1.*Cables to put in", text, re.DOTALL), "removed cables free ports"
    assert [name for name in re.findall(r"^Cabinet (A\d+)\b", text, re.MULTILINE)][:3] == ["A01", "A04", "A03"]


def test_a_held_plug_names_the_card_after_which_its_port_is_free(pages):
    text = "\n".join(pages)
    moves = verification().moves
    cycle = [move for move in moves if move.component == 4]
    assert len(cycle) == 3
    assert f"R036 {cycle[0].to_port} is free only after card {cycle[-1].order}" in " ".join(text.split())


def test_the_name_map_names_every_guid(written):
    found = dict(re.findall(r'^0x([0-9a-f]{16}) "(\w+)"$', written["node-name-map"].read_text(), re.MULTILINE))
    assert found == answer("sf-mixed")["identity"]


def test_names_cannot_break_the_map(tmp_path):
    found = replace(verification("sf-clean"), identity=Identity({"0" * 16: Identified("0" * 16, 'a"\n0x1 "b', 1.0, "name")}))
    outputs.write(found, tmp_path, plan_of_rows(found.planned, "x"))
    lines = (tmp_path / "node-name-map").read_text().splitlines()
    assert lines[1:] == ['0x0000000000000000 "a__0x1 _b"']


def test_a_missing_package_is_named_and_nothing_is_half_written(tmp_path, monkeypatch):
    def fails(*_):
        raise ModuleNotFoundError("No module named 'bokeh'", name="bokeh")

    monkeypatch.setattr("planner.fabric.verify.outputs.cards.write", fails)
    found = verification("sf-clean")
    with pytest.raises(InputError, match=r"moves.pdf needs the package bokeh \(extra web\)"):
        outputs.write(found, tmp_path, plan_of_rows(found.planned, "x"))
    assert not list(tmp_path.iterdir())


def test_an_output_without_its_package_is_left_out_and_named(tmp_path, monkeypatch):
    monkeypatch.setattr("planner.fabric.verify.outputs.cards.PACKAGES", ("no_such_package",), raising=False)
    found = verification("sf-clean")
    plan = plan_of_rows(found.planned, "x")
    names = {path.name for path in outputs.write(found, tmp_path, plan)}
    assert names == {"verification.json", "verification.xlsx", "node-name-map"}
    (text,) = outputs.left_out(plan)
    assert text.startswith("moves.pdf needs the package no_such_package")
    assert any(text.split(",")[0] in line for line in outputs.lines(found, [], [text]))


# -- as built ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return write_schedule(verification(), tmp_path_factory.mktemp("built") / "as-built.csv")


def test_as_built_has_every_found_link_and_no_port_twice(built):
    rows = schedule.read(built)
    planned = {row.number: row for row in verification().planned}
    ports = [(end.device, end.port) for row in rows for end in row.ends]
    assert len(ports) == len(set(ports))
    at_router = {(row.a.device, row.a.port, row.b.device) for row in rows} | {
        (row.b.device, row.b.port, row.a.device) for row in rows
    }
    for (a, a_port), (b, _) in answer("sf-mixed")["wrong"]:
        assert (a, a_port, b) in at_router
    # The extra cable is a new row; cables that are missing or dark stay open work.
    assert len(rows) == len(planned) + 1
    changed = {row.number for row in rows if row.number in planned and row != planned[row.number]}
    assert changed >= {plug["cable"] for plug in answer("sf-mixed")["misplaced_plugs"]}


def test_as_built_labels_name_the_ports_where_the_plugs_are(built):
    rows = {row.number: row for row in schedule.read(built)}
    # Cable 11 was planned in port 3 of R036 and is in port 6.
    assert (rows[11].b.device, rows[11].b.port, rows[11].b.label) == ("R036", 6, "A03-36:06/A01-41:05")
    assert rows[11].a.label == "A01-41:05/A03-36:06"
    # Port 12 of R009 is free in the plan.
    assert rows[215].a.label == "A02-38:12/A02-23:04"
    with built.open(encoding="utf-8", newline="") as file:
        deviations = {row["cable"]: row["deviation"] for row in csv.DictReader(file)}
    assert deviations["11"] == "end b in R036 6, planned in R036 3"
    assert deviations["1"] == ""


def test_a_clean_fabric_is_built_as_planned(tmp_path):
    found = verification("sf-clean")
    assert [one.row for one in as_built(found)] == found.planned


def test_a_missing_cable_takes_the_ports_that_its_chain_leaves_free():
    """Of two planned cables one is in the far port of the other, which is missing."""
    found = verification("sf-clean")
    one, other = found.planned[0], found.planned[1]
    swapped = replace(
        found,
        wrong=[tuple(sorted((Plugged(one.a.device, one.a.port), Plugged(other.b.device, other.b.port))))],
        moves=[Move(1, other.b.device, other.b.port, one.b.device, one.b.port, one.number, "b", one.b.label, component=1)],
        additions=[
            Addition(other.number, (Plugged(other.a.device, other.a.port), Plugged(other.b.device, other.b.port)), "missing", 1)
        ],
    )
    rows = {built.row.number: built.row for built in as_built(swapped)}
    assert (rows[one.number].b.device, rows[one.number].b.port) == (other.b.device, other.b.port)
    assert {(end.device, end.port) for end in rows[other.number].ends} == {
        (other.a.device, other.a.port),
        (one.b.device, one.b.port),
    }


# -- terminal ---------------------------------------------------------------------------------------


def test_the_summary_is_short_and_names_what_comes_first():
    text = "\n".join(outputs.lines(verification("sf-device-swap")))
    assert "375 planned, 374 found; 372 right (99.2 %)" in text
    assert text.index("exchanged devices of R030, R017") < text.index("Findings") < text.index("Moves: 2")
    assert "scan and verify again" in text
    clean = outputs.lines(verification("sf-clean"))
    assert len(clean) < 6
    assert "as planned" in clean[-1]


def test_the_summary_is_bounded_and_safe():
    found = verification()
    many = replace(
        found,
        findings=[Finding("missing", f"cable {number}\x1b[2J") for number in range(5000)],
        moves=[replace(found.moves[0], order=number) for number in range(1, 5001)],
    )
    text = outputs.lines(many)
    assert len(text) < 60
    assert not [line for line in text if "\x1b" in line]
    assert "… and 4,997 more" in "\n".join(text)
    assert "… and 4,976 more" in "\n".join(text)


def test_the_docs_list_every_kind_of_finding_and_every_key():
    page = (Path(__file__).parents[2] / "docs" / "verify" / "index.md").read_text(encoding="utf-8")
    assert not [kind for kind, meaning in KINDS.items() if f"| `{kind}` | {meaning} |" not in page]
    assert not [key for key in outputs.KEYS if f"`{key}`" not in page]
    assert not [name for name in outputs.names() if f"`{name}`" not in page]
