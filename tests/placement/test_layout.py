"""Layouts from tables: what is accepted, and every kind of mistake, with its line."""

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.design.placement.model.layout import read
from planner.formats import csv as report
from planner.network import topology


@pytest.fixture(scope="module")
def network():
    return topology.build("slimfly", q=5, endpoints_per_router=4)


def table(tmp_path, text):
    path = tmp_path / "layout.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("mark", [",", ";"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n"])
def test_a_table_with_some_routers(tmp_path, network, lab, mark, start):
    one, two = lab.slot_names[3], lab.slot_names[0]
    rows = [
        "Router,remark,Slot,FIXED",
        f"7,here,{one},yes",
        f"R008,,{two},",
        f" 9 ,x, {one} ,No",
        "",
        f"r10,,{two},TRUE",
        f"11,,{two},0",
    ]
    layout = read(table(tmp_path, start + "\n".join(rows).replace(",", mark)), network, lab)
    expected = np.full(50, -1)
    expected[[7, 8, 9, 10, 11]] = [3, 0, 3, 0, 0]
    assert layout.slot.tolist() == expected.tolist()
    assert np.flatnonzero(layout.fixed).tolist() == [7, 10]
    assert (layout.slot.dtype, layout.fixed.dtype) == (np.int64, bool)


def test_the_column_fixed_may_be_missing(tmp_path, network, lab):
    layout = read(table(tmp_path, f"slot,router\n{lab.slot_names[1]},0\n"), network, lab)
    assert layout.slot[0] == 1
    assert not layout.fixed.any()


def test_the_cable_schedule_of_a_plan_is_a_layout(tmp_path, small_plan):
    path = tmp_path / "plan.csv"
    report.write(small_plan, path)
    layout = read(path, small_plan.topology, small_plan.room)
    placement = small_plan.placement
    assert np.array_equal(layout.slot, placement.slot[: small_plan.topology.router_count])
    assert not layout.fixed.any()


def test_every_problem_at_once_with_file_and_line(tmp_path, network, lab):
    slot = lab.slot_names[0]
    rows = [
        "router,slot,fixed",
        f"50,{slot},",
        f"door,{slot},",
        f"1,{slot}x,yes",
        f"2,{slot},perhaps",
        f"3,{slot},",
        f"3,{slot},",
        ",,no",
        "4",
    ]
    path = table(tmp_path, "\n".join(rows))
    with pytest.raises(InputError) as error:
        read(path, network, lab)
    found = [(problem.line, problem.message) for problem in error.value.problems]
    assert found == [
        (2, "there is no such router in a network of 50"),
        (3, "is not a router"),
        (4, "is not a slot of lab"),
        (5, "'perhaps' is neither yes nor no"),
        (7, "is also in line 6"),
        (8, "is not a router"),
        (8, "is not a slot of lab"),
        (9, "is not a slot of lab"),
    ]
    assert f"did you mean {slot}?" in str(error.value)
    assert all(problem.file == str(path) for problem in error.value.problems)


def test_a_schedule_that_contradicts_itself(tmp_path, network, lab):
    a, b = lab.slot_names[:2]
    text = f"a_device,a_cabinet,b_device,b_cabinet\nR000,{a},R001,{b}\nR001,{a},E000,{a}\n"
    with pytest.raises(InputError, match=r"layout.csv:3: router R001: is also in line 2"):
        read(table(tmp_path, text), network, lab)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"router,place\n1,A\n", "there is no column slot"),
        (b"a,b\n", "there is no column router and no column slot"),
        (b"router,slot\n\xff,A\n", "byte 12 is not UTF-8 text"),
        (b'router,slot\n"' + b"x" * 200_000 + b'",A\n', "is not CSV"),
        (b"router,slot\n" + b"9" * 5000 + b",A\n", "is not a router"),
        ("router,slot\n²,A\n".encode(), "is not a router"),
    ],
)
def test_bad_files_are_refused_in_one_sentence(tmp_path, network, lab, content, message):
    path = tmp_path / "layout.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read(path, network, lab)


def test_a_file_that_is_not_there(tmp_path, network, lab):
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "none.csv", network, lab)
