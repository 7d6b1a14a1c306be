"""The verifier agrees with the stages where routers are of several parts."""

from dataclasses import replace

import numpy as np
import pytest
from shared.plans import asked, source

from planner.check import check
from planner.core.progress import silent
from planner.domain.model import Inventory, Plan
from planner.studies import pipeline
from planner.studies.stage import Run
from planner.studies.stages import stages


def mixed(inventory: Inventory) -> Inventory:
    """Every third router is slower, heavier and hotter than the others, and has one power supply."""
    router, node = inventory.parts
    other = replace(
        router, id="other", delay_ps=router.delay_ps + 77_777, mass_g=router.mass_g + 500, psu_count=1,
        power_typical_mw=router.power_typical_mw + 11_000, power_max_mw=router.power_max_mw + 22_000, price_cents=123,
    )  # fmt: skip
    part = np.where(inventory.is_router, np.arange(inventory.device_count) % 3 == 0, 2)
    return replace(inventory, parts=(router, other, node), part=part, per_box=(1, 1, inventory.per_box[1]))


def planned(name: str) -> Plan:
    """Return the plan of a study whose routers are of two parts."""
    study = asked(name)
    state = Run(study, silent, None)
    for stage, declared in stages(study).items():
        record = declared.run(state)
        state.records[stage] = mixed(record) if stage == "inventory" else record
    return pipeline.plan_of(state, {})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain", "two halls"])
def test_only_the_parts_differ_from_the_study(name):
    plan = planned(name)
    found = {item.rule for item in check(plan, source(name)).items}
    assert found <= {"devices_follow_the_network", "airflow_is_consistent"}
    assert "devices_follow_the_network" in found
    delays = plan.inventory.of_routers("delay_ps")
    assert plan.latency.router_delay_ps == delays.max() > delays.min()
