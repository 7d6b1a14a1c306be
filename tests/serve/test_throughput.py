"""Estimates of the flow-level model over the network: the same figures as from the library, and clear refusals."""

from __future__ import annotations

import pytest
from shared.served import Hall

from planner.fabric import baseline
from planner.install.serve.doors import throughput
from planner.simulation.fluid.estimates import LOADS, Estimates


@pytest.fixture
def whole_hall(journal, finished):
    return Hall(journal, planned=baseline.read(finished))


@pytest.fixture
def visitor(whole_hall):
    return whole_hall.guest("viewer")


def test_the_figures_are_those_of_the_library(visitor, finished):
    chosen = visitor.get("/api/throughput").json()
    assert chosen["chosen"] == {"network": "", "routing": "minimal", "traffic": "uniform"}
    assert [each["routers"] for each in chosen["networks"]] == [18]
    found = visitor.get("/api/throughput/curve", params=chosen["chosen"]).json()
    expected = Estimates(baseline.read(finished).plan).curve("", "minimal", "uniform")
    assert found["saturation"] == expected.saturation
    assert found["offered"] == list(LOADS)
    # JSON has no NaN.
    assert found["delay_mean"][-1] is None
    assert found["delay_mean"][0] == expected.delay_mean[0]


def test_all_unknown_names_are_reported_at_once(visitor):
    answer = visitor.get("/api/throughput/curve", params={"routing": "minimall", "traffic": "unifrom", "network": "x"})
    assert answer.status_code == 400
    assert [each["place"] for each in answer.json()["problems"]] == ["network", "routing", "traffic"]
    assert "minimal" in answer.json()["problems"][1]["remedy"]


def test_large_networks_are_left_to_the_command_line(visitor, monkeypatch):
    monkeypatch.setattr(throughput, "MAX_ROUTERS", 17)
    answer = visitor.get("/api/throughput/curve", params={"network": "", "routing": "minimal", "traffic": "uniform"})
    assert answer.status_code == 400
    assert "18 routers" in answer.json()["problems"][0]["message"]


def test_one_estimate_at_a_time(whole_hall, visitor, monkeypatch):
    monkeypatch.setattr("planner.install.serve.doors.throughput.PATIENCE_S", 0.01)
    own = whole_hall.served.kept(throughput.Estimated)
    with own.lock:
        answer = visitor.get("/api/throughput/curve", params={"network": "", "routing": "minimal", "traffic": "uniform"})
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"


def test_a_schedule_has_no_network(hall):
    answer = hall.guest("viewer").get("/api/throughput")
    assert answer.status_code == 404
    assert "serve the folder of the plan" in answer.json()["problems"][0]["remedy"]
