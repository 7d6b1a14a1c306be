"""Run lengths set by hand, and what explains a length."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.errors import InputError
from planner.design.cabling import cable
from planner.design.cabling.overrides import COLUMNS
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.domain import catalog
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology

EDR = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
LAB = floor.room("lab", routers=1)
NETWORK = topology.build("slimfly", q=5, endpoints_per_router=4)


def lengths(**slack):
    return Lengths(LAB, EDR.cabinet, Slack(**slack))


PLACED = place(NETWORK, EDR, lengths(), seed=1, algorithm="identity")


def planned(tmp_path, text):
    path = tmp_path / "overrides.csv"
    path.write_text(text, encoding="utf-8")
    return cable(inventory(NETWORK, EDR), EDR, PLACED, lengths(), overrides=path)


def test_a_cable_a_pair_and_a_class(tmp_path, small_plan):
    plain = small_plan.cables
    names = np.array(small_plan.room.slot_names)[small_plan.placement.slot_of]
    text = "class,a_cabinet,b_cabinet,cable,run_mm,add_mm\n,A02,A01,,12345,\n,,,7,,250\nendpoint,,,,,1000\n"
    cables = planned(tmp_path, text)
    pair = (np.sort(names[plain.cabinet], axis=1) == ["A01", "A02"]).all(axis=1)
    endpoint = np.arange(plain.cable_count) >= NETWORK.link_count
    rest = ~pair & ~endpoint
    rest[6] = False
    assert pair.any()
    assert (cables.run_mm[pair] == 12345).all()
    assert cables.run_mm[6] == plain.run_mm[6] + 250
    assert np.array_equal(cables.run_mm[endpoint & ~pair], plain.run_mm[endpoint & ~pair] + 1000)
    assert np.array_equal(cables.run_mm[rest], plain.run_mm[rest])
    assert (cables.stock_mm >= cables.run_mm).all()
    parts = cables.rise_mm.sum(axis=1) + cables.drop_mm.sum(axis=1) + cables.tray_mm + cables.slack_mm.sum(axis=1)
    assert np.array_equal(parts + cables.override_mm, cables.run_mm)


def test_a_cable_counts_before_its_pair_and_the_last_line_before_the_first(tmp_path):
    cables = planned(tmp_path, "cable,class,run_mm\n3,,5000\n3,,6000\n,in group,7000\n")
    local = np.flatnonzero(NETWORK.link_class == NETWORK.link_class_names.index("in group"))
    assert cables.run_mm[2] == 6000
    assert (cables.run_mm[local[local != 2]] == 7000).all()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("cable,length\n1,2\n", "unknown column 'length'"),
        ("cable\n1\n", "neither run_mm nor add_mm"),
        ("cable,run_mm\n0,5\n", "overrides.csv:2: there is no cable '0'"),
        ("cable,run_mm\n999,5\n", "cables are numbered from 1 to 375"),
        ("cable,run_mm\n1,0\n", "run_mm = '0' is not a whole number from 1"),
        ("cable,run_mm,add_mm\n1,5,6\n", "must set either run_mm or add_mm"),
        ("cable,run_mm\n1,x\n", "run_mm = 'x'"),
        ("a_cabinet,b_cabinet,run_mm\nA01,Q7,5\n", "no cabinet in slot 'Q7'"),
        ("a_cabinet,run_mm\nA01,5\n", "must name a cable, a pair of cabinets or a class"),
        ("class,run_mm\nglobe,5\n", "there is no class 'globe'"),
        ("class,cable,run_mm\nendpoint,1,5\n", "fill in one of the three"),
        ("", "neither run_mm nor add_mm"),
    ],
)
def test_wrong_lines_are_named(tmp_path, text, wanted):
    with pytest.raises(InputError) as caught:
        planned(tmp_path, text)
    assert wanted in str(caught.value)
    assert "overrides.csv" in str(caught.value)


def test_all_wrong_lines_are_reported_together(tmp_path):
    with pytest.raises(InputError) as caught:
        planned(tmp_path, "cable,run_mm\n0,5\n1,x\n2,7\nz,8\n")
    assert [problem.line for problem in caught.value.problems] == [2, 3, 5]


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        cable(inventory(NETWORK, EDR), EDR, PLACED, lengths(), overrides=tmp_path / "none.csv")


@pytest.mark.slow
@settings(max_examples=30)
@given(st.lists(st.lists(st.text(max_size=6), min_size=1, max_size=7), max_size=4))
def test_no_text_breaks_the_reader(tmp_path, rows):
    out = io.StringIO()
    csv.writer(out).writerows([list(COLUMNS), *rows])
    try:
        cables = planned(tmp_path, out.getvalue())
    except InputError as error:
        assert all(problem.message for problem in error.problems)
    else:
        assert cables.cable_count == 375


@pytest.mark.slow
@settings(max_examples=15)
@given(st.integers(0, 900), st.integers(0, 900), st.floats(0, 30), st.integers(0, 300), st.floats(0, 10))
def test_longer_slack_never_shortens_a_cable(end, loop, percent, more, more_percent):
    less = cable(inventory(NETWORK, EDR), EDR, PLACED, lengths(end_mm=end, loop_mm=loop, percent=percent))
    longer = lengths(end_mm=end + more, loop_mm=loop + more, percent=percent + more_percent)
    cables = cable(inventory(NETWORK, EDR), EDR, PLACED, longer)
    assert (cables.run_mm >= less.run_mm).all()
    assert (cables.slack_mm >= less.slack_mm).all()
    assert (cables.stock_mm >= cables.run_mm).all()
