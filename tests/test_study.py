"""Study files: checked as a whole, every fault with its line."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.commands.new import TEMPLATE
from planner.core import storage
from planner.core.errors import InputError
from planner.studies import study

TEXT = TEMPLATE.format(name="mine")
ALGORITHM = 'algorithm = "auto"'


def load(tmp_path, text, changes=()):
    path = tmp_path / "study.toml"
    path.write_text(text)
    return study.load(path, changes)


def complaints(tmp_path, text, changes=()):
    with pytest.raises(InputError) as caught:
        load(tmp_path, text, changes)
    return [str(problem) for problem in caught.value.problems]


def test_the_template_is_a_study(tmp_path):
    made = load(tmp_path, TEXT)
    assert made.name == "mine"
    assert made.sections["topology"] == {"family": "slimfly", "q": 5, "endpoints_per_router": 4, "improve": None}
    assert made.sections["placement"]["algorithm"] == "auto"
    assert made.sections["placement"]["bounds"] is True, "defaults are filled in"
    assert made.sections["cabling"]["slack"].loop_mm == 500


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("q = 5", 'q = "5"', "topology.q: must be a valid integer"),
        ("q = 5", "qq = 5", "topology.qq: slimfly has no such key; did you mean q?"),
        ('family = "slimfly"', 'family = "slimflie"', "did you mean slimfly?"),
        (ALGORITHM, "mooves = 200_000\n" + ALGORITHM, "placement.mooves: auto has no such key; did you mean moves?"),
        (ALGORITHM, "moves = -1\n" + ALGORITHM, "placement.moves: must be greater than or equal to 0"),
        (ALGORITHM, 'algorithm = "aneal"', "placement.algorithm: there is no placement 'aneal'; did you mean anneal?"),
        (
            'objective = "price"',
            'objective = "prise"',
            "placement.objective: must be 'price', 'length', 'power' or 'delay', not 'prise'",
        ),
        (
            'objective = "price"',
            "objective = {price = -1}",
            "placement.objective.price: must be greater than or equal to 0, not -1",
        ),
        ("[cabling.slack]", "[cabling.slak]", "cabling.slak: cabling has no such key"),
        ("end_mm = 300", "end_mm = -1", "cabling.slack.end_mm: must be greater than or equal to 0"),
        ("[room]", "[rooms]", "rooms: a study has no such key or section; did you mean room?"),
        ('formats = ["pdf", "xlsx", "csv"]', 'formats = ["pdv"]', "report.formats: there is no report 'pdv'; did you mean pdf?"),
        ("seed = 1", "seed = -1", "seed: must not be negative"),
        ("seed = 1", "seed = true", "seed: must be an integer"),
        ('name = "mine"', 'name = "a/b"', "cannot be a file name"),
        ("loads = [0.1, 0.3, 0.5, 0.7, 0.9]", "loads = [1.5]", "simulation.loads.0: must be less than or equal to 1"),
        ("loads = [0.1, 0.3, 0.5, 0.7, 0.9]", "loads = []", "simulation.loads"),
        ('router = "nvidia-sb7800"', "", "catalog.router: catalog needs this key"),
    ],
)
def test_every_fault_is_named_with_its_line(tmp_path, old, new, message):
    assert old in TEXT
    found = complaints(tmp_path, TEXT.replace(old, new))
    assert any(message in line for line in found), found
    line = next((n for n, text in enumerate(TEXT.replace(old, new).splitlines(), 1) if new and new.splitlines()[0] in text), 0)
    if line:
        assert any(f"study.toml:{line}:" in text for text in found), found


@pytest.mark.slow
def test_all_faults_at_once(tmp_path):
    text = TEXT.replace("q = 5", "q = 5.5").replace(ALGORITHM, "mooves = 1").replace("seed = 1", "seed = -1")
    found = complaints(tmp_path, text)
    assert [line.split(": ")[1] for line in found] == ["seed", "topology.q", "placement.mooves"]


def test_a_wrong_name_does_not_hide_the_rest_of_its_section(tmp_path):
    changes = ['cabling.bundling="lom"', "cabling.slack_mm=5", 'placement.packing="tight"', "placement.mooves=1"]
    found = complaints(tmp_path, TEXT, changes)
    places = ("placement.packing", "placement.mooves", "cabling.bundling", "cabling.slack_mm")
    assert len(found) == len(places), found
    assert all(f"{place}: " in line for place, line in zip(places, found, strict=True)), found


def test_single_values_can_be_replaced(tmp_path):
    assert load(tmp_path, TEXT, ["topology.q=7"]).sections["topology"]["q"] == 7
    assert load(tmp_path, TEXT, ["seed=9"]).seed == 9
    assert load(tmp_path, TEXT, ["simulation.loads=[0.5]"]).sections["simulation"]["loads"] == (0.5,)
    assert "is not KEY=VALUE" in complaints(tmp_path, TEXT, ["topology.q"])[0]
    assert "is not a section" in complaints(tmp_path, TEXT, ["seed.x=1"])[0]


def test_empty_and_missing_files(tmp_path):
    assert {line.split(": ")[1] for line in complaints(tmp_path, "")} == {"topology", "catalog", "room"}
    with pytest.raises(InputError, match="cannot be read"):
        study.load(tmp_path / "nowhere")


@pytest.mark.slow
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.integers(0, len(TEXT.splitlines()) - 1),
    st.sampled_from(
        ["", "x = 1", "[x]", "[", "= 3", "q = []", "plan = 3", "seed = 1e9", "formats = 3", "slack = 1", "loads = [[]]"]
    ),
)
def test_any_line_replaced_gives_a_study_or_an_input_error(tmp_path, line, text):
    lines = TEXT.splitlines()
    lines[line] = text
    try:
        made = load(tmp_path, "\n".join(lines))
    except InputError as error:
        assert error.problems
        return
    assert made.sections["topology"]["family"]


def test_an_expanded_study_is_written_and_read_again(tmp_path):
    """Keys inside tables that have no value, such as the ranks of a job, are left out of the file."""
    jobs = '[workload]\njobs = [{motif = "allreduce"}]\n[[cooling.units]]\npart = "ibm-rear-door"\n'
    made = load(tmp_path, TEXT + jobs)
    storage.write_toml(made.expanded(), tmp_path / "again.toml")
    assert study.load(tmp_path / "again.toml").expanded() == made.expanded()
