"""Heat, airflow and floor load: against data sheets, the bill and sums by hand; units, their limits and complaints."""

from dataclasses import replace

import numpy as np
import pytest
from shared.paper import printed
from shared.plans import STUDIES, planned, source

from planner.check.cooling import cooling_adds_up, cooling_removes_the_heat, cooling_units_from_the_catalog
from planner.commands.console.terminal import key_figures
from planner.core.errors import InputError
from planner.domain import catalog
from planner.domain.model.cooling import Cooling
from planner.domain.parts import CoolingUnit
from planner.domain.quantities import measure
from planner.hall.cooling import Units, airflow_l_per_s, cooling, pressure_pa
from planner.paper.site import site_sheets
from planner.studies import pipeline, study
from planner.view.shades import shades

CFM_L_PER_S = 0.471947443
ROWS = catalog.rows("cooling_unit")


def cooled(plan, rows=ROWS, **settings):
    """The cooling of a plan with other settings, and the plan with it."""
    made = cooling(plan.inventory, plan.catalog, plan.room, plan.placement, plan.cables, rows, **settings)
    section = plan.study["cooling"] | {key: value for key, value in settings.items() if key != "units"}
    section["units"] = [{"part": one.part, "count": one.count, "where": one.where} for one in settings.get("units", ())]
    return replace(plan, cooling=made, study=plan.study | {"cooling": section})


def against(name, rows=ROWS):
    return replace(source(name), rows=lambda kind: rows)


# -- air --------------------------------------------------------------------------------------


def test_air_of_a_kilowatt():
    """154 cubic feet per minute and kilowatt at 55 °F and a rise of 20 °F: Innovative Research, Calculation of Airflow."""
    assert airflow_l_per_s(1_000_000_000, (55 - 32) / 1.8, 20 / 1.8, 0) / CFM_L_PER_S / 1000 == pytest.approx(154, rel=0.005)


@pytest.mark.parametrize(("feet", "atmospheres"), [(2000, 0.93), (4000, 0.86), (6000, 0.80), (8000, 0.74), (10_000, 0.69)])
def test_pressure_at_altitude(feet, atmospheres):
    """The table of the same note."""
    assert pressure_pa(0.3048 * feet) / 101_325 == pytest.approx(atmospheres, abs=0.0051)


def test_air_of_a_server():
    """A DGX H100 of 10.2 kW moves 1,105 cubic feet per minute (its data sheet): the air then warms by 16 K."""
    flow_l_per_s = 1105 * CFM_L_PER_S
    assert airflow_l_per_s(10_200_000, 22.5, 16.4, 0) == pytest.approx(flow_l_per_s, rel=0.01)


def test_density_by_the_sensible_heat_constant():
    """BTU/h = 1.08 x CFM x °F at 70 °F: a well-known rule."""
    cfm = 3412.14 * 10 / (1.08 * 20)
    assert airflow_l_per_s(10_000_000, (70 - 32) / 1.8, 20 / 1.8, 0) == pytest.approx(cfm * CFM_L_PER_S, rel=0.01)


# -- heat and mass ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.slow
def test_typical_heat_is_the_power_of_the_bill_and_of_the_nodes(name):
    plan = planned(name)
    inventory = plan.inventory
    columns = plan.placement.cabinet, plan.placement.unit, inventory.part, inventory.is_router
    boxes = {tuple(place) for *place, router in zip(*(column.tolist() for column in columns), strict=True) if not router}
    made = cooled(plan, load="typical").cooling
    assert made.heat_mw.sum() == plan.bill.power_mw() + sum(inventory.parts[part].power_typical_mw for _, _, part in boxes)
    assert made.whole.heat_mw == made.heat_mw.sum()


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_areas_share_the_room(name):
    made = planned(name).cooling
    for kind in ("row", "hall"):
        areas = [area for area in made.areas if area.kind == kind]
        if areas:
            assert sum(area.heat_mw for area in areas) == made.whole.heat_mw
            assert sum(area.mass_g for area in areas) == made.whole.mass_g
            assert sum(area.airflow_l_per_s for area in areas) == pytest.approx(made.whole.airflow_l_per_s, abs=len(areas))
    assert sum(area.cabinets for area in made.areas if area.kind == "row") == len(made.heat_mw) == made.whole.cabinets


def test_floor_load_by_hand():
    plan = planned("plain")
    part = plan.catalog.cabinet
    quantity = measure(plan)["floor_load_kg_per_m2"]["value"]
    assert quantity == pytest.approx(plan.cooling.mass_g.max() / 1e3 / (part.width_mm / 1e3 * part.depth_mm / 1e3), abs=1e-6)
    assert (plan.cooling.mass_g <= plan.room.slot_load_g[plan.placement.slot_of]).all()


def test_a_box_without_airflow_heats_liquid_only():
    plan = planned("plain")
    router, server = plan.inventory.parts

    def with_router(**changed):
        return replace(plan, inventory=replace(plan.inventory, parts=(replace(router, **changed), server)))

    sealed, half = with_router(airflow=("none",)), with_router(airflow=("none",), liquid_share=0.5)
    made = cooled(sealed).cooling
    routers = plan.topology.router_count * plan.inventory.parts[0].power_max_mw
    assert (made.whole.liquid_mw, made.whole.air_mw) == (routers, made.whole.heat_mw - routers)
    assert made.whole.airflow_l_per_s < plan.cooling.whole.airflow_l_per_s
    assert cooled(half).cooling.whole.liquid_mw == pytest.approx(routers / 2, abs=len(made.heat_mw))
    dipped = replace(plan, catalog=replace(plan.catalog, cabinet=replace(plan.catalog.cabinet, cooling="direct liquid")))
    assert cooled(dipped).cooling.whole.air_mw == 0
    for changed in (sealed, half, dipped):
        assert not [*cooling_adds_up(cooled(changed))]


def test_thin_air_and_a_larger_rise():
    plan = planned("plain")
    high = cooled(plan, altitude_m=2000).cooling.whole.airflow_l_per_s
    warm = cooled(plan, rise_kelvin=22.2).cooling.whole.airflow_l_per_s
    assert high == pytest.approx(plan.cooling.whole.airflow_l_per_s * 101_325 / pressure_pa(2000), abs=1)
    assert warm == pytest.approx(plan.cooling.whole.airflow_l_per_s / 2, abs=1)


def test_aisles_take_the_air_of_the_cabinets_next_to_them():
    plan = planned("two halls")
    room, slots = plan.room, plan.placement.slot_of
    for aisle in plan.cooling.aisles:
        rows = [room.row_names.index(name) for name in aisle.name.split("-") if name in room.row_names]
        near = np.isin(room.slot_row[slots], rows)
        assert 0 < aisle.cabinets <= near.sum()
    cold = sum(aisle.cabinets for aisle in plan.cooling.aisles if aisle.kind == "cold aisle")
    assert cold <= len(slots), "a cabinet has one front"


# -- units ------------------------------------------------------------------------------------


def test_rear_doors_take_what_they_can():
    plan = planned("plain")
    door = next(row for row in ROWS if row.id == "ibm-rear-door")
    made = cooled(plan, units=(Units(door.id),))
    assert (made.cooling.door_mw == np.minimum(plan.cooling.heat_mw, door.capacity_mw)).all()
    assert (made.cooling.mass_g - plan.cooling.mass_g == door.loaded_g).all()
    assert made.cooling.whole.airflow_l_per_s == plan.cooling.whole.airflow_l_per_s, "the air passes the devices first"
    assert made.cooling.units[0].count == len(made.cooling.heat_mw)
    assert not [*cooling_adds_up(made), *cooling_units_from_the_catalog(made, against("plain"))]


@pytest.mark.parametrize(("count", "spare", "enough"), [(1, 0, False), (9, 0, True), (9, 8, False)])
def test_units_must_remove_the_heat_without_the_spare_ones(count, spare, enough):
    plan = planned("plain")
    unit = CoolingUnit(
        id="one", cools="room air", capacity_mw=int(plan.cooling.heat_mw.sum()) // 4, source="a test", confidence="D"
    )
    made = cooled(plan, (unit,), units=(Units("one", count),), spare=spare)
    found = [*cooling_removes_the_heat(made)]
    assert bool(found) != enough
    assert not [*cooling_adds_up(made), *cooling_units_from_the_catalog(made, against("plain", (unit,)))]
    used = measure(made)["cooling_used_percent"]["value"]
    assert used == pytest.approx(100 * made.cooling.whole.air_mw / (unit.capacity_mw * (count - spare)))
    assert (used <= 100) == enough


def test_each_hall_has_units_of_its_own():
    plan = planned("two halls")
    west, east = (area for area in plan.cooling.areas if area.kind == "hall")
    units = (Units("schneider-inrow-cw-70kw", 20, "West"), Units("schneider-inrow-cw-70kw", 20, "East"))
    made = cooled(plan, units=units)
    assert not [*cooling_removes_the_heat(made), *cooling_units_from_the_catalog(made, against("two halls"))]
    warm = west if west.heat_mw else east
    others = tuple(unit for unit in units if unit.where != warm.name)
    (found,) = cooling_removes_the_heat(cooled(plan, units=others))
    assert found.where == f"hall {warm.name}"


def test_without_units_there_is_no_verdict():
    plan = planned("plain")
    assert plan.cooling.units == ()
    assert plan.cooling.whole.air_supply_mw is None
    assert "cooling_used_percent" not in measure(plan)
    assert not [*cooling_removes_the_heat(plan)]


@pytest.mark.parametrize(
    ("name", "units", "words"),
    [
        ("plain", (Units("schneider-inrow-cw-70"),), "did you mean schneider-inrow-cw-70kw"),
        ("plain", (Units("schneider-inrow-cw-70kw", where="A"),), "leave it out"),
        ("plain", (Units("ibm-rear-door", where="Z"),), "there is no place 'Z'"),
        ("plain", (Units("ibm-rear-door", 4),), "every cabinet of the place has a rear door"),
        ("plain", (Units("ibm-rear-door"), Units("motivair-chilleddoor-35kw", where="A")), "another rear door"),
        ("two halls", (Units("schneider-inrow-cw-70kw"),), "East, West"),
    ],
)
def test_units_that_are_refused(name, units, words):
    with pytest.raises(InputError, match=words) as caught:
        cooled(planned(name), units=units)
    assert all(problem.place.startswith("units.") and problem.remedy for problem in caught.value.problems)


def test_units_are_examined_before_anything_runs(tmp_path):
    data = {**STUDIES["plain"], "name": "early", "cooling": {"units": [{"part": "nothing"}], "spare": 1}}
    with pytest.raises(InputError, match=r"cooling\.units\.0\.part: there is no cooling unit 'nothing'"):
        pipeline.make(study.check(data, base=tmp_path), ("placement",), accepted=False)
    data["cooling"] = {"units": [{"part": "ibm-rear-door", "cout": 1}], "rise_kelvin": 0}
    with pytest.raises(InputError) as caught:
        study.check(data, base=tmp_path)
    assert len(caught.value.problems) == 2


# -- the verifier -----------------------------------------------------------------------------


def _other(made: Cooling):
    """Yield the record with one figure changed."""
    for key in ("heat_mw", "liquid_mw", "door_mw", "mass_g"):
        values = getattr(made, key).copy()
        values[-1] += 1
        yield key, {key: values}
    for key, wrong in (("load", "typical"), ("supply_celsius", 20.0), ("rise_kelvin", 10.0), ("altitude_m", 1), ("spare", 1)):
        yield key, {key: wrong}
    for field in ("areas", "aisles"):
        for key, value in vars(getattr(made, field)[-1]).items():
            if isinstance(value, int):
                changed = replace(getattr(made, field)[-1], **{key: value + 1})
                yield f"{field}.{key}", {field: (*getattr(made, field)[:-1], changed)}
    for key in ("count", "capacity_mw", "mass_g"):
        changed = replace(made.units[0], **{key: getattr(made.units[0], key) + 1})
        yield f"units.{key}", {"units": (changed, *made.units[1:])}
    yield "parts", {"parts": made.parts[1:]}


def test_every_figure_is_verified():
    units = (Units("ibm-rear-door"), Units("schneider-inrow-cw-70kw", 3), Units("liquidstack-cdu-1mw", 2))
    plan = cooled(planned("plain"), units=units)
    rules = (cooling_adds_up, lambda one: cooling_units_from_the_catalog(one, against("plain")))
    assert not [found for rule in rules for found in rule(plan)]
    for what, changed in _other(plan.cooling):
        wrong = replace(plan, cooling=replace(plan.cooling, **changed))
        assert any([*rule(wrong)] for rule in rules), what


# -- what is shown ----------------------------------------------------------------------------


@pytest.mark.slow
def test_sheet_layer_and_line_state_the_heat(tmp_path):
    plan = cooled(planned("two halls"), units=(Units("ibm-rear-door"), Units("schneider-inrow-cw-70kw", 4, "West")))
    plan = replace(plan, quantities=measure(plan))
    kilowatts = f"{plan.cooling.whole.heat_mw / 1e6:,.1f}"
    assert f"{kilowatts} kW maximum" in dict(key_figures(plan))["heat"]
    paper = printed(plan, tmp_path)
    assert not paper.faults
    for shown in (kilowatts, "hall West", "ibm-rear-door", "D, estimate", "cold aisle"):
        assert shown in paper.chapter("Site")
    assert shades(plan)["heat"].marks == tuple(f"{one / 1e6:.1f}" for one in plan.cooling.heat_mw.tolist())


def test_a_plan_without_the_record_shows_nothing_of_it():
    plan = replace(planned("plain"), cooling=None)
    assert site_sheets(plan, []) == []
    assert "heat" not in shades(plan)
    assert "heat" not in dict(key_figures(replace(plan, quantities=measure(plan))))
    assert not [*cooling_adds_up(plan), *cooling_removes_the_heat(plan), *cooling_units_from_the_catalog(plan, against("plain"))]
