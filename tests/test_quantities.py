"""Every quantity reads the records that it names and no others."""

from dataclasses import fields, replace

import pytest
from shared.plans import grown, planned

from planner.quantities import QUANTITIES
from planner.record import Record


@pytest.mark.slow
@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda quantity: quantity.name)
def test_a_quantity_needs_the_records_that_it_names(quantity):
    needs = quantity.needs.split()
    plan = grown() if "kept" in needs else planned("plain")
    assert all(getattr(plan, name) is not None for name in needs)
    others = [spec.name for spec in fields(plan) if isinstance(getattr(plan, spec.name), Record) and spec.name not in needs]
    alone = replace(plan, **dict.fromkeys(others))
    assert quantity.of(alone) == quantity.of(plan)
