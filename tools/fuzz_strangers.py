"""Valid inputs of strangers, as `fuzz_inputs.py` has studies: discovery files, archives, journals, device types, requests."""

from __future__ import annotations

import gzip
import io
import random
import sqlite3
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import fuzz_mutations as mutations
from fuzz_inputs import STUDY, Case, call

TESTS = Path(__file__).parents[1] / "tests"
DATA = TESTS / "data" / "verify"
SCHEDULE = DATA / "plan-slimfly-200.csv"

DEVICE = """\
---
manufacturer: NVIDIA
model: QM9700
slug: nvidia-qm9700
part_number: MQM9700-NS2F
u_height: 1.0
is_full_depth: true
weight: 14.5
weight_unit: kg
airflow: front-to-rear
interfaces:
  - name: mgmt0
    type: 1000base-t
    mgmt_only: true
  - name: P1/1
    type: infiniband-hdr
  - name: P1/2
    type: infiniband-hdr
power-ports:
  - name: PS1
    type: iec-60320-c14
    maximum_draw: 1720
    allocated_draw: 750
  - name: PS2
    type: iec-60320-c14
module-bays:
  - name: FAN1
    position: 1
"""

TAGS = (
    "!!int",
    "!!float",
    "!!timestamp",
    "!!bool",
    "!!binary",
    "!!null",
    "!!set",
    "!!omap",
    "!!python/name:os.system",
    "&a",
    "*a",
    "? ",
)
"""What may precede a value of YAML."""

ATTACH = "device,port,router\n" + "".join(f"host{number},{port},{number - 1}\n" for number in range(1, 5) for port in (1, 2))

SEVERAL = """\
name = "several"
[catalog]
cabinet = "hpe-10648-g2"
allow_estimates = true
[room]
plan = "hall-a"
[[node]]
name = "host"
part = "dgx-h100"
count = 4
per_cabinet = 2
[[cabinets]]
name = "switches"
count = 1
[[network]]
name = "compute"
topology = { family = "leafspine", leaves = 4, spines = 2, uplinks = 2, endpoints_per_leaf = 8 }
parts = { leaf = "nvidia-qm9700", spine = "nvidia-qm9700" }
place = { leaf = "switches", spine = "switches" }
attach = [{ node = "host", ports = "storage", rule = "table", path = "given.csv" }]
"""


def _scan(folder: Path, draw: random.Random, valid: bool) -> Case:
    """A discovery file of any format."""
    path = draw.choice(sorted(file for file in (DATA / "formats").iterdir() if file.is_file()))
    content = path.read_bytes()
    if not valid and path.suffix in (".xlsx", ".gz", ".zip"):
        content = mutations.data(draw, content)
    elif not valid and draw.random() < 0.7:
        content = mutations.text(draw, content.decode("utf-8", "replace")).encode("utf-8", "replace")
    elif not valid:
        content = mutations.data(draw, content)
    (folder / path.name).write_bytes(content)
    return Case(_verified(path.name, valid), reads_first=False)


def _verified(name: str, valid: bool) -> Callable[[], int]:
    """Return the verification of a file; that of a small sample is refused by the plan, and read all the same."""

    def run() -> int:
        from planner.core.errors import InputError
        from planner.fabric.verify import readers

        try:
            readers.read([Path(name)])
        except InputError:
            return 2
        return 0

    return run if valid else call("verify", str(SCHEDULE), name, "--quiet")


def _archive(folder: Path, draw: random.Random, valid: bool) -> Case:
    """An archive of discovery files: its bytes, its members, and extended headers of any kind in front of them."""
    name = draw.choice(("a.zip", "a.tar", "a.tar.gz"))
    made = _zip(draw, valid) if name == "a.zip" else _tar(draw, valid)
    if not valid and draw.random() < 0.5:
        made = mutations.data(draw, made)
    made = gzip.compress(made, 1, mtime=0) if name == "a.tar.gz" else made
    if not valid and name == "a.tar.gz" and draw.random() < 0.3:
        made = mutations.data(draw, made)
    (folder / name).write_bytes(made)
    return Case(_verified(name, valid), reads_first=False)


def _members() -> dict[str, bytes]:
    names = ("ibnetdiscover.txt", "ibnetdiscover_ports.txt")
    return {name: (DATA / "formats" / name).read_bytes() for name in names}


def _odd_name(draw: random.Random) -> str:
    return draw.choice(
        ("../../x", "/etc/passwd", "a" * 5000, "\u202ex", "x\n", ".", "a:b", "[Content_Types].xml", "xl/workbook.xml")
    )


def _zip(draw: random.Random, valid: bool) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _members().items():
            archive.writestr(_odd_name(draw) if not valid and draw.random() < 0.3 else name, content)
        if not valid and draw.random() < 0.3:
            method = draw.choice((zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_STORED))
            archive.writestr("more.txt", b"x" * draw.choice((0, 10, 10**6)), compress_type=method)
    content = bytearray(file.getvalue())
    if not valid and draw.random() < 0.3:
        # A size, a number or a method in the directory.
        place = content.rfind(b"PK\x01\x02") + draw.randrange(4, 46)
        content[place : place + 4] = draw.choice((b"\xff\xff\xff\xff", b"\x00\x00\x00\x00", b"\x01\x00\x00\x80"))
    return bytes(content)


def _tar(draw: random.Random, valid: bool) -> bytes:
    file = io.BytesIO()
    with tarfile.open(
        fileobj=file, mode="w", format=draw.choice((tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT))
    ) as archive:
        for name, content in _members().items():
            if not valid and draw.random() < 0.5:
                _extend(draw, archive)
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return file.getvalue()


def _extend(draw: random.Random, archive: tarfile.TarFile) -> None:
    """Put extended headers of any kind, length and number in front of the next member."""
    kind = draw.choice((b"x", b"g", b"L", b"K", b"S", b"X", b"D", b"V", b"1", b"5", b"Z"))
    record = draw.choice((
        b"11 path=ab\n", b"1" * draw.choice((10, 70_000)), b"30 size=99999999999999999999999\n", b"22 GNU.sparse.major=1\n",
        b"-5 path=a\n", b"9999999 path=a\n", b"12 path=\xff\xfe\n", b"a" * 6000, b"", b"8 size=0\n",
    ))  # fmt: skip
    for _ in range(draw.choice((1, 1, 2, 7, 9, 1500))):
        info = tarfile.TarInfo("extended")
        info.type, info.size = kind, len(record)
        # As the module writes it, but with the kind that the block states.
        archive.fileobj.write(info.tobuf(tarfile.USTAR_FORMAT))
        archive.fileobj.write(record + bytes(-len(record) % 512))


def _schedule(folder: Path, draw: random.Random, valid: bool) -> Case:
    """A cable schedule as others send it, with any separator."""
    text = "\n".join(SCHEDULE.read_text().splitlines()[:40])
    if draw.random() < 0.3:
        text = text.replace(",", ";")
    (folder / "plan.csv").write_text(text if valid else mutations.text(draw, text), encoding="utf-8", newline="")
    return Case(call("diff", str(SCHEDULE), "plan.csv", "--quiet"), reads_first=False)


@cache
def _journal() -> tuple[bytes, bytes]:
    """A journal with some events, and its lines."""
    sys.path.insert(0, str(TESTS))
    from shared.site_events import PLAN, random_events

    from planner.install.site.files import write_lines
    from planner.install.site.journal import Journal

    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "site.db"
        with Journal(path) as journal:
            journal.write("test", "plan", "INSERT INTO plan VALUES (?, 1, '')", [(PLAN,)])
            journal.append(random_events(300, 1), crew="blue", role="crew")
            write_lines(journal, Path(place) / "site.jsonl")
        return path.read_bytes(), (Path(place) / "site.jsonl").read_bytes()


def _database(folder: Path, draw: random.Random, valid: bool) -> Case:
    """A journal: bytes of its pages, or values of its rows."""
    content = _journal()[0]
    if not valid and draw.random() < 0.6:
        content = _spoiled(draw, content)
    (folder / "site.db").write_bytes(content)
    if not valid and draw.random() < 0.4:
        _changed_row(draw, folder / "site.db")
    action, *words = draw.choice((
        ("status",), ("status", "--rebuild"), ("backup",), ("export", "--journal", "o.jsonl"), ("export", "--as-built", "o.csv"),
        ("export", "--remaining", "o.csv", "--statistics", "s.csv"), ("import", "site.db"), ("restore", "site.db"),
    ))  # fmt: skip
    database = "new.db" if action in ("import", "restore") else "site.db"
    return Case(call("site", action, str(SCHEDULE), *words, "--db", database), reads_first=False)


def _spoiled(draw: random.Random, content: bytes) -> bytes:
    if draw.random() < 0.5:
        return mutations.data(draw, content)
    found = bytearray(content)
    for _ in range(draw.choice((1, 3, 30, 1000))):
        found[draw.randrange(len(found))] = draw.randrange(256)
    return bytes(found)


def _changed_row(draw: random.Random, path: Path) -> None:
    """Change a value of a table to one that no event has, as somebody with an editor of databases."""
    values = (None, -1, 2**62, 1.5, b"\xff\xfe", "", "x" * 3000, "\x00", "R1 x", "nan", "\u202e", "as planned", "{", "9" * 30)
    column = draw.choice(("target", "end", "field", "value", "clock", "phone", "plan", "seen", "received", "crew", "item", "id"))
    try:
        with sqlite3.connect(path) as connection:
            connection.execute("DROP TRIGGER IF EXISTS no_change")
            table = draw.choice(("event", "state")) if column != "item" else "state"
            chosen = f"rowid = {draw.randrange(1, 300)}" if table == "event" else "abs(random()) % 40 = 0"
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {chosen}", (draw.choice(values),))
    except (sqlite3.Error, UnicodeDecodeError):
        pass
    finally:
        connection.close()


def _lines(folder: Path, draw: random.Random, valid: bool) -> Case:
    text = _journal()[1].decode()
    (folder / "in.jsonl").write_text(
        text if valid else mutations.text(draw, text), encoding="utf-8", errors="replace", newline=""
    )
    return Case(call("site", "import", str(SCHEDULE), "in.jsonl", "--db", "new.db"), reads_first=False)


def _device(folder: Path, draw: random.Random, valid: bool) -> Case:
    """A device type in YAML."""
    text = DEVICE
    if not valid and draw.random() < 0.5:
        lines = text.split("\n")
        place = draw.randrange(1, len(lines) - 1)
        key, colon, value = lines[place].partition(": ")
        value = draw.choice((value, "", "x", *mutations.NUMBERS))
        lines[place] = f"{key}{colon}{draw.choice(TAGS)} {value}"
        text = "\n".join(lines)
    elif not valid:
        text = mutations.text(draw, text)
    (folder / "in.yaml").write_text(text, encoding="utf-8", newline="")
    kind = draw.choice(("router", "router", "endpoint"))
    like = "nvidia-qm8700" if kind == "router" else "server-half-unit"
    return Case(call("catalog", "import", "in.yaml", "--kind", kind, "--like", like, "--out", "out.toml"))


def _attach(folder: Path, draw: random.Random, valid: bool) -> Case:
    """A table of attachments."""
    text = ATTACH.replace(",", draw.choice((",", ";", "\t")))
    (folder / "given.csv").write_text(text if valid else mutations.text(draw, text), encoding="utf-8", newline="")
    (folder / "study.toml").write_text(SEVERAL, encoding="utf-8")
    return Case(call("run", ".", "--quiet", "--until", "topology"))


# -- the server -------------------------------------------------------------------------------------


@cache
def _served(of_plan: bool):
    """A plan that is served, with a visitor of each role; whatever it writes is in a folder of its own."""
    sys.path.insert(0, str(TESTS))
    from queue import Queue

    from shared.served import Hall

    from planner.fabric import baseline
    from planner.install.editing import jobs
    from planner.install.site.journal import Journal
    from planner.studies import pipeline

    class Ended:
        """A process that has ended at once: long work would take hours."""

        exitcode, pid = 0, None

        def is_alive(self) -> bool:
            return False

    def start(self, work, *given):
        self._process, self._reports = Ended(), Queue()
        return self

    jobs.Job.start = start
    folder = Path(tempfile.mkdtemp(prefix="fuzz-served-"))
    if of_plan:
        (folder / "study.toml").write_text(STUDY.partition("[simulation]")[0], encoding="utf-8")
        pipeline.run(folder)
        hall = Hall(Journal(folder / "site.db"), planned=baseline.read(folder))
    else:
        hall = Hall(Journal(folder / "site.db"))
    visitors = [hall.guest(role, role) for role in ("foreman", "planner", "crew")]
    return hall, [*visitors, hall.stranger()]


def _requests(folder: Path, draw: random.Random, valid: bool, *, of_plan: bool) -> Case:
    """Requests that are almost right, to every door, with names of code among their values."""
    _served(of_plan)
    from shared.mutated_requests import VALUES, mutated, right, right_for_planners, right_for_work

    if "fuzz_code.evil" not in VALUES:
        VALUES += ["fuzz_code.evil"] * 5
    scan = (DATA / "formats" / "ibnetdiscover.txt").read_bytes()[:2000]
    base = [*right_for_planners(), *right_for_work()] if of_plan else right(b"\x89PNG\r\n\x1a\n", scan)
    # A verification starts a process, which takes most of the time.
    base = [each for each in base if each.path not in ("/api/verify", "/api/rooms/drawing") or draw.random() < 0.02]
    sent = (
        [each for each in base if each.path in ("/api/me", "/api/planning/state")]
        if valid
        else list(mutated(base, 5, draw.randrange(10**9)))
    )
    return Case(partial(_send, sent, of_plan, 0 if valid else draw.randrange(4)), reads_first=False)


def _send(sent: list, of_plan: bool, number: int) -> int:
    import httpx

    from planner.install.serve.limits import Rates

    hall, visitors = _served(of_plan)
    hall.served.rates = Rates()
    visitor, worst = visitors[number], 0
    for each in sent:
        request = visitor.http.build_request(each.method, "/", content=each.body, headers={**visitor.headers, **each.headers})
        try:
            request.url = httpx.URL(visitor.base).copy_with(raw_path=each.path.encode("ascii", "replace"))
        except httpx.InvalidURL:
            continue
        answer = visitor.http.send(request)
        worst = max(worst, answer.status_code)
        if answer.status_code >= 500 or "Traceback" in answer.text:
            print(each, answer.status_code, answer.text[:500], file=sys.stderr)
    if any(name.startswith("fuzz_code") for name in sys.modules):
        return 4
    return 3 if worst >= 500 and worst != 503 else 2 if worst >= 400 else 0


KINDS: dict[str, Callable[[Path, random.Random, bool], Case]] = {
    "scan": _scan,
    "archive": _archive,
    "schedule": _schedule,
    "journal": _database,
    "lines": _lines,
    "device": _device,
    "attach": _attach,
    "requests": partial(_requests, of_plan=False),
    "planning": partial(_requests, of_plan=True),
}
