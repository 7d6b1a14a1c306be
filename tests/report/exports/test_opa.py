"""Topology spreadsheet of Omni-Path: parsed as opaxlattopology does, line by line."""

from __future__ import annotations

import re
from collections import Counter

from planner.formats import write


def links(path):
    """What the script makes of the file: the first row with Rack Group begins the table, the first without a name ends it."""
    text = path.read_bytes().decode("ascii")
    assert not set(text) & set(';"\\<>&\r\t')
    lines = text.split("\n")
    assert lines.pop() == ""
    assert all(line.count(",") == 14 for line in lines)
    start = next(number for number, line in enumerate(lines) if line.startswith("Rack Group,"))
    assert lines[start] == "Rack Group,Rack,Name,Name-2,Port,Type,Rack Group,Rack,Name,Name-2,Port,Type,Label,Length,Details"
    found = []
    for line in lines[start + 1 :]:
        cells = line.split(",")
        assert cells[2]
        assert re.fullmatch(r"[A-Za-z0-9_-]+", cells[2])  # hosts, else the script adds no adapter
        assert all(re.fullmatch(r"[A-Za-z0-9_-]+", cells[place]) for place in (0, 1, 6, 7))  # become folders
        assert cells[5] in ("FI", "SW")
        assert cells[11] == "SW"
        assert cells[4].isdigit() if cells[5] == "SW" else cells[4] == ""
        assert cells[10].isdigit()
        # Sizes of IbaTools' CableData.
        assert len(cells[12]) <= 57
        assert len(cells[13]) <= 10
        assert len(cells[14]) <= 64
        found.append(cells)
    return found


def test_every_link_is_listed_once(plan, tmp_path):
    rows = links(write(plan, tmp_path, "opa"))
    assert len(rows) == plan.cables.cable_count
    ends = Counter((row[at + 2], row[at + 4]) for row in rows for at in (0, 6))
    assert set(ends.values()) == {1}
    assert Counter(row[5] for row in rows) == {"SW": 175, "FI": 100}
    routers = {f"R{n:03d}" for n in range(50)}
    assert {row[8] for row in rows} <= routers
    cables = plan.cables
    assert [round(1000 * float(row[13].removesuffix("m"))) for row in rows] == cables.stock_mm.tolist()
    # The label is that of the source: the first router, or the host.
    assert [row[12] for row in rows[:175]] == cables.label_a.tolist()[:175]
    assert [row[12] for row in rows[175:]] == cables.label_b.tolist()[175:]


def test_odd_names_are_spelt_and_stay_apart(odd, tmp_path):
    rows = links(write(odd, tmp_path, "opa"))
    racks = {row[at + 1] for row in rows for at in (0, 6)}
    assert len(racks) == odd.placement.cabinet_count
    assert "hall__A" in racks
    assert len({row[12] for row in rows}) == len(set(odd.cables.label_a[:175]) | set(odd.cables.label_b[175:]))


def test_lanes_of_one_cable_are_links_of_their_own(twin, tmp_path):
    rows = links(write(twin, tmp_path, "opa"))
    assert len(rows) == twin.cables.cable_count == 24
    assert Counter(row[14].rpartition(" ")[2] for row in rows) == {str(piece): 2 for piece in range(1, 13)}
