"""Valid inputs of every kind, and the command that reads each; `fuzz.py` mutates and runs them."""

from __future__ import annotations

import io
import json
import random
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import fuzz_mutations as mutations

STUDY = """\
name = "small"
title = "A small plan"
seed = 1

[topology]
family = "slimfly"
q = 3
endpoints_per_router = 2

[catalog]
router = "nvidia-sb7800"
endpoint = "server-half-unit"
cabinet = "apc-ar3300"

[room]
plan = "lab"

[placement]
algorithm = "anneal"
moves = 500
objective = "price"
groups = "ignored"
separate = [[0, 1], [2, 3]]

[placement.interior]
feeds = "A+B"

[cabling]
prefer = "price"
label = "{cabinet}-{unit:02d}:{port:02d}"
bundling = "loom"

[cabling.slack]
end_mm = 300
loop_mm = 500

[work]
crews = 2
shift_hours = 8.0

[bill]
spares = "one-per-hundred"
years = 3.0
pue = 1.4

[latency]
fec = "auto"

[failures]
starts = 1

[simulation]
routing = "minimal"
traffic = "uniform"
loads = [0.1, 0.4]
cycles = 200
warmup = 100
outages = [{cycle = 100, link_share = 0.05, routers = [3]}]

[workload]
jobs = [{motif = "allreduce", ranks = 8, motif_parameters = {bytes = 64, iterations = 1}}, {motif = "alltoall", ranks = 4}]

[report]
formats = ["csv", "labels_csv", "netbox"]

[report.labels_csv]
stage = "in row"
"""

NETWORK = """\
name = "net"
seed = 1

[topology]
family = "torus"
sizes = [3, 4]
endpoints_per_router = 2

[simulation]
preset = "caminos"
routing = "minimal"
traffic = "hot_spot"
traffic_parameters = {share = 0.2, spots = 2}
loads = [0.1, 0.2]
process = "burst"
burst_packets = 4.0
cycles = 200
warmup = 50
virtual_channels = 4
"""

CATALOG = """\
[[router]]
id = "mine"
source = "data sheet"
confidence = "A"
units = 1
ports = 36
connector = "QSFP28"
rate_gbps = 100
power_typical_mw = 136_000
power_max_mw = 184_000
mass_g = 9_000
delay_ps = 90_000
price_cents = 1_000_000

[[electricity]]
id = "here"
source = "bill"
confidence = "A"
cents_per_kwh = 12.5
pue = 1.2
load = 0.8
"""

SWEEP = """\

[sweep]
stages = ["topology", "simulation"]
seed = [1, 2]
"simulation.loads" = [[0.1], [0.2]]

[[sweep.case]]
label = "small"
topology.endpoints_per_router = 1

[[sweep.case]]
label = "large"
topology.endpoints_per_router = 2
"""

COMPARISON = """\
name = "small"
title = "Two networks"
families = ["slimfly", "torus"]
endpoints = [30, 60]
objectives = ["cost", "latency"]
oversubscription = 4.0
formats = ["csv", "md"]
seed = 1

[catalog]
router = "nvidia-sb7800"
endpoint = "server-half-unit"
cabinet = "apc-ar3300"

[room]
plan = "lab"

[[network]]
label = "mine"
topology = { family = "hypercube", dimensions = 4, endpoints_per_router = 2 }

[[simulation]]
label = "uniform"
traffic = "uniform"
routings = ["minimal", "valiant"]
loads = [0.1]
cycles = 200
"""

LAYERS = """\
units = "mm"

[layers]
outline = ["OUTLINE"]
column = ["COL*"]
door = ["DOOR"]
cooling = ["COOLING"]

[blocks]
cabinet = ["SLOT*"]

[cabinet]
front = "+y"
name = "NAME"

[[tray]]
layer = "TRAY"
width_mm = 300
height_mm = 100

[room]
title = "Imported"
"""

GRAPHS = {
    "ring.edges": "# a ring\n0 1\n1 2\n2 3\n3 4\n4 0\n0 2\n",
    "ring.adj": "0 1 4\n1 0 2\n2 1 3\n3 2 4\n4 3 0\n",
    "ring.anynet": "router 0 node 0 node 1 router 1 router 4\nrouter 1 node 2 router 2\nrouter 2 router 3\nrouter 3 router 4 5\n",
    "ring.json": json.dumps({
        "directed": False, "multigraph": False, "graph": {},
        "nodes": [{"id": n} for n in range(5)], "links": [{"source": n, "target": (n + 1) % 5} for n in range(5)],
    }),
    "ring.graphml": '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    '<key id="d0" for="node" attr.name="endpoints" attr.type="int"/>\n<graph edgedefault="undirected">\n'
    + "".join(f'<node id="n{n}"><data key="d0">2</data></node>\n' for n in range(5))
    + "".join(f'<edge source="n{n}" target="n{(n + 1) % 5}"/>\n' for n in range(5))
    + "</graph>\n</graphml>\n",
}  # fmt: skip

TRACE = "id,source,target,bytes,compute_ns,after\na,0,1,4096,100,\nb,1,2,64,0,a\nc,2,0,64,50,a b\n# the end\nd,3,0,1,0,\n"
MATRIX = "source,target,rate\n0,1,1.0\n1,2,0.5\n2,0,0.25\n3,4,2\n"
OVERRIDES = "cable,a_cabinet,b_cabinet,class,run_mm,add_mm\n1,,,,5000,\n,A01,A02,,,300\n,,,endpoint,,100\n"
LAYOUT = "router,slot,fixed\n0,A01,yes\n1,A02,no\nR0002,A01,\n"
QAP = "4\n\n0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0\n\n0 9 8 7\n9 0 6 5\n8 6 0 4\n7 5 4 0\n"


@dataclass(frozen=True)
class Case:
    """What to run; `reads_first` states whether a refusal comes before anything is written."""

    run: Callable[[], int | None]
    reads_first: bool = True


def call(*words: str) -> Callable[[], int]:
    """Return what runs a command line."""
    from planner.commands.console.cli import main

    return partial(main, list(words))


def _until(text: str) -> tuple[str, ...]:
    """Return options that end a study when its inputs are accepted: what follows is slow and reads no files."""
    return ("--until", "room" if "[room]" in text else "topology")


def _study(folder: Path, draw: random.Random, valid: bool) -> Case:
    text = draw.choice((STUDY, STUDY, NETWORK))
    whole = draw.random() < 0.15
    (folder / "study.toml").write_text(text if valid else mutations.text(draw, text), encoding="utf-8", newline="")
    return Case(call("run", ".", "--quiet", *(() if whole or valid else _until(text))), reads_first=not whole)


def _set(folder: Path, draw: random.Random, valid: bool) -> Case:
    text = draw.choice((STUDY, NETWORK))
    (folder / "study.toml").write_text(text, encoding="utf-8")
    keys, section = [], ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[]") + "."
        elif "=" in line:
            keys.append(section + line.partition("=")[0].strip())
    values = (*mutations.NUMBERS, *mutations.TEXTS, *(f'"{one}"' for one in mutations.TEXTS))
    options = []
    for _ in range(0 if valid else draw.choice((1, 1, 2))):
        change = f"{draw.choice(keys)}={draw.choice(values)}"
        options += ["--set", mutations.text(draw, change, 1) if draw.random() < 0.2 else change]
    return Case(call("run", ".", "--quiet", *_until(text), *options))


def _room(folder: Path, draw: random.Random, valid: bool) -> Case:
    from planner.core import shipped

    name = draw.choice(("lab", "two-halls", "raised-hall", "mddp"))
    text = (shipped.folder("floorplans") / f"{name}.toml").read_text(encoding="utf-8")
    (folder / "mine.toml").write_text(text if valid else mutations.text(draw, text), encoding="utf-8", newline="")
    words = draw.choice((("check", "mine.toml"), *(("draw", "mine.toml", "--out", f"room.{form}") for form in ("svg", "dxf"))))
    return Case(call("floor", *words))


def _catalog(folder: Path, draw: random.Random, valid: bool) -> Case:
    text = STUDY.replace('"nvidia-sb7800"', '"mine"\nfiles = ["mine.toml"]').replace("pue = 1.4", 'electricity = "here"')
    (folder / "study.toml").write_text(text, encoding="utf-8")
    (folder / "mine.toml").write_text(CATALOG if valid else mutations.text(draw, CATALOG), encoding="utf-8", newline="")
    return Case(call("run", ".", "--quiet", "--until", "room"))


def _graph(folder: Path, draw: random.Random, valid: bool) -> Case:
    name = draw.choice(list(GRAPHS))
    content = GRAPHS[name]
    if valid or draw.random() < 0.7:
        (folder / name).write_text(content if valid else mutations.text(draw, content), encoding="utf-8", newline="")
    else:
        (folder / name).write_bytes(mutations.data(draw, content.encode()))
    return Case(call("topology", "file", f'path="{name}"', "--effort", "low", "--quiet"))


@cache
def _drawing() -> str:
    from planner.hall import floor

    with tempfile.TemporaryDirectory() as place:
        return floor.draw("lab", Path(place) / "lab.dxf").read_text(encoding="utf-8")


def _dxf(folder: Path, draw: random.Random, valid: bool) -> Case:
    text = _drawing()
    # Blocks and entities are in the second half.
    start = text.index("ENTITIES")
    options: tuple[str, ...] = ()
    if not valid and draw.random() < 0.2:
        (folder / "layers.toml").write_text(mutations.text(draw, LAYERS), encoding="utf-8", newline="")
        options = ("--layers", "layers.toml")
    elif not valid and draw.random() < 0.5:
        text = text[:start] + _group(draw, text[start:])
    elif not valid:
        text = text[:start] + mutations.text(draw, text[start:])
    (folder / "in.dxf").write_text(text, encoding="utf-8", newline="")
    return Case(call("floor", "import", "in.dxf", "--out", "out.toml", *options), reads_first=False)


def _group(draw: random.Random, text: str) -> str:
    """Change the values of some tags; a DXF file is pairs of lines, the code and its value."""
    lines = text.split("\n")
    for _ in range(draw.choice((1, 2, 5))):
        place = 2 * draw.randrange(len(lines) // 2)
        lines[place] = draw.choice((*mutations.NUMBERS[:20], *mutations.TEXTS[:12], "INSERT", "SPLINE", "CIRCLE", lines[place]))
    return "\n".join(lines)


@cache
def _book() -> bytes:
    """The workbook of the valid study."""
    from planner import formats

    with tempfile.TemporaryDirectory() as place:
        return formats.write(_plan(Path(place)), Path(place), "xlsx").read_bytes()


def _plan(folder: Path):
    from planner.studies import pipeline, study

    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    return pipeline.run(study.load(folder, ["report.formats=[]"]))


def _workbook(folder: Path, draw: random.Random, valid: bool) -> Case:
    content = _book()
    if not valid and draw.random() < 0.5:
        content = mutations.data(draw, content)
    elif not valid:
        content = _member(draw, content)
    (folder / "book.xlsx").write_bytes(content)
    return Case(_read_book)


def _member(draw: random.Random, archive: bytes) -> bytes:
    """Change one part of an archive, as text."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        chosen = draw.choice(old.namelist())
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, mutations.text(draw, content.decode("utf-8", "replace")) if name == chosen else content)
    return made.getvalue()


def _read_book() -> int:
    from planner.core.errors import InputError
    from planner.formats import workbook

    try:
        workbook.read("book.xlsx")
    except InputError:
        return 2
    return 0


def _qap(folder: Path, draw: random.Random, valid: bool) -> Case:
    (folder / "x.dat").write_text(QAP if valid else mutations.text(draw, QAP), encoding="utf-8", newline="")
    if draw.random() < 0.3:
        solution = "4 100\n1 2 3 4\n"
        (folder / "x.sln").write_text(solution if valid else mutations.text(draw, solution), encoding="utf-8", newline="")
    return Case(call("qap", "x.dat", "--moves", "50", "--quiet", "--out", "found.sln"))


def _traffic(folder: Path, draw: random.Random, valid: bool, *, name: str) -> Case:
    """A trace or a matrix, in a network study."""
    content = TRACE if name == "trace" else MATRIX
    (folder / "given.csv").write_text(content if valid else mutations.text(draw, content), encoding="utf-8", newline="")
    head = NETWORK.partition("[simulation]")[0]
    if name == "trace":
        job = '{motif = "trace", ranks = 8, motif_parameters = {file = "given.csv"}}'
        text = f'{head}[workload]\npreset = "caminos"\nlink_gbps = 100.0\njobs = [{job}]\n'
    else:
        text = f'{head}[simulation]\npreset = "caminos"\ntraffic = "matrix"\ntraffic_parameters = {{file = "given.csv"}}\n'
    (folder / "study.toml").write_text(text, encoding="utf-8")
    return Case(call("run", ".", "--quiet", "--until", "topology"))


def _table(folder: Path, draw: random.Random, valid: bool, *, name: str) -> Case:
    """Overrides or a layout, in a study."""
    content, section = (OVERRIDES, "cabling") if name == "overrides" else (LAYOUT, "placement")
    (folder / "given.csv").write_text(content if valid else mutations.text(draw, content), encoding="utf-8", newline="")
    (folder / "study.toml").write_text(STUDY.replace(f"[{section}]\n", f'[{section}]\n{name} = "given.csv"\n'), encoding="utf-8")
    return Case(call("run", ".", "--quiet", "--until", "room"))


def _sweep(folder: Path, draw: random.Random, valid: bool) -> Case:
    text = NETWORK + SWEEP
    (folder / "study.toml").write_text(text if valid else mutations.text(draw, text), encoding="utf-8", newline="")
    return Case(call("sweep", ".", "--list"))


def _comparison(folder: Path, draw: random.Random, valid: bool) -> Case:
    text = COMPARISON if valid else mutations.text(draw, COMPARISON)
    (folder / "comparison.toml").write_text(text, encoding="utf-8", newline="")
    return Case(_load_comparison)


def _load_comparison() -> int:
    from planner.core.errors import InputError
    from planner.studies import compare

    try:
        compare.load("comparison.toml")
    except InputError:
        return 2
    return 0


@cache
def _stored() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as place:
        _plan(Path(place))
        return {path.name: path.read_bytes() for path in Path(place).iterdir() if path.suffix in (".npz", ".json")}


def _stored_plan(folder: Path, draw: random.Random, valid: bool) -> Case:
    files = dict(_stored())
    if not valid:
        name = draw.choice(("provenance.json", *files))
        if name == "provenance.json":
            content = files[name].decode()
            files[name] = (mutations.text(draw, content) if draw.random() < 0.5 else _json(draw, content)).encode()
        else:
            files[name] = mutations.data(draw, files[name])
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return Case(call(*draw.choice((("report", ".", "--format", "csv,adjacency", "--quiet"), ("check", ".")))), reads_first=False)


def _json(draw: random.Random, text: str) -> str:
    """Change one value of a JSON document; the text is still JSON."""
    document = json.loads(text)
    place = document
    while isinstance(place, dict) and place:
        key = draw.choice(list(place))
        if not isinstance(place[key], dict) or draw.random() < 0.2:
            values = (None, 0, -1, 1e308, "", "../../x", "x\u001b[2J", [], {}, [[]], True, {"a": 1}, "os.path", 10**30)
            place[key] = draw.choice(values)
            break
        place = place[key]
    return json.dumps(document)


COMMANDS = (
    "run . --until topology", "report .", "check .", "topology slimfly q=3", "topology torus sizes=[2,2] --effort low",
    "routes torus sizes=[2,2] --out table.csv", "explore --radix 4-6 --family slimfly", "floor check lab", "list topology",
    "list", "qap x.dat --moves 10", "sweep . --list", "new mine", "floor draw lab --out x.svg --scale 50",
    "plot t.csv --x a --y b", "compare endpoints=40 --quick", "simulate . --loads 0.1 --cycles 50 --quiet", "--version", "--help",
)  # fmt: skip
OPTIONS = (
    "--json", "--quiet", "--jobs", "--cluster", "--out", "--until", "--set", "--fresh", "--format", "--cabinet", "--row",
    "--stage", "--phase",
    "--paper", "--seed", "--seconds", "--moves", "--algorithm", "--exact", "--radix", "--routers", "--endpoints",
    "--family", "--scale", "--packets", "--routing", "--traffic", "--loads", "--cycles", "--precision", "--links", "--jobs",
    "--effort", "--x", "--y", "--by", "--where", "--log", "--most", "--title", "--store", "--table", "--cache", "--csv",
    "--plot", "--layers",
)  # fmt: skip


def _command_line(folder: Path, draw: random.Random, valid: bool) -> Case:
    (folder / "study.toml").write_text(NETWORK, encoding="utf-8")
    (folder / "x.dat").write_text(QAP, encoding="utf-8")
    (folder / "t.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    words = ["topology", "slimfly", "q=3"] if valid else draw.choice(COMMANDS).split()
    for _ in range(0 if valid else draw.choice((0, 1, 1, 2, 3))):
        value = draw.choice((*mutations.NUMBERS[:24], *mutations.TEXTS, "q=7", "x=1", "study.toml", "."))
        value = value.replace("\\u0000", "\x01").replace("\\n", "\n").replace("\\u001b", "\x1b").replace("\\u202e", "\u202e")
        extra = draw.choice(([draw.choice(OPTIONS), value], [draw.choice(OPTIONS)], [value]))
        place = draw.randrange(1, len(words) + 1)
        words[place:place] = extra
    # No cluster, no other machine: what starts processes is tested by tests of its own.
    while "slurm" in words or "local" in words:
        words = [word for word in words if word not in ("slurm", "local")]
    if words[0] == "compare":
        words = ["compare", *words[1:], "endpoints=-1"]
    return Case(call(*words), reads_first=False)


KINDS: dict[str, Callable[[Path, random.Random, bool], Case]] = {
    "study": _study,
    "set": _set,
    "room": _room,
    "catalog": _catalog,
    "graph": _graph,
    "dxf": _dxf,
    "workbook": _workbook,
    "qaplib": _qap,
    "trace": partial(_traffic, name="trace"),
    "matrix": partial(_traffic, name="matrix"),
    "overrides": partial(_table, name="overrides"),
    "layout": partial(_table, name="layout"),
    "sweep": _sweep,
    "comparison": _comparison,
    "stored": _stored_plan,
    "command": _command_line,
}
