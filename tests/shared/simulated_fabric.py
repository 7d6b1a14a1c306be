"""An InfiniBand fabric in ibsim: cables are plugged otherwise, OpenSM brings it up, and the real tools read it back."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import time
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from planner.formats import write

TOOLS = ("ibsim", "opensm", "ibnetdiscover", "iblinkinfo", "dump_fts")
SCANS = {"ibnetdiscover": ("ibnetdiscover",), "ibnetdiscover-p": ("ibnetdiscover", "-p"), "iblinkinfo": ("iblinkinfo", "--line")}
PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"

Port = tuple[str, int]


def require_tools() -> None:
    """Skip where the real tools are missing; in CI they must be there."""
    missing = [name for name in TOOLS if shutil.which(name, path=PATH) is None]
    if missing:
        assert "CI" not in os.environ, "CI must have them: apt-get install ibsim-utils opensm infiniband-diags"
        pytest.skip(f"no {missing[0]} on this machine: apt-get install ibsim-utils opensm infiniband-diags")


@dataclass
class SimulatedFabric:
    """Boxes and cables of a file of ibsim.

    `heads` are the lines before the ports of each node, by its identifier; `far` joins ports, in both directions.
    """

    folder: Path
    heads: dict[str, list[str]] = field(default_factory=dict)
    far: dict[Port, Port] = field(default_factory=dict)

    @classmethod
    def of(cls, plan, folder: Path, **options) -> SimulatedFabric:
        """Return the fabric of the report ``ibsim`` of a plan."""
        with zipfile.ZipFile(write(plan, folder, "ibsim", **options)) as archive:
            archive.extractall(folder)
        fabric = cls(folder)
        for record in (folder / "fabric.net").read_text().split("\n\n"):
            lines = record.strip().splitlines()
            heads = [line for line in lines if not line.startswith("[")]
            if not heads:
                continue
            here = re.match(r'\w+\s+\d+ "(.*?)"', heads[-1])[1]
            fabric.heads[here] = heads
            for line in lines[len(heads) :]:
                near, there, port = re.match(r'\[(\d+)\](?:\(\w+\))?\s*"(.*?)"\[(\d+)\]', line).groups()
                fabric.join((here, int(near)), (there, int(port)))
        return fabric

    @property
    def names(self) -> dict[str, str]:
        """Device of each node, by its identifier: the first word of its description."""
        return {node: re.search(r'# "(\S+?)[ "]', lines[-1])[1] for node, lines in self.heads.items()}

    @property
    def ports(self) -> dict[str, int]:
        return {node: int(lines[-1].split()[1]) for node, lines in self.heads.items()}

    @property
    def first(self) -> str:
        """The node at which the tools are attached."""
        return next(iter(self.heads))

    def is_switch(self, node: str) -> bool:
        return self.heads[node][-1].startswith("Switch")

    def join(self, one: Port, other: Port) -> None:
        self.far[one], self.far[other] = other, one

    def unplug(self, port: Port) -> Port:
        """Take out the cable at a port, and return its other end."""
        other = self.far.pop(port)
        del self.far[other]
        return other

    def links(self) -> set[frozenset[tuple[str, int]]]:
        """Every link by the names of devices."""
        names = self.names
        return {frozenset([(names[a], m), (names[b], n)]) for (a, m), (b, n) in self.far.items()}

    def text(self) -> str:
        records = []
        for node, heads in self.heads.items():
            own = sorted((port, far) for (here, port), far in self.far.items() if here == node)
            records.append("\n".join([*heads, *(self._line(node, port, far) for port, far in own)]) + "\n")
        return "\n".join(records) + "\n"

    def _line(self, node: str, port: int, far: Port) -> str:
        text = re.search(r'# "(.*?)"', self.heads[far[0]][-1])[1]
        if self.is_switch(node):
            return f'[{port}]\t"{far[0]}"[{far[1]}]\t\t# "{text}" lid 0 4xEDR'
        guid = int(re.search(r"caguid=0x(\w+)", "\n".join(self.heads[node]))[1], 16) + port
        return f'[{port}]({guid:x})\t"{far[0]}"[{far[1]}]\t\t# lid 0 lmc 0 "{text}" lid 0 4xEDR'

    @contextmanager
    def running(self):
        """Bring the fabric up, and yield a function that runs a tool on it and returns what it prints."""
        work = self.folder / "run"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        (work / "fabric.net").write_text(self.text())
        preload = next(Path("/usr/lib").glob("*/umad2sim/libumad2sim.so"))
        name = f"verify{os.getpid()}-{random.SystemRandom().randrange(10**9)}"
        environment = {
            **os.environ, "PATH": PATH, "IBSIM_SOCKNAME": name, "OSM_TMP_DIR": str(work), "OSM_CACHE_DIR": str(work),
            "SIM_HOST": self.first,
        }  # fmt: skip
        limits = (self.folder / "limits").read_text().split()
        with (work / "ibsim.log").open("w") as log:
            command = ["ibsim", "-s", "-n", *limits, "fabric.net"]
            simulator = subprocess.Popen(command, cwd=work, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        try:
            end = time.monotonic() + 60
            while "simulator ready" not in (work / "ibsim.log").read_text():
                assert simulator.poll() is None, (work / "ibsim.log").read_text()
                assert time.monotonic() < end, "ibsim does not become ready"
                time.sleep(0.02)

            def run(*command: str) -> str:
                done = subprocess.run(
                    command, cwd=work, env={**environment, "LD_PRELOAD": str(preload)}, capture_output=True, text=True,
                    timeout=120, stdin=subprocess.DEVNULL, check=False,
                )  # fmt: skip
                return done.stdout

            run("opensm", "-F", "/dev/null", "-e", "-o", "-f", str(work / "opensm.log"), "--dump_files_dir", str(work))
            yield run
        finally:
            simulator.kill()
            simulator.wait()

    def scanned(self, *tools: str) -> dict[str, Path]:
        """Return what some tools of infiniband-diags print, as files; all of `SCANS` unless named."""
        found = {}
        with self.running() as run:
            for tool in tools or SCANS:
                path = self.folder / "run" / f"{tool}.txt"
                path.write_text(run(*SCANS[tool]))
                found[tool] = path
        return found


# -- errors of crews --------------------------------------------------------------------------------


def plant(fabric: SimulatedFabric, rng: random.Random, count: int) -> list[str]:
    """Plug some cables otherwise, each port at most once, and return what was done; the first node keeps its cables."""
    done: list[str] = []
    untouched = {port for port in fabric.far if fabric.first not in (port[0], fabric.far[port][0])}
    free = [(node, port) for node, ports in fabric.ports.items() if fabric.is_switch(node) for port in range(1, ports + 1)]
    empty = [port for port in free if port not in fabric.far]
    kinds = ("swap at a switch", "swap anywhere", "missing", "free port", "shift", "extra")
    while len(done) < count:
        kind = rng.choice(kinds)
        at = sorted(port for port in untouched if fabric.is_switch(port[0]) and fabric.far[port] in untouched)
        touched: list[Port] = []
        if kind.startswith("swap"):
            one = rng.choice(at)
            others = [port for port in at if kind == "swap anywhere" or port[0] == one[0]]
            other = rng.choice(others)
            if other in (one, fabric.far[one]):
                continue
            touched = [one, other, fabric.far[one], fabric.far[other]]
            far_one, far_other = fabric.unplug(one), fabric.unplug(other)
            fabric.join(one, far_other)
            fabric.join(other, far_one)
        elif kind == "missing":
            one = rng.choice(at)
            touched = [one, fabric.unplug(one)]
        elif kind == "free port" and empty:
            one, place = rng.choice(at), rng.choice(empty)
            if one[0] != place[0]:
                continue
            touched = [one, far := fabric.unplug(one), place]
            fabric.join(place, far)
            empty.remove(place)
        elif kind == "shift":
            node = rng.choice(sorted({port[0] for port in at}))
            own = [port for port in at if port[0] == node]
            last = max(port for here, port in fabric.far if here == node)
            block = [port for port in own if port[1] > last - 3]
            if len(block) < 3 or (node, last + 1) not in empty or any(fabric.far[port][0] == node for port in block):
                continue
            touched = [*block, (node, last + 1), *(fabric.far[port] for port in block)]
            for port in sorted(block, reverse=True):
                fabric.join((node, port[1] + 1), fabric.unplug(port))
            empty.remove((node, last + 1))
        elif kind == "extra" and len(empty) > 1:
            one, other = rng.sample(empty, 2)
            if one[0] == other[0]:
                continue
            touched = [one, other]
            fabric.join(one, other)
            empty = [port for port in empty if port not in (one, other)]
        else:
            continue
        untouched -= set(touched)
        done.append(kind)
    return done
