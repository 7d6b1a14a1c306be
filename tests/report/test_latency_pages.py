"""The pages of delays and of failure domains, read back from the file as text."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from shared.paper import printed
from shared.small_plans import lonely, make_plan, measured

from planner.design.failures import failures
from planner.design.latency import latency
from planner.domain import catalog
from planner.domain.model import Domain

CHAPTERS = ("Hops and delays", "Failure domains")


def with_failures(plan, **options):
    made = failures(plan.topology, plan.inventory, plan.room, plan.placement, plan.cables, seed=1, **options)
    return measured(replace(plan, failures=made))


def with_latency(plan, **options):
    models = catalog.rows("delay_model")
    return measured(replace(plan, latency=latency(plan.topology, plan.inventory, plan.cables, models, seed=1, **options)))


@pytest.fixture(scope="module")
def whole(plan):
    unit = Domain("PDU", "feed A", routers=np.array([0, 1]))
    return with_failures(with_latency(plan, fec="auto"), domains=(unit,))


@pytest.fixture(scope="module")
def paper(whole, tmp_path_factory):
    return printed(whole, tmp_path_factory.mktemp("latency"))


def lines(paper, chapter):
    return paper.chapter(chapter).split("\n")


@pytest.mark.slow
def test_each_class_lists_the_parts_of_its_delay(whole, paper):
    text = lines(paper, "Hops and delays")
    found = whole.latency
    for number in np.flatnonzero(found.class_pairs):
        line = next(line for line in text if line.startswith(found.class_names[number]) and "." in line)
        for part in found.class_parts_ps[number]:
            if part:
                assert f"{part / 1000:,.1f}" in line
        assert f"{found.class_mean_ps[number] / 1000:,.1f}" in line
    # All cables here are of 400 Gb/s.
    assert sum("fec-kp4" in line and "150.0" in line for line in text) == len(whole.cables.assemblies)


@pytest.mark.slow
def test_the_last_hop_of_the_worst_path_has_its_delay(whole, paper):
    text = lines(paper, "Hops and delays")
    start = text.index("Maximum delay, hop by hop")
    steps = [line for line in text[start:] if line.startswith(tuple(f"{n} R" for n in range(1, 9)))]
    assert len(steps) == len(whole.latency.worst_path)
    assert steps[-1].endswith(f"{whole.latency.worst_ps / 1000:,.1f}")
    for link, line in zip(whole.latency.worst_links, steps[1:], strict=True):
        assert f" {link + 1} " in line


def test_the_worst_domain_of_every_kind_is_listed(whole, paper):
    text = paper.chapter("Failure domains")
    for kind in whole.failures.kinds[1:]:
        worst = whole.failures.of(kind)[0]
        assert f"worst {kind}" in text
        assert str(whole.failures.names[worst]) in text
        assert f"{whole.failures.lost_percent[worst]:.2f} % of all pairs" in text
    lower, upper = whole.failures.bisection_lower[0], whole.failures.bisection_upper[0]
    whole_network = next(line for line in text.split("\n") if line.startswith("nothing failed"))
    assert str(upper) in whole_network
    assert str(lower) in whole_network


@pytest.mark.slow
def test_samples_mark_estimates_and_bounds(plan, tmp_path):
    part = with_latency(plan, sources=20)
    text = printed(part, tmp_path).chapter("Hops and delays")
    assert f"at least {part.latency.worst_ps / 1000:,.1f}" in text
    assert f"± {part.latency.mean_error_ps / 1000:.1f} ns" in text
    assert "20 of 50 routers, at random" in text
    assert "lower bound of the maximum" in text


@pytest.mark.slow
def test_plans_without_links_or_endpoints_print(tmp_path):
    bare = with_failures(make_plan(simulate=False, network=lonely()))
    text = "\n".join(printed(bare, tmp_path / "lonely").pages)
    assert "Maximum delay, hop by hop" not in text
    silent = with_failures(make_plan(family="torus", simulate=False, sizes=[4], endpoints_per_router=0))
    assert "Of the ordered pairs of routers" in printed(silent, tmp_path / "silent").chapter("Failure domains").replace("\n", " ")


def test_no_text_leaves_the_page_or_overlaps_another(paper):
    assert not paper.faults
