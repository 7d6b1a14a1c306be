"""Labels: schemes, templates, and what the ends of shared pieces bear."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared.plans import planned

from planner.check.labels import labels_follow_their_template, labels_legible, labels_unique
from planner.core.errors import InputError
from planner.design.cabling.labels import FIELDS, SCHEMES, Ends, texts


@pytest.fixture(scope="module")
def ends(small_plan):
    """One piece per row, as planned."""
    plan = small_plan
    cables = plan.cables
    return Ends(
        room=plan.room, inventory=plan.inventory, assemblies=cables.assemblies, piece=np.arange(cables.cable_count),
        device=cables.device, port=cables.port, cage=cables.cage, unit=cables.unit, slot=plan.placement.slot_of[cables.cabinet],
        assembly=cables.assembly, stock_mm=cables.stock_mm, bundle=cables.bundle, stage=cables.stage,
        stage_names=cables.stage_names,
    )  # fmt: skip


def first_rows(ends, count, **columns):
    """The first rows, with some columns replaced."""
    cut = {
        name: getattr(ends, name)[:count]
        for name in ("piece", "device", "port", "cage", "unit", "slot", "assembly", "stock_mm", "bundle", "stage")
    }
    known = ends.inventory
    by_row = {name: getattr(known, name)[:count] for name in ("ends", "rank", "port_group", "port", "joint", "apart")}
    short = replace(
        known, **by_row, kind=known.kind[:count] * 0, first_link=[0, count], first_endpoint=[count], first_direct=[count]
    )
    return replace(ends, inventory=short, **(cut | columns))


def named(ends, *names):
    """The same ends where the first slots bear other names."""
    return replace(ends, room=replace(ends.room, slot_names=(*names, *ends.room.slot_names[len(names) :])))


def test_near_end_first_then_the_far_end(ends):
    one = named(first_rows(ends, 1, slot=np.array([[0, 1]]), unit=np.array([[42, 7]]), port=np.array([[3, 11]])), "A01", "B02")
    first, second = texts("tia606", one)
    assert (first.tolist(), second.tolist()) == (["A01-42:03/B02-07:11"], ["B02-07:11/A01-42:03"])


def test_cable_ids_of_hpe(ends):
    """3000.9000.00.0001 is the cable id of the sample file of Cray-HPE/sat, Shasta_system_hsn_pt_pt.valid.1.csv."""
    slot = np.array([[0, 1], [0, 1], [1, 0], [0, 0]])
    four = named(first_rows(ends, 4, slot=slot, piece=np.arange(4)), "3000", "9000")
    first, second = texts("hpe", four)
    ids = ["3000.9000.00.0001", "3000.9000.00.0002", "9000.3000.00.0001", "3000.3000.00.0001"]
    assert first.tolist() == [f"{identity}-A" for identity in ids]
    assert second.tolist() == [f"{identity}-B" for identity in ids]


def test_endpoint_cables_are_a_class_of_their_own(ends):
    first, _ = texts("{class:02d} {link} {number}", ends)
    links = ends.inventory.endpoints().start
    *classes, last = ends.inventory.kind_names
    assert first[0].startswith(f"00 {classes[0]} ")
    assert first[links] == f"{len(classes):02d} {last} 1"
    assert last == "endpoint"


def test_component_names(ends):
    """xXcCrRjJ is a switch's connector, xXcCsSbBnNhH a node's interface."""
    row = ends.inventory.endpoints().start
    cable = named(ends, *(f"x{3000 + n}" for n in range(ends.room.slot_count)))
    first, second = texts("{xname}", cable)
    slot, unit, cage, port = (column[row].tolist() for column in (ends.slot, ends.unit, ends.cage, ends.port))
    assert first[row] == f"x{3000 + slot[0]}c0r{unit[0]}j{cage[0]}"
    assert second[row] == f"x{3000 + slot[1]}c0s{unit[1]}b0n{port[1] - 1}h0"


def test_links_of_a_twin_port_cable_share_both_labels(ends):
    two = first_rows(
        ends, 2, piece=np.zeros(2, int), device=np.array([[4, 9], [4, 9]]), cage=np.array([[2, 5], [2, 5]]),
        port=np.array([[3, 9], [4, 10]]), slot=np.array([[0, 1], [0, 1]]),
    )  # fmt: skip
    for label in (*SCHEMES, "{port}-{far_port}"):
        first, second = texts(label, two)
        assert first[0] == first[1]
        assert second[0] == second[1]
        assert first[0] != second[0]
    assert texts("{port}-{far_port}", two)[0].tolist() == ["3-9", "3-9"]


def test_tails_of_a_splitter_have_labels_of_their_own(ends):
    """The head is one end of the piece, each tail another, even where the tails lead to different cabinets."""
    three = named(
        first_rows(
            ends, 3, piece=np.array([0, 0, 1]), device=np.array([[4, 60], [4, 61], [4, 62]]),
            cage=np.array([[2, 1], [2, 1], [3, 1]]), slot=np.array([[0, 1], [0, 2], [0, 2]]), unit=np.full((3, 2), 10),
            port=np.array([[3, 1], [4, 1], [5, 1]]),
        ),
        "A1", "B1", "C1",
    )  # fmt: skip
    assert [side.tolist() for side in texts("serial", three)] == [
        ["000001-A", "000001-A", "000002-A"],
        ["000001-B1", "000001-B2", "000002-B"],
    ]
    assert [side.tolist() for side in texts("hpe", three)] == [
        ["A1.B1.00.0001-A", "A1.B1.00.0001-A", "A1.C1.00.0001-A"],
        ["A1.B1.00.0001-B1", "A1.B1.00.0001-B2", "A1.C1.00.0001-B"],
    ]
    head, tails = texts("tia606", three)
    assert head.tolist() == ["A1-10:03/B1-10:01", "A1-10:03/B1-10:01", "A1-10:05/C1-10:01"]
    assert tails.tolist() == ["B1-10:01/A1-10:03", "C1-10:01/A1-10:04", "C1-10:01/A1-10:05"]


@pytest.mark.parametrize("label", SCHEMES)
def test_no_two_ends_bear_the_same_text(ends, label):
    first, second = texts(label, ends)
    assert len(np.unique(np.concatenate([first, second]))) == 2 * len(ends.piece)


@pytest.mark.slow
@given(st.lists(st.sampled_from(sorted(FIELDS)), min_size=1, max_size=6), st.text("äß→ ./:-ABC", max_size=5))
def test_templates_format_as_python_does(ends, names, between):
    """Every field at every end as `str.format` fills it in, from columns made by hand."""
    template = between.join("{" + name + "}" for name in names)
    few = first_rows(ends, 5)
    first, _ = texts(template, few)
    columns = {name: texts("{" + name + "}", few)[0].tolist() for name in names}
    assert first.tolist() == [template.format(**{name: columns[name][row] for name in names}) for row in range(5)]


def test_fields_of_one_cable(ends):
    one = first_rows(
        named(ends, "Reihe Ä7"),
        1,
        slot=np.array([[0, 0]]),
        stock_mm=np.array([1500]),
        bundle=np.array([-1]),
        cage=np.array([[2, 9]]),
    )
    one = replace(one, room=replace(one.room, row_names=("Reihe Ä", *one.room.row_names[1:])))
    template = (
        "{row}|{slot}|{kind}|{device}|{cage}|{far_cage}|{stock_m}|{stock_mm}|{bundle}|{stage}|{part}|{{}}|{end:>3}|{unit!r}"
    )
    part = one.assemblies[one.assembly[0]].length_part
    stage = one.stage_names[one.stage[0]]
    device, unit = one.device[0, 0], one.unit[0, 0]
    assert texts(template, one)[0].tolist() == [f"Reihe Ä|7|router|{device}|2|9|1.5|1500|0|{stage}|{part}|{{}}|  A|{unit}"]


def test_no_cables_no_labels(ends):
    for label in SCHEMES:
        assert [side.tolist() for side in texts(label, first_rows(ends, 0))] == [[], []]


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("{rack}", "the fields are {cabinet}"),
        ("{unit:x", "the fields are"),
        ("{cabinet:d}", "the fields are"),
        ("{0}", "the fields are"),
        ("{}", "the fields are"),
        ("{cabinet.a}", "the fields are"),
        ("{cabinet[0]}", "the fields are"),
        ("{unit:{port}}", "too wide or nested"),
        ("{unit:99999999999}", "too wide or nested"),
        ("{unit!x}", "the fields are"),
        ("{unit}\n{port}", "unprintable characters"),
        ("tia605", "there is no label scheme 'tia605'.*tia606"),
        ("", "there is no label scheme ''"),
    ],
)
def test_bad_labels_are_named(ends, label, message):
    with pytest.raises(InputError, match=f"(?s){message}"):
        texts(label, ends)


def labeled(first, second, piece=None):
    """A plan of labels alone; rows of one piece share the socket at their first end."""
    piece = np.arange(len(first)) if piece is None else np.array(piece)
    device = np.column_stack([piece, 100 + np.arange(len(first))])
    cage = np.ones((len(first), 2), int)
    return SimpleNamespace(
        cables=SimpleNamespace(
            cable_count=len(first), piece=piece, device=device, cage=cage, label_a=np.array(first), label_b=np.array(second)
        )
    )


def test_one_text_on_two_ends_is_an_error():
    assert not list(labels_unique(labeled(["a", "b"], ["c", "d"])))
    (found,) = labels_unique(labeled(["a", "b"], ["c", "a"]))
    assert (found.where, found.value, found.severity) == ("'a'", 2.0, "error")
    assert [item.where for item in labels_unique(labeled(["a"], ["a"]))] == ["'a'"]


def test_rows_of_one_cable_share_the_text_of_a_shared_end():
    assert not list(labels_unique(labeled(["a", "a"], ["c", "d"], piece=[0, 0])))
    (found,) = labels_unique(labeled(["a", "b"], ["c", "d"], piece=[0, 0]))
    assert found.message == "several labels on one end"


def test_labels_that_look_alike_are_a_warning():
    assert not list(labels_legible(labeled(["A1", "A2"], ["B1", "B2"])))
    (found,) = labels_legible(labeled(["AO1", "A01"], ["B1", "B2"]))
    assert (found.where, found.severity) == ("'A01' and 'AO1'", "warning")
    (empty,) = labels_legible(labeled([" ", "A01"], ["B1", "B2"]))
    assert empty.message == "a label without text"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["several networks", "twin ports", "in use"])
def test_the_verifier_knows_every_field(name):
    """What a template makes of each field is what the rule makes of it, on both ends of all cables."""
    plan = planned(name)
    cables = plan.cables
    own = Ends(
        room=plan.room, inventory=plan.inventory, assemblies=cables.assemblies, piece=cables.piece, device=cables.device,
        port=cables.port, cage=cables.cage, unit=cables.unit, slot=plan.placement.slot_of[cables.cabinet],
        assembly=cables.assembly, stock_mm=cables.stock_mm, bundle=cables.bundle, stage=cables.stage,
        stage_names=cables.stage_names,
    )  # fmt: skip
    for field in FIELDS:
        label = f"{{{field}}} {{cable}} {{end}}"
        label_a, label_b = texts(label, own)
        study = plan.study | {"cabling": plan.study["cabling"] | {"label": label}}
        found = labels_follow_their_template(replace(plan, study=study, cables=replace(cables, label_a=label_a, label_b=label_b)))
        assert list(found) == [], field
