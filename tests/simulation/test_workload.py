"""Jobs of a study: what they take, and what is refused."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from shared.networks import network, reference, ring

from planner.core.errors import InputError
from planner.domain.model import Plan
from planner.domain.quantities import measure
from planner.simulation.replay import run_motif
from planner.simulation.workload import Job, workload
from planner.studies import pipeline, study

ROUTERS = {"router_delay_ps": 0, "rate_gbps": 400, "preset": "caminos"}


def ran(topology, *jobs, **settings):
    delays = np.zeros(topology.link_count + topology.endpoint_count, np.int64)
    return workload(topology, delays, seed=1, jobs=jobs, **(ROUTERS | settings))


@pytest.mark.slow
def test_jobs_are_those_of_the_motifs():
    topology = reference("sf5")
    jobs = (Job("allreduce", 16), Job("alltoall", 20, "random", {"bytes": 2048}), Job("broadcast"))
    result = ran(topology, *jobs)
    delays = np.zeros(topology.link_count + topology.endpoint_count, np.int64)
    for n, job in enumerate(jobs):
        alone = run_motif(
            topology, delays, seed=1, motif=job.motif, ranks=job.ranks, placement=job.placement,
            motif_parameters=job.motif_parameters, **ROUTERS,
        )  # fmt: skip
        assert result.completion_cycles[n] == alone.completion_cycles >= alone.bound_cycles == result.bound_cycles[n] > 0
        assert result.bytes[n] == alone.bytes.sum()
        assert result.delay_max[n] == alone.delay.max()
    assert result.ranks.tolist() == [16, 20, 200]
    assert result.motifs == ("allreduce", "alltoall", "broadcast")
    assert result.finished.all()
    assert measure(Plan("x", "x", {}, workload=result))["workload_ns"]["value"] == round(result.completion_cycles.sum() * 1.28)


@pytest.mark.nightly
def test_other_processes_give_the_same():
    jobs = (Job("allreduce", 8), Job("alltoall", 8))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert ran(ring(8, 1), *jobs, executor=pool).fingerprint == ran(ring(8, 1), *jobs).fingerprint


def test_two_ranks_by_hand():
    """A broadcast of 3 packets over one link: cables 1 each, the last phit 3 · 16 cycles after the first."""
    result = ran(network([(0, 1)], [0, 1]), Job("broadcast", 2, motif_parameters={"bytes": 3 * 1024}))
    assert result.completion_cycles.tolist() == result.bound_cycles.tolist() == [1 + 1 + 1 + 3 * 16 - 1]


def test_a_job_that_does_not_fit_is_named():
    with pytest.raises(InputError, match=r"jobs\.1\.ranks: 9 ranks exceed 8 endpoints"):
        ran(ring(8, 1), Job("allreduce", 4), Job("allreduce", 9))


STUDY = """
name = "jobs"
[topology]
family = "hypercube"
dimensions = 4
endpoints_per_router = 1
[workload]
preset = "caminos"
link_gbps = 400
[[workload.jobs]]
motif = "trace"
ranks = 4
motif_parameters = {file = "messages.csv"}
"""
TRACE = "id,source,target,bytes,compute_ns,after\na,0,3,1024,0,\nb,3,1,{size},0,a\n"


def written(folder, text=STUDY):
    (folder / "study.toml").write_text(text)
    return folder


def test_a_trace_is_found_next_to_its_study_and_reread_when_it_changes(tmp_path):
    (tmp_path / "messages.csv").write_text(TRACE.format(size=1024))
    written(tmp_path)
    short = pipeline.run(study.load(tmp_path), out=tmp_path / "out").workload
    assert short.messages.tolist() == [2]
    (tmp_path / "messages.csv").write_text(TRACE.format(size=102_400))
    assert pipeline.run(study.load(tmp_path), out=tmp_path / "out").workload.completion_cycles[0] > short.completion_cycles[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('motif = "trace"', 'motif = "trase"'), r"jobs\.0\.motif: there is no motif 'trase'; did you mean trace"),
        (("file = ", "fill = "), r"jobs\.0\.motif_parameters\.fill: trace has no such key; did you mean file"),
        (("ranks = 4", "ranks = 0"), r"jobs\.0\.ranks: must be greater than or equal to 1"),
        (("link_gbps = 400", ""), r"workload\.link_gbps: the link rate is undefined without catalog and room"),
        (('preset = "caminos"', ""), r"workload\.link_cycles: the cable delay is undefined without catalog and room"),
        (("[[workload.jobs]]", "[[workload.job]]"), r"workload\.jobs: workload needs this key"),
    ],
)
def test_bad_sections_are_refused_before_anything_runs(tmp_path, change, words):
    with pytest.raises(InputError, match=words):
        study.load(written(tmp_path, STUDY.replace(*change)))
