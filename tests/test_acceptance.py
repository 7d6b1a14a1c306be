"""Everything wrong with a study is found before anything runs: file, line, key; nothing is written."""

import dataclasses
import re
import shutil
from pathlib import Path

import pytest

from planner.commands.console.cli import main
from planner.commands.new import TEMPLATE
from planner.studies.stages import STAGES

STUDY = re.sub(r"(\[simulation\]) +#.*", r"\1", TEMPLATE.format(name="small"))
STUDY = STUDY.replace("q = 5", "q = 3").replace("[0.1, 0.3, 0.5, 0.7, 0.9]", "[0.2]\ncycles = 300")
NETWORK = """
name = "net"
[topology]
family = "slimfly"
q = 3
[simulation]
preset = "caminos"
"""


def refused(folder, capsys, *options):
    """Run a study that is wrong; return what is printed, with nothing written."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    code = main(["run", str(folder), "--quiet", *options])
    message = capsys.readouterr().err
    assert code == 2, message
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    return message


def line_of(text, key):
    return next(number for number, line in enumerate(text.splitlines(), 1) if re.match(rf"\s*{key}\s*=", line))


SINGLE = [
    ("cabling", "label", '"{cabinett}"', "cannot be formatted"),
    ("cabling", "label", '"tia607"', "did you mean tia606"),
    ("placement", "separate", "[[0, 1], [2, 999]]", "there is no router 999"),
    ("placement", "group_price", "5", "has no effect if groups are auto"),
    ("placement", "algorithm", '"manual"', "manual placement needs a layout"),
    ("latency", "fec", '"fec-kp5"', "there is no code"),
    ("simulation", "virtual_channels", "1", "without deadlock"),
    ("simulation", "routing", '"dimension_order"', "dimension_order supports"),
    ("simulation", "traffic_parameters", "{spots = 2}", "uniform has no such key"),
    ("simulation", "outages", "[{routers = [999]}]", "there is no router 999"),
    ("simulation", "burst_load", "0.1\nprocess = 'burst'", "is not above the load"),
    ("workload", "jobs", '[{motif = "allreduce", ranks = 100000}]', "ranks exceed"),
    ("workload", "jobs", '[{motif = "npb_bt", ranks = 3}]', "needs a square"),
    ("report", "labels", "{cabinet = 'Z99'}", "there is no cabinet 'Z99'"),
    ("report", "labels", "{stage = 'tomorrow'}", "there is no stage 'tomorrow'"),
    ("report", "labels", "{sheet = 'avery'}", "avery-5366"),
    ("report", "labels", "{start = 999}", "but a sheet has"),
    ("report", "pdf", "{crew = 9}", "there is no crew 9"),
    ("report", "netbox", "{site = '   '}", "NetBox takes 1 to 100"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("section", "key", "value", "message"), SINGLE)
def test_one_wrong_value_is_named_with_its_line(tmp_path, capsys, section, key, value, message):
    own = [line for line in STUDY.splitlines() if not re.match(rf"\s*{key} =", line) or key == "family"]
    text = "\n".join(own) + "\n"
    if section == "workload":
        text += "[workload]\n"
    if section == "report":
        text = text.replace('formats = ["pdf", "xlsx", "csv"]', f'formats = ["{key}"]')
    text = text.replace(f"[{section}]\n", f"[{section}]\n{key} = {value}\n")
    if key == "virtual_channels":
        text = text.replace("[simulation]\n", '[simulation]\nrouting = "valiant"\n').replace('\nrouting = "minimal"', "")
    (tmp_path / "study.toml").write_text(text)
    printed = refused(tmp_path, capsys)
    assert message in printed
    # The complaint about these is another key's or a key's of theirs.
    if key not in ("algorithm", "traffic_parameters", "virtual_channels"):
        assert f"study.toml:{line_of(text, key)}: {section}.{key}" in printed


FILES = [
    ("placement", "layout", "router,slot\n0,Z99\n", "given.csv:2: slot Z99"),
    ("placement", "layout", "router,slot\n0\n", "given.csv:2: slot"),
    ("cabling", "overrides", "class,run_mm\nglobe,5\n", "given.csv:2: there is no class 'globe'"),
    ("cabling", "overrides", "cable,run_mm\n" + "9" * 5000 + ",5\n", "given.csv:2: there is no cable"),
    ("cabling", "overrides", "cable,run_mm\n1," + "x" * 200_000, "given.csv:2: is not CSV"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("section", "key", "content", "message"), FILES)
def test_a_wrong_line_of_a_file_is_named(tmp_path, capsys, section, key, content, message):
    (tmp_path / "study.toml").write_text(STUDY.replace(f"[{section}]\n", f'[{section}]\n{key} = "given.csv"\n'))
    (tmp_path / "given.csv").write_text(content)
    assert message in refused(tmp_path, capsys)


@pytest.mark.parametrize(("name", "kind"), [("matrix", "traffic"), ("trace", "motif")])
def test_a_wrong_line_of_traffic_is_named(tmp_path, capsys, name, kind):
    (tmp_path / "given.csv").write_text("source,target,rate\n0,99999,1\n" if kind == "traffic" else "id,source\n")
    if kind == "traffic":
        text = NETWORK + 'traffic = "matrix"\ntraffic_parameters = {file = "given.csv"}\n'
    else:
        job = '{motif = "trace", motif_parameters = {file = "given.csv"}}'
        text = NETWORK + f'[workload]\npreset = "caminos"\nlink_gbps = 100\njobs = [{job}]\n'
    (tmp_path / "study.toml").write_text(text)
    assert re.search(r"given\.csv:\d", refused(tmp_path, capsys))


@pytest.mark.slow
def test_everything_wrong_is_named_at_once(tmp_path, capsys):
    wrong = [("cabling", "label", '"{x}"'), ("placement", "separate", "[[999]]"), ("latency", "fec", '"no"')]
    text = STUDY.replace('label = "tia606"', "").replace('fec = "none"', "").replace('"lab"', '"labb"')
    for section, key, value in wrong:
        text = text.replace(f"[{section}]\n", f"[{section}]\n{key} = {value}\n")
    text = text.replace('"apc-ar3300"', '"apc-ar3301"').replace('spares = "one-per-hundred"', 'spares = "many"')
    (tmp_path / "study.toml").write_text(text)
    printed = refused(tmp_path, capsys)
    # What needs the room waits for the room.
    for place in ("catalog.cabinet", "bill.spares", "room.plan", "latency.fec"):
        assert place in printed
    (tmp_path / "study.toml").write_text(text.replace('"labb"', '"lab"').replace("3301", "3300").replace('"many"', '"none"'))
    printed = refused(tmp_path, capsys)
    assert [place in printed for place in ("cabling.label", "placement.separate.0", "latency.fec")] == [True] * 3


@pytest.mark.parametrize(("family", "q"), [("slimfli", 3), ("slimfly", 6)])
def test_a_wrong_network_does_not_hide_wrong_names_of_parts_and_room(tmp_path, capsys, family, q):
    text = re.sub(r"q = \d+", f"q = {q}", STUDY).replace('"slimfly"', f'"{family}"').replace('"lab"', '"labb"')
    (tmp_path / "study.toml").write_text(text.replace('"nvidia-sb7800"', '"nvidia-sb78"'))
    printed = refused(tmp_path, capsys)
    for place in ("topology.", "catalog.router: there is no router 'nvidia-sb78'", "room.plan: there is no 'labb'"):
        assert printed.count(place) == 1, place


def test_parameters_of_a_network_are_tried_where_a_report_has_a_wrong_name(tmp_path, capsys):
    text = re.sub(r"q = \d+", "q = 6", STUDY)
    (tmp_path / "study.toml").write_text(re.sub(r"formats = .*", 'formats = ["pdg"]', text))
    printed = refused(tmp_path, capsys)
    for place in ("topology.q: 6 is not a prime power", "report.formats: there is no report 'pdg'"):
        assert printed.count(place) == 1, place


@pytest.mark.slow
@pytest.mark.parametrize("formats", ["pdf", "pdg"])
def test_parameters_of_each_network_are_refused_at_its_place(tmp_path, capsys, formats):
    """Other networks whose routers are attached to it have the same problem; it is reported once."""
    gallery = Path(__file__).parents[1] / "reports" / "superpod-h100"
    shutil.copy(gallery / "parts.toml", tmp_path)
    text = (gallery / "study.toml").read_text()
    for q in (6, 14):
        text = re.sub(r'topology = \{ family = "leafspine".*', f'topology = {{ family = "slimfly", q = {q} }}', text, count=1)
    (tmp_path / "study.toml").write_text(re.sub(r"formats = .*", f'formats = ["{formats}"]', text))
    lines = [line for line in refused(tmp_path, capsys).splitlines() if "report" not in line]
    assert len(lines) == 2
    assert re.search(r"study\.toml:\d+: network\.0\.topology\.q: 6 is not a prime power", lines[0])
    assert re.search(r"study\.toml:\d+: network\.1\.topology\.q: 14 is not a prime power", lines[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("topology.q=6", "--set topology.q=6: topology"),
        ('cabling.label="{x}"', '--set cabling.label="{x}": cabling.label'),
        ("placement={groups='all'}", "--set placement={groups='all'}: placement.groups"),
        ("nonsense=1", "--set nonsense=1: nonsense"),
        ("seed=-1", "--set seed=-1: seed"),
        ("seed=" + "9" * 5000, "more than 1,000 digits"),
        ("seed=" + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("seed=99999999999999999999", "use at most 64 bits"),
    ],
)
def test_errors_of_set_name_the_option(tmp_path, capsys, option, message):
    (tmp_path / "study.toml").write_text(STUDY)
    printed = refused(tmp_path, capsys, "--set", option)
    assert message in printed
    assert "study.toml:" not in printed


@pytest.mark.parametrize("name", ["a" * 121, "é" * 61])
def test_names_that_are_too_long_for_a_file(tmp_path, capsys, name):
    (tmp_path / "study.toml").write_text(STUDY.replace('name = "small"', f'name = "{name}"'))
    assert "study.toml:3: name" in refused(tmp_path, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["name", "title"])
@pytest.mark.parametrize("character", ["\\u0000", "\\n", "\\u001b[2J", "\\u202e", "\\u0085"])
def test_characters_that_are_refused_in_names(tmp_path, capsys, key, character):
    """Terminal escapes, line ends, null characters and marks that reverse the reading order."""
    text = re.sub(rf'^{key} = "[^"]*"', lambda _: f'{key} = "a{character}b"', STUDY, flags=re.MULTILINE)
    (tmp_path / "study.toml").write_text(text)
    printed = refused(tmp_path, capsys)
    assert f": {key}: " in printed
    assert printed.rstrip("\n").isprintable()


def test_a_fault_of_simulate_is_found_before_anything_is_placed(tmp_path, capsys, monkeypatch):
    def worked(*args, **kwargs):
        raise AssertionError("placed before the routing was checked")

    monkeypatch.setitem(STAGES, "placement", dataclasses.replace(STAGES["placement"], run=worked))
    (tmp_path / "study.toml").write_text(STUDY)
    assert main(["simulate", str(tmp_path), "--routing", "dimension_order"]) == 2
    assert "--routing dimension_order: simulation.routing" in capsys.readouterr().err
