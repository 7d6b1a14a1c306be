"""The flow: same seed, same result; stages are stored, taken over, and survive a kill."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pytest

from planner import __version__
from planner.commands.console.cli import main
from planner.commands.new import TEMPLATE
from planner.core import shipped, storage
from planner.core.errors import Infeasible, InputError
from planner.core.executors.forks import AVAILABLE, Forks
from planner.design.cabling import stages
from planner.domain import stored
from planner.domain.model import Violations
from planner.studies import pipeline, study
from planner.studies.folder import Folder
from planner.studies.stages import STAGES

TEXT = (
    TEMPLATE.format(name="tiny")
    .replace("q = 5", "q = 3")
    .replace('algorithm = "auto"', 'algorithm = "anneal"\nmoves = 2_000')
    .replace("[0.1, 0.3, 0.5, 0.7, 0.9]", "[0.2, 0.6]\ncycles = 500\nmax_cycles = 500")
    .replace('["pdf", "xlsx", "csv"]', '["csv"]')
    .replace("# [workload] ", "[workload] ")
    .replace('# jobs = [{motif = "allreduce", ranks = 128}', 'jobs = [{motif = "allreduce", ranks = 4}')
    .replace('{motif = "alltoall", ', '{motif = "alltoall", ranks = 3, ')
)
TORUS = TEXT.replace('"slimfly"', '"torus"').replace("q = 3", "sizes = [4, 3]").replace("= 4   ", "= 2   ")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "study.toml").write_text(TEXT)
    return tmp_path


def fingerprints(plan):
    return {name: stage["fingerprint"] for name, stage in plan.provenance["stages"].items()}


@pytest.mark.slow
def test_a_run_leaves_everything_that_a_report_needs(folder):
    plan = pipeline.run(folder)
    names = {path.name for path in folder.iterdir()}
    assert names == {f"{stage}.npz" for stage in STAGES if stage not in ("kept", "reserved")} | {
        "study.toml", "quantities.json", "violations.json", "provenance.json", "tiny.csv",
    }  # fmt: skip
    again = stored.restore(folder)
    assert again.quantities == plan.quantities == json.loads((folder / "quantities.json").read_text())
    assert again.cables.fingerprint == plan.cables.fingerprint
    assert again.title == plan.title
    assert plan.violations.errors == ()


@pytest.mark.slow
def test_results_elsewhere_have_a_study_of_their_own(folder, tmp_path_factory):
    room = (shipped.folder("floorplans") / "lab.toml").read_text()
    (folder / "mine.toml").write_text(room)
    (folder / "study.toml").write_text(TEXT.replace('plan = "lab"', 'plan = "mine.toml"'))
    out = tmp_path_factory.mktemp("elsewhere")
    first = pipeline.run(folder, out=out)
    again = pipeline.run(out, resume=False)
    assert fingerprints(again) == fingerprints(first)
    assert again.study == first.study


@pytest.mark.slow
def test_a_network_from_a_file_next_to_the_study(folder):
    """A changed file is read again, although the study is the same."""
    (folder / "ring.edges").write_text("0 1\n1 2\n2 3\n3 0\n")
    network = '[topology]\nfamily = "file"\npath = "ring.edges"\nendpoints_per_router = 4\n\n'
    (folder / "study.toml").write_text(TEXT[: TEXT.index("[topology]")] + network + TEXT[TEXT.index("[catalog]") :])
    assert pipeline.run(folder).quantities["links"]["value"] == 4
    (folder / "ring.edges").write_text("0 1\n1 2\n2 3\n3 0\n0 2\n")
    assert pipeline.run(folder).quantities["links"]["value"] == 5
    (folder / "ring.edges").write_text("0 1\n1 0 0 0 x\n")
    with pytest.raises(InputError, match=r"ring\.edges:2"):
        pipeline.run(folder)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_plan(folder, tmp_path_factory):
    first = fingerprints(pipeline.run(folder))
    second = fingerprints(pipeline.run(folder, out=tmp_path_factory.mktemp("second")))
    assert first == second
    (folder / "study.toml").write_text(TEXT.replace("seed = 1", "seed = 2"))
    third = fingerprints(pipeline.run(folder, out=tmp_path_factory.mktemp("third")))
    assert third["topology"] == first["topology"]
    assert third["simulation"] != first["simulation"]


@pytest.mark.slow
def test_the_cables_of_the_final_layout_are_those_of_the_placement(folder, tmp_path, monkeypatch):
    """Also where both stages run in processes of their own: the file counts cable plans of all processes."""
    calls = tmp_path / "calls"

    def counted(*args, **kwargs):
        with calls.open("a") as file:
            file.write("a cable plan\n")
        return stages(*args, **kwargs)

    monkeypatch.setattr("planner.design.cabling.stages", counted)
    pipeline.run(folder, out=tmp_path / "placed", until="placement")
    expected = calls.read_text()
    calls.unlink()
    pipeline.run(folder, out=tmp_path / "alone", until="cables")
    assert calls.read_text() == expected
    if AVAILABLE:
        calls.unlink()
        with Forks(2) as forks:
            pipeline.run(folder, out=tmp_path / "forks", until="cables", executor=forks)
        assert calls.read_text() == expected


@pytest.mark.nightly
def test_executors_change_nothing(folder, tmp_path_factory):
    alone = fingerprints(pipeline.run(folder))
    with ThreadPoolExecutor(2) as threads:
        assert fingerprints(pipeline.run(folder, out=tmp_path_factory.mktemp("threads"), executor=threads)) == alone
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert fingerprints(pipeline.run(folder, out=tmp_path_factory.mktemp("processes"), executor=processes)) == alone


@pytest.mark.slow
@pytest.mark.skipif(not AVAILABLE, reason="processes cannot be forked safely")
def test_stages_side_by_side_give_the_same_bytes(folder, tmp_path_factory):
    source, both, again = study.load(folder, ['report.formats=["pdf", "xlsx", "csv"]']), *map(tmp_path_factory.mktemp, "12")
    plan = pipeline.run(source)
    with Forks(2) as forks:
        stages = []
        pipeline.run(source, out=both, executor=forks, progress=lambda stage, done, total, **facts: stages.append((stage, done)))
        shutil.copytree(both, again, dirs_exist_ok=True)
        reused = []
        noted = lambda stage, done, total, **facts: reused.append(stage) if facts.get("stored") else None  # noqa: E731
        pipeline.run(source, out=again, executor=forks, progress=noted)
    assert {name for name in plan.provenance["stages"]} | {"report"} <= {stage for stage, done in stages if done}
    assert set(reused) == {name for name in plan.provenance["stages"] if STAGES[name].stored}
    names = {path.name for path in folder.iterdir()} - {"provenance.json", "study.toml"}
    assert names > {"tiny.pdf", "tiny.xlsx", "tiny.csv", "cables.npz", "quantities.json"}
    for other in (both, again):
        assert all((other / name).read_bytes() == (folder / name).read_bytes() for name in names)
        assert fingerprints(stored.restore(other)) == fingerprints(plan)


@pytest.mark.slow
@pytest.mark.skipif(not AVAILABLE, reason="processes cannot be forked safely")
def test_the_verifier_sees_the_records_of_all_stages(folder, monkeypatch):
    def seen(run):
        (folder / "seen.json").write_text(json.dumps(list(run.records)))
        return Violations((), ())

    monkeypatch.setitem(STAGES, "violations", replace(STAGES["violations"], run=seen))
    with Forks(2) as forks:
        pipeline.run(folder, executor=forks)
    assert set(json.loads((folder / "seen.json").read_text())) == set(STAGES) - {"kept", "reserved", "violations"}


@pytest.mark.skipif(not AVAILABLE, reason="processes cannot be forked safely")
def test_an_error_of_a_forked_stage_is_that_of_the_stage(folder, monkeypatch):
    def fail(run):
        raise Infeasible("the slots cannot carry the cabinets")

    stage = STAGES["placement"]
    monkeypatch.setattr("planner.studies.stages.STAGES", STAGES | {"placement": replace(stage, run=fail)})
    with Forks(2) as forks, pytest.raises(Infeasible, match="cannot carry"):
        pipeline.run(folder, executor=forks)
    # What does not need it may be finished.
    inputs = {name for name, each in STAGES.items() if each.is_input and each.section and not each.section.optional}
    stored = {path.stem for path in folder.glob("*.npz")}
    assert inputs | {"inventory"} <= stored | {"kept", "reserved"}
    assert not stored & {"placement", "cables", "latency"}


@pytest.mark.nightly
def test_the_compiler_changes_nothing(folder, tmp_path_factory):
    (folder / "study.toml").write_text(TORUS)
    out = tmp_path_factory.mktemp("plain")
    small = ["simulation.cycles=60", "simulation.warmup=40", "simulation.max_cycles=60", "simulation.loads=[0.2]"]
    small += ["placement.moves=200"]
    compiled = fingerprints(pipeline.run(study.load(folder, small), out=tmp_path_factory.mktemp("compiled")))
    options = [word for change in small for word in ("--set", change)]
    command = [sys.executable, "-m", "planner", "run", str(folder), "--out", str(out), "--quiet", *options]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    assert fingerprints(stored.restore(out)) == compiled


@pytest.mark.slow
def test_finished_stages_are_taken_over(folder):
    pipeline.run(folder)
    stages = []
    pipeline.run(folder, progress=lambda stage, done, total, **facts: stages.append(stage) if facts.get("stored") else None)
    assert stages == [name for name, stage in STAGES.items() if stage.stored]


@pytest.mark.slow
def test_a_changed_section_runs_what_depends_on_it(folder):
    pipeline.run(folder)
    (folder / "study.toml").write_text(TEXT.replace("loop_mm = 500", "loop_mm = 600"))
    taken = []
    pipeline.run(folder, progress=lambda stage, done, total, **facts: taken.append(stage) if facts.get("stored") else None)
    # The bisection is the network's alone.
    assert taken == ["topology", "inventory", "bisection"]


@pytest.mark.slow
def test_a_damaged_stage_is_made_again(folder):
    first = fingerprints(pipeline.run(folder))
    (folder / "cables.npz").write_bytes(b"damaged")
    assert fingerprints(pipeline.run(folder)) == first


@pytest.mark.slow
def test_until_stops_and_a_later_run_goes_on(folder):
    part = pipeline.run(folder, until="placement")
    assert part.cables is None
    assert not (folder / "cables.npz").exists()
    assert stored.restore(folder).placement.fingerprint == part.placement.fingerprint
    assert pipeline.run(folder).placement.fingerprint == part.placement.fingerprint
    with pytest.raises(InputError, match="did you mean placement"):
        pipeline.run(folder, until="placment")


NETWORK = """
name = "net"
[topology]
family = "jellyfish"
routers = 10
degree = 3
endpoints_per_router = 1
graph_seed = 1
"""


@pytest.fixture
def network(tmp_path):
    (tmp_path / "study.toml").write_text(NETWORK)
    pipeline.run(tmp_path, until="bisection")
    return tmp_path


@pytest.mark.slow
def test_a_plan_of_files_from_two_runs_is_refused_and_repaired(network, capsys):
    (network / "study.toml").write_text(NETWORK.replace("\ngraph_seed = 1", "\ngraph_seed = 2"))
    kept = (network / "topology.npz").read_bytes()
    pipeline.run(network, until="bisection")
    (network / "topology.npz").write_bytes(kept)
    for command in ("report", "check"):
        assert main([command, str(network)]) == 2
        message = capsys.readouterr().err
        assert "topology.npz: has fingerprint" in message
        assert f"planner run {network}" in message
    edited = stored.restore(network, edited=True)
    assert edited.topology.fingerprint == storage.restore(type(edited.topology), network / "topology.npz").fingerprint
    again = pipeline.run(network, until="bisection")
    assert stored.restore(network).topology.fingerprint == again.topology.fingerprint != edited.topology.fingerprint


def test_a_plan_of_an_earlier_version_is_accepted_unless_edited(network, capsys):
    file = network / "provenance.json"

    def stated(**facts):
        content = json.loads(file.read_text())
        file.write_text(json.dumps(content | facts))
        code = main(["report", str(network), "--format", "edge_list"])
        return code, capsys.readouterr().err

    for facts in ({"planner": "0.0.9"}, {"planner": None}, {"planner": __version__, "source": "0123456789abcdef"}):
        assert stated(**facts)[0] == 0
    stages = json.loads(file.read_text())["stages"]
    stages["topology"]["fingerprint"] = "0" * 16
    code, message = stated(stages=stages)
    assert code == 2
    assert "topology.npz: has fingerprint" in message
    assert f"planner run {network}" in message


@pytest.mark.slow
def test_a_run_that_is_killed_while_it_takes_stages_over_loses_none(folder, monkeypatch):
    """The death comes after the record of a changed stage and before its note; later stages that still hold are found."""
    pipeline.run(folder, until="bisection")
    (folder / "study.toml").write_text(TEXT.replace("loop_mm = 500", "loop_mm = 600"))

    def death(store):
        if "cables" in store.stages:
            raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "note", death)
        with pytest.raises(SystemExit):
            pipeline.run(folder)
    with pytest.raises(InputError, match=r"(placement|cables)\.npz: has fingerprint"):
        stored.restore(folder)
    taken = []
    pipeline.run(folder, until="bisection", progress=lambda s, d, t, **facts: taken.append(s) if facts.get("stored") else None)
    assert taken == ["topology", "inventory", "bisection"]
    assert stored.restore(folder).bisection is not None


@pytest.mark.slow
def test_a_resumed_run_writes_the_same_bytes(folder):
    (folder / "study.toml").write_text(TORUS.replace('formats = ["csv"]', 'formats = ["csv", "pdf", "xlsx", "html"]'))

    def written():
        pipeline.run(folder)
        names = (*("tiny." + ending for ending in ("csv", "pdf", "xlsx", "html")), "quantities.json", "violations.json")
        return {name: (folder / name).read_bytes() for name in names}

    first = written()
    assert written() == first
    (folder / "cables.npz").unlink()
    assert written() == first


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ({"name": "../../escaped"}, "cannot be a file name"),
        ({"name": 7}, "must be text"),
        ({"title": []}, "must be text"),
        ({"topology": "slimfly"}, "must be a section"),
    ],
)
def test_a_stored_study_is_checked_like_any_other(network, edit, message, capsys):
    origin = json.loads((network / "provenance.json").read_text())
    origin["study"] |= edit
    (network / "provenance.json").write_text(json.dumps(origin))
    before = {path: path.read_bytes() for path in network.parent.rglob("*") if path.is_file()}
    assert main(["report", str(network), "--format", "adjacency"]) == 2
    assert message in capsys.readouterr().err
    assert {path: path.read_bytes() for path in network.parent.rglob("*") if path.is_file()} == before


def test_a_stored_plan_without_a_stage_that_others_need_is_refused(network, capsys):
    origin = json.loads((network / "provenance.json").read_text())
    del origin["stages"]["topology"]
    origin["stages"]["cables"] = {"fingerprint": "0" * 16, "key": "0" * 16}
    (network / "provenance.json").write_text(json.dumps(origin))
    assert main(["report", str(network), "--format", "adjacency"]) == 2
    message = capsys.readouterr().err
    assert "stages.bisection: needs the stage topology, which is missing" in message
    assert "stages.cables: is no stage of a study without room" in message


@pytest.mark.slow
def test_bad_input_writes_nothing(folder):
    for old, new, message in (
        ('plan = "lab"', 'plan = "labb"', "did you mean lab"),
        ('router = "nvidia-sb7800"', 'router = "nvidia-sb7801"', "nvidia-sb7800"),
        ("q = 3", "q = 6", "nearest: 5 and 7"),
    ):
        (folder / "study.toml").write_text(TEXT.replace(old, new))
        with pytest.raises(InputError, match=message):
            pipeline.run(folder)
        assert [path.name for path in folder.iterdir()] == ["study.toml"]


@pytest.mark.slow
def test_what_does_not_fit_states_which_limit_binds(folder):
    (folder / "study.toml").write_text(TEXT.replace("q = 3", "q = 13"))
    with pytest.raises(Infeasible, match="slots too few"):
        pipeline.run(folder)


@pytest.mark.slow
def test_a_killed_run_loses_no_finished_stage(folder, tmp_path_factory):
    """Kill -9 at several moments; what is stored afterwards is whole, and the run can go on to the same end."""
    expected = fingerprints(pipeline.run(folder, out=tmp_path_factory.mktemp("undisturbed")))
    out = tmp_path_factory.mktemp("killed")
    command = [sys.executable, "-m", "planner", "run", str(folder), "--out", str(out), "--quiet"]
    for delay_s in (0.5, 1.0, 1.5):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(delay_s)
        process.send_signal(signal.SIGKILL)
        process.wait()
        for name, stage in STAGES.items():
            if (out / f"{name}.npz").exists():
                assert storage.restore(stage.record, out / f"{name}.npz").fingerprint == expected[name]
    assert fingerprints(pipeline.run(folder, out=out)) == expected


@pytest.mark.slow
def test_nothing_left_behind_when_the_disk_is_full(folder, monkeypatch):
    pipeline.run(folder, until="topology")
    before = sorted(path.name for path in folder.iterdir())

    def full(record, path):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(storage, "save", full)
    with pytest.raises(OSError, match="No space left"):
        pipeline.run(folder, resume=False)
    assert sorted(path.name for path in folder.iterdir()) == before


def test_restoring_what_is_no_plan(tmp_path):
    with pytest.raises(InputError, match="contains no plan"):
        stored.restore(tmp_path)
    (tmp_path / "provenance.json").write_text("[1]")
    with pytest.raises(InputError, match="contains no readable plan"):
        stored.restore(tmp_path)


@pytest.mark.slow
def test_the_library_and_the_command_line_agree(folder, tmp_path_factory):
    plan = pipeline.run(folder)
    out = tmp_path_factory.mktemp("cli")
    command = [sys.executable, "-m", "planner", "run", str(folder), "--out", str(out), "--json"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert json.loads(printed) == plan.quantities
    shutil.rmtree(out)
