"""The verifier finds every fault that is put into a plan."""

from dataclasses import replace

import numpy as np
import pytest

from planner import check as verifier
from planner.check import RULES, check
from planner.check.power import pdus_within_limits
from planner.domain.model import Bill, ZoneLimit
from planner.domain.parts import CableManager, PduPart


def changed(record, name, index, value):
    content = np.array(getattr(record, name))
    content[index] = value
    return replace(record, **{name: content})


def test_a_sound_plan_is_clean(small_plan):
    found = check(small_plan)
    assert found.items == ()
    assert found.checked == ("references_resolve", *(rule.__name__ for rule in RULES))


def first_between(plan):
    return int(np.flatnonzero(plan.cables.route >= 0)[0])


def as_optics(cables, row):
    """The cables with one of them made of what another, longer one is made of, at its price."""
    other = int(np.flatnonzero([cables.assemblies[number].medium == "optical" for number in cables.assembly])[0])
    for name in ("assembly", "stock_mm", "price_cents"):
        cables = changed(cables, name, row, getattr(cables, name)[other])
    return cables


def zigzag(room):
    """The room with every second tray node aside."""
    aside = np.where(np.argsort(np.argsort(room.node_xyz[:, 0])) % 2, 500, 0)
    return replace(room, node_xyz=room.node_xyz + np.column_stack([np.zeros_like(aside), aside, np.zeros_like(aside)]))


def starred(plan):
    """The network with every link led to the first router of the first cabinet."""
    hub = int(np.flatnonzero(plan.placement.cabinet == 0)[0])
    links = plan.topology.links.copy()
    links[(links != hub).all(axis=1), 0] = hub
    ends = np.concatenate([links, plan.inventory.ends[plan.inventory.endpoints()]])
    return replace(plan, topology=replace(plan.topology, links=links), inventory=replace(plan.inventory, ends=ends))


def with_part(plan, number, **facts):
    """The plan with other facts of one of its parts, the router or the node."""
    parts = list(plan.inventory.parts)
    parts[number] = replace(parts[number], **facts)
    return replace(plan, inventory=replace(plan.inventory, parts=tuple(parts)))


SOURCED = {"source": "by hand", "confidence": "A"}


def with_manager(plan, unit):
    """A cable manager of one unit in the first cabinet."""
    return replace(plan.placement, fixture_kind=np.zeros(1), fixture_cabinet=np.zeros(1), fixture_unit=np.array([unit]))


def with_pdu(plan, feeds=2, **facts):
    """PDUs in every cabinet; the first holds ten routers and ten boxes, 27.32 kW in all."""
    facts = {"rating_mw": 40_000_000, "outlets": 42, "mass_g": 0} | facts
    chosen = PduPart(id="pdu", derating=0.8, units=0, price_cents=0, phases=3, volts=400, amps=32, **facts, **SOURCED)
    return replace(plan, catalog=replace(plan.catalog, pdu=chosen), placement=replace(plan.placement, feeds=feeds))


FAULTS = {
    "a router of another part": (
        "devices_follow_the_network",
        lambda p: replace(p, inventory=changed(p.inventory, "part", 3, 1)),
    ),
    "a node among the routers": (
        "devices_follow_the_network",
        lambda p: replace(p, inventory=changed(p.inventory, "role", 3, 1)),
    ),
    "a part that is not the catalog's": ("devices_follow_the_network", lambda p: with_part(p, 1, mass_g=1)),
    "a connection to another node": (
        "connections_follow_the_network",
        lambda p: replace(p, inventory=changed(p.inventory, "ends", (200, 1), 52)),
    ),
    "a link of another kind": (
        "connections_follow_the_network",
        lambda p: replace(p, inventory=changed(p.inventory, "kind", 3, p.inventory.kind[-1])),
    ),
    "a link that takes the port of another": (
        "connections_follow_the_network",
        lambda p: replace(p, inventory=changed(p.inventory, "rank", (0, 0), 1)),
    ),
    "a cable that the catalog lacks": (
        "joints_follow_the_catalog",
        lambda p: replace(p, catalog=replace(p.catalog, link_assemblies=p.catalog.link_assemblies[1:])),
    ),
    "ports that no cage has": (
        "joints_follow_the_catalog",
        lambda p: replace(
            p,
            inventory=replace(
                p.inventory, joints=(replace(p.inventory.joints[0], ports_per_cage=(2, 2)), *p.inventory.joints[1:])
            ),
        ),
    ),
    "a device that is not there": (
        "references_resolve",
        lambda p: replace(p, inventory=changed(p.inventory, "ends", (0, 0), 250)),
    ),
    "a link longer than required": (
        "links_as_short_as_required",
        lambda p: replace(p, placement=replace(p.placement, longest_mm=int(p.cables.run_mm[: p.topology.link_count].max()) - 1)),
    ),
    "a port used twice": ("ports_used_once", lambda p: replace(p, cables=changed(p.cables, "port", (0, 0), 2))),
    "a port that is not there": ("ports_used_once", lambda p: replace(p, cables=changed(p.cables, "port", (0, 0), 37))),
    "a wrong neighbor": ("ends_agree_with_the_network", lambda p: replace(p, cables=changed(p.cables, "device", (0, 1), 49))),
    "swapped ports": (
        "ports_follow_their_rule",
        lambda p: replace(p, cables=changed(p.cables, "port", (slice(0, 2), 0), p.cables.port[1::-1, 0])),
    ),
    "an endpoint at another router": (
        "ends_agree_with_the_network",
        lambda p: replace(p, cables=changed(p.cables, "device", (200, 0), 0)),
    ),
    "two routers in one unit": (
        "boxes_fit_their_cabinets",
        lambda p: replace(p, placement=changed(p.placement, "unit", 1, 42)),
    ),
    "a router outside": ("boxes_fit_their_cabinets", lambda p: replace(p, placement=changed(p.placement, "unit", 0, 43))),
    "a box in a router": (
        "boxes_fit_their_cabinets",
        lambda p: replace(p, placement=changed(p.placement, "unit", slice(50, 54), 41)),
    ),
    "five endpoints in a box": (
        "boxes_fit_their_cabinets",
        lambda p: replace(p, placement=changed(p.placement, "unit", 54, 31)),
    ),
    "a cable that names another cabinet": (
        "boxes_fit_their_cabinets",
        lambda p: replace(p, cables=changed(p.cables, "cabinet", (0, 0), 4)),
    ),
    "a router in a reserved unit": (
        "boxes_fit_their_cabinets",
        lambda p: replace(p, placement=replace(p.placement, reserved_units=(0, 1))),
    ),
    "a cable manager in a router": ("boxes_fit_their_cabinets", lambda p: replace(p, placement=with_manager(p, unit=42))),
    "a router deeper than its cabinet": (
        "boxes_fit_their_cabinets",
        lambda p: with_part(p, 0, depth_mm=1300),
    ),
    "heavy cable managers": (
        "cabinets_within_limits",
        lambda p: replace(
            p,
            placement=with_manager(p, unit=1),
            catalog=replace(p.catalog, manager=CableManager(id="m", units=1, mass_g=2_000_000, price_cents=0, **SOURCED)),
        ),
    ),
    "heavy PDUs": ("cabinets_within_limits", lambda p: with_pdu(p, mass_g=1_000_000)),
    "a feed that cannot carry the cabinet alone": ("pdus_within_limits", lambda p: with_pdu(p, rating_mw=20_000_000)),
    "one feed that cannot carry the cabinet": ("pdus_within_limits", lambda p: with_pdu(p, feeds=1, rating_mw=20_000_000)),
    "more supplies than outlets": ("pdus_within_limits", lambda p: with_pdu(p, outlets=5)),
    "PDUs that nothing hangs on": ("pdus_within_limits", lambda p: with_pdu(p, feeds=0)),
    "routers that blow toward the cold aisle": (
        "airflow_is_consistent",
        lambda p: with_part(p, 0, airflow=("port-side intake",)),
    ),
    "endpoints in the wrong order": (
        "airflow_is_consistent",
        lambda p: with_part(p, 1, port_side="front"),
    ),
    "two cabinets in one slot": ("cabinets_within_limits", lambda p: replace(p, placement=changed(p.placement, "slot_of", 0, 1))),
    "too little power": (
        "cabinets_within_limits",
        lambda p: replace(p, room=replace(p.room, slot_power_mw=np.full(p.room.slot_count, 10_000_000))),
    ),
    "too weak a floor": (
        "cabinets_within_limits",
        lambda p: replace(p, room=replace(p.room, slot_load_g=np.full(p.room.slot_count, 200_000))),
    ),
    "a length that does not add up": ("lengths_explained", lambda p: replace(p, cables=changed(p.cables, "run_mm", 0, 17))),
    "a cable shorter than its route": (
        "lengths_explained",
        lambda p: replace(
            p,
            cables=replace(
                changed(changed(p.cables, "rise_mm", first_between(p), 0), "drop_mm", first_between(p), 0),
                run_mm=np.where(
                    np.arange(375) == first_between(p), p.cables.tray_mm + p.cables.slack_mm.sum(axis=1), p.cables.run_mm
                ),
            ),
        ),
    ),
    "a route of another cable": (
        "routes_follow_trays",
        lambda p: replace(p, cables=changed(p.cables, "route", first_between(p), p.cables.route.max())),
    ),
    "a cable without a route": (
        "routes_follow_trays",
        lambda p: replace(p, cables=changed(p.cables, "route", first_between(p), -1)),
    ),
    "a route of another length": (
        "routes_follow_trays",
        lambda p: replace(p, cables=changed(p.cables, "tray_mm", first_between(p), 1)),
    ),
    "a stock length too short": ("parts_cover_their_cables", lambda p: replace(p, cables=changed(p.cables, "stock_mm", 0, 500))),
    "a stock length nobody sells": (
        "parts_cover_their_cables",
        lambda p: replace(p, cables=changed(p.cables, "stock_mm", 0, 77_777)),
    ),
    "a length bought for an older route": (
        "shortest_length_bought",
        lambda p: replace(p, cables=changed(p.cables, "stock_mm", 0, p.cables.assemblies[p.cables.assembly[0]].stock_mm[-1])),
    ),
    "optics where copper reaches": ("cheapest_part_bought", lambda p: replace(p, cables=as_optics(p.cables, 0))),
    "a port in another cage": ("ports_in_their_cages", lambda p: replace(p, cables=changed(p.cables, "cage", (0, 0), 20))),
    "two cables as one": ("pieces_are_consistent", lambda p: replace(p, cables=changed(p.cables, "piece", 1, p.cables.piece[0]))),
    "too many links in a loom": (
        "trunks_cover_their_links",
        lambda p: replace(p, cables=changed(p.cables, "bundle_capacity", 0, 1)),
    ),
    "a jumper too short": ("trunks_cover_their_links", lambda p: replace(p, cables=changed(p.cables, "leg_mm", (0, 0), 1))),
    "a price of no catalog": ("prices_add_up", lambda p: replace(p, cables=changed(p.cables, "price_cents", 0, 1))),
    "a part of another socket": (
        "parts_cover_their_cables",
        lambda p: replace(
            p, cables=replace(p.cables, assemblies=(replace(p.cables.assemblies[0], connector_a="X"), *p.cables.assemblies[1:]))
        ),
    ),
    "a fill that is not so": ("trays_within_fill", lambda p: replace(p, cables=changed(p.cables, "fill_um2", 0, 1))),
    "a tray too small": (
        "trays_within_fill",
        lambda p: replace(p, room=replace(p.room, segment_mm2=np.full(len(p.room.segments), 50))),
    ),
    "trays for the other medium": (
        "routes_follow_trays",
        lambda p: replace(
            p, room=replace(p.room, segment_carries=np.full(len(p.room.segments), 2 - p.cables.medium_class.max()))
        ),
    ),
    "a corner too tight": (
        "bends_within_radius",
        lambda p: replace(p, room=replace(zigzag(p.room), tray_bend_mm=(1,) * len(p.room.tray_names))),
    ),
    "a zone that draws too much": (
        "zones_within_totals",
        lambda p: replace(p, room=replace(p.room, zones=(ZoneLimit("Z", (0, 1), 1, None, None),))),
    ),
    "a zone that weighs too much": (
        "zones_within_totals",
        lambda p: replace(p, room=replace(p.room, zones=(ZoneLimit("Z", (0, 1), None, None, 1),))),
    ),
    "routers that must be spread": (
        "routers_spread_as_configured",
        lambda p: replace(
            p,
            study={"placement": {"spread": [{"at_most": 1, "routers": np.flatnonzero(p.placement.cabinet[:50] == 0).tolist()}]}},
        ),
    ),
    "a cabinet that all links need": ("no_cabinet_parts_the_rest", starred),
    "the same label twice": ("labels_unique", lambda p: replace(p, cables=changed(p.cables, "label_a", 0, p.cables.label_a[1]))),
    "labels that look alike": (
        "labels_legible",
        lambda p: replace(p, cables=changed(p.cables, "label_a", 0, p.cables.label_a[1].replace("0", "O"))),
    ),
    "a cable of another task": (
        "work_covers_every_cable",
        lambda p: replace(p, work=changed(p.work, "task", 0, p.work.task_count - 1)),
    ),
    "a short route before a long one": (
        "long_before_short",
        lambda p: replace(p, work=changed(p.work, "start_s", 0, p.work.makespan_s)),
    ),
    "a crew in two places": ("crews_in_one_place", lambda p: replace(p, work=replace(p.work, crew=p.work.crew * 0))),
    "a bill that is too cheap": ("bill_complete", lambda p: replace(p, bill=Bill("USD", p.bill.lines[1:]))),
    "a bill without cables": (
        "bill_complete",
        lambda p: replace(p, bill=Bill("USD", tuple(x for x in p.bill.lines if x.category != "cables"))),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_found(small_plan, fault):
    rule, spoil = FAULTS[fault]
    found = check(spoil(small_plan))
    assert rule in {item.rule for item in found.items}, [item.rule for item in found.items]
    assert all(item.where for item in found.items)


def test_faults_are_those_of_rules():
    """The other rules are shown by the mutation matrix."""
    assert {rule for rule, _ in FAULTS.values()} <= {"references_resolve", *(rule.__name__ for rule in RULES)}


def test_fill_between_design_and_maximum_is_a_warning(small_plan):
    area = small_plan.cables.fill_um2.max() / 1e6 / 0.45
    room = replace(small_plan.room, segment_mm2=np.full(len(small_plan.room.segments), round(area)))
    found = check(replace(small_plan, room=room, quantities={}))
    assert found.items
    assert {item.severity for item in found.items} == {"warning"}
    assert found.errors == ()


def test_pdus_that_carry_the_cabinet_are_fine(small_plan):
    """0.8 x 34.15 kW is 27.32 kW."""
    assert not list(pdus_within_limits(with_pdu(small_plan, rating_mw=34_150_000)))
    first = next(pdus_within_limits(with_pdu(small_plan, rating_mw=34_149_000)))
    assert (first.value, first.limit, first.unit) == (27_320_000, 27_319_200, "mW")
    assert (first.where, first.message) == ("cabinet A01 PDU A1", "power when feed B fails")


def test_every_rule_has_a_meaning():
    assert all(rule.__doc__ for rule in RULES)
    assert verifier.__doc__
