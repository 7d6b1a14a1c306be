import pytest
from shared.small_plans import make_plan


@pytest.fixture(scope="session")
def plan():
    """A Slim Fly in five cabinets, simulated, without violations."""
    return make_plan(q=5, endpoints_per_router=2)
