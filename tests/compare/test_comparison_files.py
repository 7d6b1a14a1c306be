"""Comparison files: all that is wrong is told at once, with file, line and remedy, and nothing is written."""

import pytest

from planner import compare
from planner.cli import main
from planner.compare.cases import cases
from planner.errors import InputError


def problems(path, changes=()):
    with pytest.raises(InputError) as caught:
        cases(compare.load(path, changes))
    return [str(problem) for problem in caught.value.problems]


def test_all_of_the_head_at_once(small):
    text = small.read_text().replace("endpoints = 60", "endpoint = 60\nseeds = 3\nformats = ['csw']\nobjectives = ['speed']")
    small.write_text(text.replace('["slimfly", "torus", "quadrangle"]', '["slimfli"]'))
    found = "\n".join(problems(small))
    assert f"{small}:3: endpoint: a comparison has no such key or section; did you mean endpoints?" in found
    assert "seeds: a comparison has no such key" in found
    assert "objectives.0" in found
    assert "'speed'" in found


def test_contradictions(small):
    text = small.read_text().replace("endpoints = 60", "endpoints = [90, 60]\ntrimmed = true\nformats = ['csw']")
    text = text.replace('["slimfly", "torus", "quadrangle"]', '["slimfli"]').replace(
        'label = "too large"', 'label = "dragonfly a = 4"'
    )
    small.write_text(text.replace("[room]\nplan", "[rooms]\nplan"))
    found = "\n".join(problems(small))
    for words in (
        "endpoints: 90 is above 60; write the smaller one first",
        "trimmed: a range says what is left to it",
        "there is no family 'slimfli'; did you mean slimfly?",
        "there is no format 'csw'; did you mean csv?",
        "network: two are called 'dragonfly a = 4'",
        "rooms: a comparison has no such key or section; did you mean room?",
        "room: a comparison needs this section",
    ):
        assert words in found, words


def test_sections_networks_and_simulations_at_once(small):
    text = small.read_text().replace("moves = 2000", "mooves = 2000").replace("h = 2,", "hh = 2,")
    text = text.replace('routings = ["ugal"]', 'routings = ["ugal"]\nloadz = [0.1]')
    small.write_text(text)
    found = problems(small)
    assert len(found) == len(set(found))
    whole = "\n".join(found)
    lines = text.splitlines()
    assert f"{small}:{lines.index('mooves = 2000') + 1}: placement.mooves: anneal has no such key; did you mean moves?" in whole
    assert "network.0.topology.hh: dragonfly has no such key" in whole
    assert f"{small}:{lines.index('loadz = [0.1]') + 1}: simulation.1.loadz" in whole


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('routings = ["ugal"]', 'routing = "ugal"', "simulation.1.routing: a comparison has several routings"),
        ('routings = ["ugal"]', "routings = []", "simulation.1.routings: must be a list of routings"),
        ('routings = ["ugal"]', 'routings = ["ugla"]', "there is no routing 'ugla'; did you mean ugal?"),
        ('traffic = "tornado"', 'traffic = "tornada"', "there is no traffic 'tornada'"),
        ('label = "too large"', "label = 3", "network.1.label: must be text, not 3"),
        ('router = "nvidia-sb7800"', 'router = "nvidia-sb780"', "nvidia-sb780"),
        ('plan = "lab"', 'plan = "lap"', "lap"),
        ('topology = { family = "slimfly", q = 13, endpoints_per_router = 9 }', "rom = 3", "network.1.topology: a network needs"),
    ],
)
def test_one_thing_wrong(small, old, new, words):
    small.write_text(small.read_text().replace(old, new))
    assert words in "\n".join(problems(small))


def test_the_command_says_so_and_writes_nothing(small, tmp_path, capsys):
    small.write_text(small.read_text().replace("moves = 2000", "mooves = 2000"))
    out = tmp_path / "out"
    assert main(["compare", str(small), "--out", str(out), "--jobs", "1"]) == 2
    error = capsys.readouterr().err
    assert "placement.mooves" in error
    assert "Traceback" not in error
    assert not out.exists()


def test_a_file_that_is_not_there(tmp_path, capsys):
    assert main(["compare", str(tmp_path / "nothing")]) == 2
    assert "nothing" in capsys.readouterr().err


def test_values_that_are_none(tmp_path, capsys):
    assert main(["compare", "endpoints=60", "rubbish"]) == 2
    assert "'rubbish' is not KEY=VALUE" in capsys.readouterr().err


def test_networks_lay_their_sections_over_the_common_ones(small):
    text = small.read_text().replace('families = ["slimfly", "torus", "quadrangle"]\n', "")
    small.write_text(text + "placement = { moves = 7 }\n")
    first, second = cases(compare.load(small))
    assert first.study.sections["placement"]["moves"] == 2000
    assert second.study.sections["placement"]["moves"] == 7
    assert second.study.sections["placement"]["algorithm"] == "anneal"
