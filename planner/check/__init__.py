"""The independent verifier: records in, violations out.

It imports no stage and shares no kernel with one; it recomputes what it can from the records of
other stages, and is given what the study alone decides: network, catalog and room built again. A file per
subject; each function named in `RULES` or `AGAINST_SOURCE` is one rule, its name the rule's name, its docstring the meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from planner.check._places import error
from planner.check._source import Source
from planner.check.assemblies import assemblies_from_the_catalog, legs_only_where_carried, pieces_numbered_in_order
from planner.check.bill import bill_complete
from planner.check.bill_lines import bill_follows_its_terms, bill_lines_add_up
from planner.check.bisection import bisection_bounds_hold
from planner.check.bundles import bundles_follow_their_kind, panels_and_trunks_are_bought
from planner.check.bundlings import bundlings_add_up, largest_bundles_listed
from planner.check.cabinets import airflow_is_consistent, boxes_fit_their_cabinets, cabinets_within_limits
from planner.check.ends import cables_leave_by_their_side, plugs_draw_their_power, stages_by_distance
from planner.check.failures import failures_examined_in_detail, failures_of_the_plan
from planner.check.fittings import cabinets_fitted_as_configured
from planner.check.labels import labels_follow_their_template, labels_legible, labels_unique
from planner.check.latency import delays_of_all_pairs, delays_of_cables, fec_as_configured, slowest_path_is_valid
from planner.check.lengths import lengths_explained, links_as_short_as_required
from planner.check.near_misses import moves_save_stated_amounts, near_misses_add_up
from planner.check.objective import objective_adds_up
from planner.check.parts import parts_cover_their_cables, pieces_are_consistent, prices_add_up, trunks_cover_their_links
from planner.check.ports import ends_agree_with_the_network, ports_follow_their_rule, ports_in_their_cages, ports_used_once
from planner.check.power import pdus_within_limits
from planner.check.purchase import cheapest_part_bought, shortest_length_bought
from planner.check.quantities import quantities_follow_the_records
from planner.check.references import references_resolve
from planner.check.routes import bottleneck_is_proven, shortest_routes_add_up
from planner.check.schedule import crews_take_the_next_task, tasks_add_up, work_follows_the_study
from planner.check.searches import searches_completed
from planner.check.simulations import (
    bounds_of_loads_hold,
    delays_in_order,
    link_loads_carry_the_packets,
    packets_are_counted_once,
    simulation_as_configured,
)
from planner.check.sources import records_follow_the_study
from planner.check.spread import no_cabinet_parts_the_rest, routers_spread_as_configured
from planner.check.trays import bends_within_radius, routes_follow_trays, trays_within_fill
from planner.check.work import crews_in_one_place, long_before_short, work_covers_every_cable
from planner.check.workloads import jobs_as_configured, jobs_take_possible_times
from planner.check.zones import zones_within_totals
from planner.model import Plan, Violation, Violations

__all__ = ["AGAINST_SOURCE", "RULES", "Source", "check"]

OF_NETWORKS = (
    bisection_bounds_hold,
    simulation_as_configured,
    packets_are_counted_once,
    delays_in_order,
    link_loads_carry_the_packets,
    bounds_of_loads_hold,
    jobs_as_configured,
    jobs_take_possible_times,
    searches_completed,
    quantities_follow_the_records,
)
"""Rules of plans that may have no cables."""

RULES = (
    ports_used_once,
    ports_in_their_cages,
    ports_follow_their_rule,
    ends_agree_with_the_network,
    boxes_fit_their_cabinets,
    cabinets_within_limits,
    objective_adds_up,
    zones_within_totals,
    routers_spread_as_configured,
    no_cabinet_parts_the_rest,
    pdus_within_limits,
    airflow_is_consistent,
    cabinets_fitted_as_configured,
    cables_leave_by_their_side,
    plugs_draw_their_power,
    stages_by_distance,
    lengths_explained,
    routes_follow_trays,
    parts_cover_their_cables,
    assemblies_from_the_catalog,
    shortest_length_bought,
    cheapest_part_bought,
    pieces_are_consistent,
    pieces_numbered_in_order,
    legs_only_where_carried,
    trunks_cover_their_links,
    bundles_follow_their_kind,
    panels_and_trunks_are_bought,
    bundlings_add_up,
    largest_bundles_listed,
    prices_add_up,
    shortest_routes_add_up,
    trays_within_fill,
    bottleneck_is_proven,
    bends_within_radius,
    labels_unique,
    labels_legible,
    labels_follow_their_template,
    bill_complete,
    links_as_short_as_required,
    work_covers_every_cable,
    tasks_add_up,
    work_follows_the_study,
    crews_take_the_next_task,
    long_before_short,
    crews_in_one_place,
    near_misses_add_up,
    moves_save_stated_amounts,
    delays_of_cables,
    slowest_path_is_valid,
    delays_of_all_pairs,
    failures_of_the_plan,
    failures_examined_in_detail,
    *OF_NETWORKS,
)
"""Rules of consistency among the records of a plan."""

AGAINST_SOURCE = (records_follow_the_study, fec_as_configured, bill_lines_add_up, bill_follows_its_terms)
"""Rules that compare a plan with its study."""


def check(plan: Plan, source: Source | None = None) -> Violations:
    """Return every broken design rule of a plan.

    Parameters
    ----------
    source
        What the study alone decides, built again; without it the plan is held against itself only.
    """
    found = [*references_resolve(plan)]
    checked = [references_resolve]
    if not found:
        rules = OF_NETWORKS if plan.cables is None else RULES
        for rule in rules:
            found += _evaluated(rule, plan)
        checked += rules
    if source is not None:
        against = AGAINST_SOURCE if plan.cables is not None and len(checked) > 1 else AGAINST_SOURCE[:1]
        for rule in against:
            found += _evaluated(rule, plan, source)
        checked += against
        found += _stored(plan.violations, checked, found)
    return Violations(checked=tuple(rule.__name__ for rule in checked), items=tuple(found))


def _stored(stored: Violations | None, checked: list[Callable], found: list[Violation]) -> list[Violation]:
    """The stored violations of a plan are those found now."""
    names = tuple(rule.__name__ for rule in checked)
    if stored is None or (stored.checked, stored.items) == (names, tuple(found)):
        return []
    message = f"states {len(stored.items)} violations of {len(stored.checked)} rules: run the study again"
    return [error("stored_violations", "the plan", len(stored.items), len(found), "violations", message)]


def _evaluated(rule: Callable[..., Iterator[Violation]], *given: object) -> list[Violation]:
    """Return the violations of a rule; a rule that cannot be evaluated on a damaged plan is a violation as well."""
    try:
        return list(rule(*given))
    except Exception as failure:  # a damaged plan may fail in any way
        message = f"cannot be evaluated: {type(failure).__name__}: {str(failure)[:200]}"
        return [error(rule.__name__, "the whole plan", 0, 0, "", message)]
