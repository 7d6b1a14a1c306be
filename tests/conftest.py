"""Plans and records that many tests share; small enough to check by hand."""

from __future__ import annotations

import gc
import os
import signal
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from shared.first_kernels import compile_side_by_side
from shared.plan_study import study_of
from shared.tenths import VARIABLE, left_out

from planner.check import check
from planner.design.bill import bill
from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.latency import latency
from planner.design.placement import place
from planner.design.work import work
from planner.domain import catalog
from planner.domain.model import PanelPlan, Plan
from planner.domain.quantities import measure
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology

# Ctrl-C reaches tests and their processes also where a shell that runs them in the background ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Machines are busy and noisy: time proves nothing. In CI the examples are the same on every run. Tests that need more set it.
settings.register_profile(
    "planner",
    max_examples=25,
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("planner")
# Hypothesis also draws constants that it finds in the code, and parses every module for them: seconds in each process, and the
# examples depend on which modules are imported. There is no public setting.
providers._get_local_constants = lambda: providers._local_constants


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes():
    """Compile before the workers start: at their start all of them would compile the same kernels."""
    compile_side_by_side()


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep the modules and tests, which stay, from the garbage collector: it takes a seventh of the time otherwise."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        # Plans are many small objects without cycles.
        gc.set_threshold(100_000)


class _Examples:
    """Look for examples only where there are some: doctest searches every name of every module."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path):
        found = yield
        if file_path.suffix == ".py" and b">>> " not in file_path.read_bytes():
            return [node for node in found if type(node) is pytest.Module]
        return found


def pytest_configure(config):
    # Hooks of this file are called for its folder alone; those of a plugin for the package as well.
    config.pluginmanager.register(_Examples())
    if VARIABLE in os.environ and config.option.markexpr == "not nightly":
        config.option.markexpr = ""


def pytest_collection_modifyitems(config, items):
    """Leave nightly tests out but for one tenth of them, where the environment names one."""
    if VARIABLE not in os.environ or config.option.markexpr:
        return
    nodes = [(item.nodeid, item.get_closest_marker("nightly") is not None) for item in items]
    out = left_out(nodes, int(os.environ[VARIABLE]))
    config.hook.pytest_deselected(items=[item for item, away in zip(items, out, strict=True) if away])
    items[:] = [item for item, away in zip(items, out, strict=True) if not away]


@pytest.fixture(scope="session")
def edr():
    """InfiniBand EDR parts."""
    return catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")


@pytest.fixture(scope="session")
def lab():
    return floor.room("lab", routers=1)


@pytest.fixture(scope="session")
def lab_lengths(lab, edr):
    return Lengths(lab, edr.cabinet, Slack())


@pytest.fixture(scope="session")
def small_plan(edr, lab, lab_lengths):
    """Slim Fly q = 5 with 4 endpoints per router in the laboratory, placed in order; no simulation."""
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    placed = place(network, edr, lab_lengths, seed=1, algorithm="identity")
    cables = cable(inventory(network, edr), edr, placed, lab_lengths)
    paid = bill(inventory(network, edr), edr, placed, cables, room=lab, rows=catalog.rows)
    made = Plan(
        "small",
        "Small plan",
        study_of(),
        catalog=edr,
        room=lab,
        topology=network,
        inventory=inventory(network, edr),
        placement=placed,
        cables=cables,
        bill=paid,
    )
    made = replace(
        made,
        latency=latency(network, made.inventory, cables, seed=1),
        work=work(edr, cables, PanelPlan.none(), lab.segment_mm, crews=3),
    )
    made = replace(made, violations=check(made))
    return replace(made, quantities=measure(made))


@pytest.fixture(scope="session")
def tools():
    """The real tools of InfiniBand fabrics, and their simulator."""
    from shared.simulated_fabric import require_tools

    require_tools()
