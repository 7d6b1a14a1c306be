"""Contract of selections: each format either writes exactly the chosen rows, or reports that it cannot select."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import openpyxl
import pypdfium2
import pytest
from pyarrow import parquet
from shared.small_plans import make_plan

from planner import formats
from planner.core import reading, registry
from planner.core.errors import InputError
from planner.design.work import work
from planner.domain.model import PanelPlan, Plan
from planner.formats import Selection

FORMATS = registry.names("report")

Pairs = list[frozenset[str]]
"""The devices at both ends of each row; parallel cables are rows of their own."""


def _csv(text: str, a: int, b: int, skip: int) -> Pairs:
    return [frozenset((row[a], row[b])) for row in [*csv.reader(io.StringIO(text))][skip:]]


def _sheet(path: Path, name: str, a: int, b: int, skip: int) -> Pairs:
    lines = openpyxl.load_workbook(path)[name].iter_rows(min_row=skip + 1, values_only=True)
    return [frozenset((line[a], line[b])) for line in lines]


def _workbook(path: Path, plan: Plan) -> Pairs:
    book = openpyxl.load_workbook(path)
    found = []
    for name in ("cables", "work"):
        header = [cell.value for cell in book[name][1]]
        found.append(_sheet(path, name, header.index("a_device"), header.index("b_device"), 2))
    assert sorted(map(sorted, found[0])) == sorted(map(sorted, found[1]))
    return found[0]


def _graph(path: Path, plan: Plan) -> Pairs:
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    graph = ElementTree.parse(path).getroot().find("g:graph", space)
    names = {node.get("id"): node.find("g:data[@key='n0']", space).text for node in graph.findall("g:node", space)}
    found = [frozenset((names[edge.get("source")], names[edge.get("target")])) for edge in graph.findall("g:edge", space)]
    assert set(names.values()) == set().union(*found)
    return found


def _sections(path: Path, plan: Plan) -> Pairs:
    """Links of a topology file are in the sections of both of their routers."""
    found, links, own = [], [], ""
    for line in path.read_text().splitlines():
        if line.startswith(" "):
            far = line.split()[3]
            (links if far in plan.inventory.names[: plan.inventory.router_count] else found).append(frozenset((own, far)))
        elif line:
            own = line.split()[1]
    return found + sorted(links, key=sorted)[::2]


def _numbered(numbers: list[int], plan: Plan) -> Pairs:
    return [frozenset(plan.inventory.names[plan.cables.device[number - 1]].tolist()) for number in numbers]


def _netbox(path: Path, plan: Plan) -> Pairs:
    with zipfile.ZipFile(path) as book:
        (name,) = (name for name in book.namelist() if re.fullmatch(r"\d+_cables.csv", name))
        return _numbered([int(number) for number in re.findall(r"\bcable (\d+);", book.read(name).decode())], plan)


def _printed(path: Path, plan: Plan) -> Pairs:
    """Cables with the label of any end in the text of a PDF."""
    text = "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path))
    text = re.sub(r"\s", "", text)
    labels = zip(plan.cables.label_a.tolist(), plan.cables.label_b.tolist(), strict=True)
    return _numbered([number for number, ends in enumerate(labels, 1) if any(end in text for end in ends)], plan)


def _slingshot(path: Path, plan: Plan) -> Pairs:
    """Boxes of nodes are named by their place: cabinet, unit and port find the cable."""
    names = plan.inventory.names
    racks = re.findall(r"^# rack (x\d+) is cabinet (.+)$", path.read_text(), re.MULTILINE)
    rack = {cabinet: code for code, cabinet in racks}
    slots = [plan.room.slot_names[plan.placement.slot_of[cabinet]] for cabinet in plan.placement.cabinet]

    def end(number: int, side: int) -> str:
        device, port = int(plan.cables.device[number, side]), int(plan.cables.port[number, side])
        if plan.inventory.is_router[device]:
            return f"{rack[slots[device]]}c0r{plan.placement.unit[device]}j{port}"
        return str(names[device])

    of = {end(number, side): number for number in range(plan.cables.cable_count) for side in (0, 1)}
    rows = [line.split(",") for line in path.read_text().splitlines() if line[:1].isdigit()]
    return _numbered([1 + next(of[code] for code in (row[1], row[3]) if code in of) for row in rows], plan)


ROWS: dict[str, Callable[[Path, Plan], Pairs]] = {
    "csv": lambda path, plan: [
        frozenset((row["a_device"], row["b_device"])) for row in csv.DictReader(path.read_text().splitlines())
    ],
    "edge_list": lambda path, plan: [frozenset(f"R{int(n):03d}" for n in line.split()) for line in path.read_text().splitlines()],
    "graphml": _graph,
    "ibdiagnet_topo": _sections,
    "labels": _printed,
    "labels_csv": lambda path, plan: _numbered([int(row[0]) for row in [*csv.reader(path.read_text().splitlines())][1:]], plan),
    "netbox": _netbox,
    "nvidia_p2p": lambda path, plan: [
        pair for name in openpyxl.load_workbook(path).sheetnames for pair in _sheet(path, name, 2, 6, 1)
    ],
    "opa": lambda path, plan: _csv(path.read_text(), 2, 8, 2),
    "parquet": lambda path, plan: [frozenset((row["a_device"], row["b_device"])) for row in parquet.read_table(path).to_pylist()],
    "pdf": _printed,
    "ptm_dot": lambda path, plan: [frozenset(pair) for pair in re.findall(r'"(\w+)":"\w+" -- "(\w+)":', path.read_text())],
    "shcd": lambda path, plan: _sheet(path, "HSN", 6, 12, 1),
    "slingshot_p2p": _slingshot,
    "xlsx": _workbook,
}
"""How the rows of each format that selects are read back."""

LINKS = ("edge_list", "graphml")
"""Formats with links alone."""

ENDS = ("labels_csv",)
"""Formats with a row for each end; of a place only those there."""

SELECTIONS = {
    "router": {"router": "R003"},
    "task": {"task": 3},
    "cabinet": {"cabinet": "A02", "stage": "in cabinet"},
    "row": {"row": "A", "crew": 2},
    "whole": {},
}


@pytest.fixture(scope="module")
def plan():
    """Eight routers in four cabinets, two to a cabinet."""
    change = {"change_room": lambda room: replace(room, cabinet_routers=2), "simulate": False}
    made = make_plan(family="hypercube", dimensions=3, endpoints_per_router=2, **change)
    order = work(made.catalog, made.cables, PanelPlan.none(), made.room.segment_mm, crews=2)
    return replace(made, work=replace(order, crew=np.arange(order.task_count, dtype=np.int32) % 2))


def chosen(plan: Plan, selection: dict) -> list[int]:
    """The cables that a selection means, from the records."""
    cables, work, room = plan.cables, plan.work, plan.room
    names = plan.inventory.names.tolist()
    cabinets = [room.slot_names[slot] for slot in plan.placement.slot_of]
    rows = [room.row_names[room.slot_row[slot]] for slot in plan.placement.slot_of]
    tests = {
        "router": lambda cable, name: names.index(name) in cables.device[cable],
        "cabinet": lambda cable, name: name in {cabinets[each] for each in cables.cabinet[cable]},
        "row": lambda cable, name: name in {rows[each] for each in cables.cabinet[cable]},
        "stage": lambda cable, name: cables.stage_names[cables.stage[cable]] == name,
        "crew": lambda cable, number: work.crew[work.task[cable]] == number - 1,
        "task": lambda cable, number: work.task[cable] == number - 1,
    }
    return [cable for cable in range(cables.cable_count) if all(tests[key](cable, wanted) for key, wanted in selection.items())]


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_a_format_selects_or_reports_that_it_cannot(name):
    options = reading.parameters(registry.function("report", name))
    fields = set(reading.parameters(Selection))
    assert (name in ROWS) == (fields <= set(options))
    if unknown := sorted(fields - set(options)):
        with pytest.raises(InputError) as error:
            formats.share_out([name, "csv"], {key: 1 if key in ("crew", "task") else "x" for key in unknown})
        messages = [(problem.place, problem.message) for problem in error.value.problems]
        assert messages == [(key, f"{name} cannot select a part of the plan by {key}") for key in unknown]


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_the_rows_are_exactly_the_chosen_ones(name, plan, tmp_path):
    for selection in SELECTIONS.values():
        wanted = chosen(plan, selection)
        assert 0 < len(wanted) < plan.cables.cable_count or not selection
        if name in LINKS:
            wanted = [cable for cable in wanted if plan.inventory.is_link[cable]]
        pairs = _numbered([cable + 1 for cable in wanted], plan)
        if name in ENDS and not {"router", "cabinet"} & selection.keys():
            pairs += pairs
        elif name in ENDS:
            pairs = _numbered(ends_of(plan, wanted, selection), plan)
        found = ROWS[name](formats.write(plan, tmp_path, name, **selection), plan)
        assert sorted(map(sorted, found)) == sorted(map(sorted, pairs)), (name, selection)


def ends_of(plan: Plan, wanted: list[int], selection: dict) -> list[int]:
    """The number of each chosen cable for each of its ends at the router or in the cabinet."""
    routers, cabinets = plan.inventory.names[plan.cables.device], np.array(plan.room.slot_names)[plan.placement.slot_of]
    place = routers == selection.get("router") if "router" in selection else cabinets[plan.cables.cabinet] == selection["cabinet"]
    return [cable + 1 for cable in wanted for side in (0, 1) if place[cable, side]]
