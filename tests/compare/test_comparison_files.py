"""Comparison files: all problems are reported at once, with file, line and remedy, and nothing is written."""

import pytest

from planner.commands.console.cli import main
from planner.core.errors import InputError
from planner.studies import compare
from planner.studies.compare.cases import cases

WRONG = """\
name = "mine/yours"
endpoints = -5
families = ["slimfli", "torus", "torus"]
objectives = ["speed"]
trimed = true
seed = "x"
catalog = { router = "nvidia-sb780", endpoint = "server-half-unit", cabinett = "apc-ar3300" }
room = { plan = "lap" }
placement = { algorithm = "anneal", mooves = 3 }
cabling = { prefer = "beauty" }
bill = { tariff = 3 }

[[simulation]]
traffic = "tornada"
routings = ["ugla", "minimal"]
loadz = [0.1]

[[network]]
topology = { family = "slimfly", q = 12 }
rom = 3

[[network]]
topology = { family = "slimfli", q = 5 }
placement = { moves = -1 }

[[network]]
label = 3
topology = { family = "file", path = "nope.edges" }
catalog = { router = "nonsense" }
"""

EXPECTED = """\
1: name: 'mine/yours' cannot be a file name; avoid
2: endpoints: must be at least 1, not -5; write endpoints = 5000, or endpoints = [4000, 6000]
3: families: there is no family 'slimfli'; did you mean slimfly?
3: families: torus is listed twice; remove one
4: objectives.0: must be 'cost', 'growth', 'power', 'latency' or 'saturation', not 'speed'; write objectives = ["cost", "latency"]
5: trimed: a comparison has no such key or section; did you mean trimmed?
6: seed: must be a valid integer, not 'x'; write seed = 1
7: catalog.cabinett: catalog has no such key; did you mean cabinet?
7: catalog.router: there is no router 'nvidia-sb780' in the catalogs; did you mean
8: room.plan: there is no 'lap' in floorplans; did you mean lab?
9: placement.mooves: anneal has no such key; did you mean moves?
10: cabling.prefer: must be 'price', 'power' or 'delay', not 'beauty'
11: bill.tariff: bill has no such key; there are
14: simulation.0.traffic: there is no traffic 'tornada'; did you mean tornado?
15: simulation.0.routings: there is no routing 'ugla'; did you mean ugal?
16: simulation.0.loadz: simulation has no such key; did you mean loads?
19: network.0.topology.q: 12 is not a prime power of at least 3; nearest: 11 and 13
20: network.0.rom: a network has no such key or section; did you mean room?
22: network.1: duplicate label 'slimfli'; use unique labels
23: network.1.topology.family: there is no topology 'slimfli'; did you mean slimfly?
24: network.1.placement.moves: must be greater than or equal to 0, not -1
27: network.2.label: must be text, not 3; write label = "mine"
29: network.2.catalog.router: there is no router 'nonsense' in the catalogs
"""
"""Line, place, rule, value and remedy of all that is wrong above, in the order of the file."""


def problems(path, changes=()):
    with pytest.raises(InputError) as caught:
        cases(compare.load(path, changes))
    return [str(problem) for problem in caught.value.problems]


def test_everything_at_once_a_line_for_each(tmp_path, capsys):
    path, out = tmp_path / "comparison.toml", tmp_path / "out"
    path.write_text(WRONG)
    assert main(["compare", str(path), "--out", str(out), "--jobs", "1"]) == 2
    [*reported, edges] = capsys.readouterr().err.splitlines()
    for line, start in zip(reported, EXPECTED.splitlines(), strict=True):
        assert line.startswith(f"planner: error: {path}:{start}")
    assert f"{tmp_path / 'nope.edges'}: cannot be read" in edges
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("endpoints=-5", "endpoints: must be at least 1, not -5; write endpoints = 5000"),
        ("endpoints=many", "endpoints: must be an integer or a list of two integers, not 'many'; write"),
        ("endpoints=5.5", "endpoints: must be an integer or a list of two integers, not 5.5; write"),
        ("endpoints=true", "endpoints: must be an integer or a list of two integers, not True; write"),
        ("endpoints=[5, 6, 7]", "endpoints: a range has two numbers, not 3; write"),
        ("endpoints=[0, 6]", "endpoints: must be at least 1, not [0, 6]; write"),
        ("endpoints=[6, 5]", "endpoints: 6 is above 5; write the smaller one first"),
        ("families=slimfly", 'families: must be "all" or a list of families, not \'slimfly\'; write families = ["slimfly"]'),
        ("families=3", 'families: must be "all" or a list of families, not 3; write families ='),
        ("oversubscription=0.5", "oversubscription: must be greater than or equal to 1, not 0.5; write oversubscription = 2.0"),
        ("oversubscription=inf", "oversubscription: must be less than inf, not inf; write oversubscription = 2.0"),
        ("trimmed=yes", "trimmed: must be a valid boolean, not 'yes'; write trimmed = true or false"),
        ('formats=["csw"]', "formats: there is no format 'csw'; did you mean csv?"),
        ("catalog=3", "catalog: must be a section, not 3; write [catalog]"),
        ("simulation=4", "simulation: must be tables, not 4; write [[simulation]]"),
        ("network={topology={family=3}}", "network.0.topology: a network needs a topology with a family; write topology = "),
        ('simulation=[{routings="minimal"}]', "simulation.0.routings: must be a list of routings, not 'minimal'; write"),
        ("catalog.router=x", "catalog.router: there is no router 'x' in the catalogs"),
    ],
)
def test_one_value_of_the_command_line_is_reported_once_and_as_such(small, value, words):
    [found] = problems(small, [value])
    assert found.startswith(f"command line: {words}")


def test_nothing_to_compare(small):
    text = small.read_text().partition("[[network]]")[0]
    small.write_text(text.replace('["slimfly", "torus", "quadrangle"]', "[]"))
    assert problems(small) == [
        f'{small}:4: families: is empty, and there are no [[network]] tables; write families = "all", or add [[network]]'
    ]


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
        "there is no family 'slimfli'; did you mean slimfly?",
        "there is no format 'csw'; did you mean csv?",
        "network.1: duplicate label 'dragonfly a = 4'",
        "rooms: a comparison has no such key or section; did you mean room?",
        "room: a comparison needs this section",
    ):
        assert words in found, words


def test_a_range_states_what_is_left_out(small):
    small.write_text(small.read_text().replace("endpoints = 60", "endpoints = [60, 90]\ntrimmed = true"))
    assert problems(small) == [f"{small}:4: trimmed: does not apply to a range of endpoints; give one number of endpoints"]


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_command_reports_it_and_writes_nothing(small, tmp_path, capsys):
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


def test_networks_override_common_sections_with_their_own(small):
    text = small.read_text().replace('families = ["slimfly", "torus", "quadrangle"]\n', "")
    small.write_text(text + "placement = { moves = 7 }\n")
    first, second = cases(compare.load(small))
    assert first.study.sections["placement"]["moves"] == 2000
    assert second.study.sections["placement"]["moves"] == 7
    assert second.study.sections["placement"]["algorithm"] == "anneal"
