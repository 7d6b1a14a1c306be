"""IFC: the validator of IfcOpenShell with the rules of the schema, and boxes where the plan has them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from shared.small_plans import make_plan

from planner.domain.model import Plan
from planner.formats import write


@pytest.fixture(scope="session")
def ifc():
    """The library of the format, which takes seconds to import."""
    import ifcopenshell
    import ifcopenshell.util.element
    import ifcopenshell.util.placement
    import ifcopenshell.validate

    return ifcopenshell


def boxes(ifc, model, kind):
    """Name, matrix and size of each object."""
    found = []
    for each in model.by_type(kind):
        (solid,) = each.Representation.Representations[0].Items
        size = solid.SweptArea.XDim, solid.SweptArea.YDim, solid.Depth
        found.append((each, ifc.util.placement.get_local_placement(each.ObjectPlacement), size))
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("which", ["odd", *(pytest.param(each, marks=pytest.mark.nightly) for each in ("plan", "trunks"))])
def test_the_validator_finds_no_error(which, request, ifc, tmp_path):
    model = ifc.open(str(write(request.getfixturevalue(which), tmp_path, "ifc")))
    log = ifc.validate.json_logger()
    ifc.validate.validate(model, log, express_rules=True)
    assert log.statements == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_cabinets_and_trays_are_where_they_are_planned(plan, ifc, tmp_path):
    model = ifc.open(str(write(plan, tmp_path, "ifc")))
    room, part = plan.room, plan.catalog.cabinet
    found = boxes(ifc, model, "IfcBuildingElementProxy")
    assert {each.Name: tuple(at[:3, 3]) for each, at, _ in found} == {
        room.slot_names[slot]: (*room.slot_xy[slot].tolist(), 0) for slot in plan.placement.slot_of.tolist()
    }
    assert {size for *_, size in found} == {(part.width_mm, part.depth_mm, part.height_mm)}
    for each, at, _ in found:
        facing = np.radians(room.slot_facing[room.slot_names.index(each.Name)])
        assert at[:2, 1] == pytest.approx([np.cos(facing), np.sin(facing)], abs=1e-5)  # depth toward the front
        facts = ifc.util.element.get_pset(each, "Planner_Cabinet")
        assert facts["Row"] == each.Name[0]
    trays = boxes(ifc, model, "IfcCableCarrierSegment")
    assert {each.Name for each, *_ in trays} <= set(room.tray_names)
    flat = room.node_xyz[room.segments][:, 0, 2] == room.node_xyz[room.segments][:, 1, 2]
    level = sum(size[0] for each, at, size in trays if size[0] > 0 and each.ObjectType != "riser")
    assert level == pytest.approx(room.segment_mm[flat].sum())
    fills = [ifc.util.element.get_pset(each, "Planner_Tray")["Fill"] for each, *_ in trays]
    assert max(fills) == pytest.approx((plan.cables.fill_um2 / (1e6 * room.segment_mm2)).max(), abs=1e-6)


def test_identifiers_are_unique_and_stay(plan, tmp_path):
    texts = [write(plan, tmp_path / name, "ifc").read_text(encoding="ascii") for name in "ab"]
    assert texts[0] == texts[1]
    rooted = re.findall(
        r"^#\d+=IFC(?:PROJECT|SITE|SPACE|REL\w+|PROPERTYSET|\w+PROXY|\w+SEGMENT)\('([^']+)'", texts[0], re.MULTILINE
    )
    assert len(set(rooted)) == len(rooted) > 20
    assert all(re.fullmatch(r"[0-3][0-9A-Za-z_$]{21}", each) for each in rooted)
    # Every reference is to an earlier entity.
    for line in re.findall(r"^#.*;$", texts[0], re.MULTILINE):
        own, *others = map(int, re.findall(r"#(\d+)", line))
        assert all(other < own for other in others)


def test_a_room_without_cabinets(tmp_path):
    made = make_plan(family="hypercube", dimensions=3, endpoints_per_router=2, simulate=False)
    text = write(Plan("bare", "", {}, room=made.room), tmp_path, "ifc").read_text()
    assert "PROXY" not in text
    assert "IFCCABLECARRIERSEGMENT" in text
