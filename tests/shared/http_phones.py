"""A server in a process of its own, and many phones that send to it over sockets."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from planner.install.site import access
from planner.install.site.journal import Journal

SERVER = "from planner.commands.console.cli import main; import sys; sys.exit(main(sys.argv[1:]))"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextmanager
def server(plan: Path, db: Path, *options: str) -> Iterator[tuple[subprocess.Popen, int]]:
    """Run ``planner serve`` until the block ends; yield the process and its port, on which it listens already."""
    port = free_port()
    words = ["serve", str(plan), "--db", str(db), "--port", str(port), *options]
    process = subprocess.Popen([sys.executable, "-c", SERVER, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        first = process.stdout.readline().decode()
        assert f":{port}/" in first, first + process.stdout.read().decode()
        yield process, port
    finally:
        process.terminate()
        process.stdout.read()
        process.stdout.close()
        process.wait()


@contextmanager
def forked(plan: Path, db: Path, **settings: Any) -> Iterator[tuple[multiprocessing.Process, int]]:
    """Serve in a copy of this process, which has all modules at hand, until the block ends; the copy may be killed.

    It is the function behind ``planner serve`` with its settings; what it prints is in the file `printed_by` of the journal.
    """
    from planner.install.serve.run import Settings, serve

    port = free_port()

    def run() -> None:
        with printed_by(db).open("w", encoding="utf-8") as file, redirect_stdout(file), redirect_stderr(file):
            serve(Settings(plan, db, port=port, **settings))

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    try:
        printed = ""
        while f":{port}/" not in printed:
            time.sleep(0.02)
            with suppress(FileNotFoundError):
                printed = printed_by(db).read_text(encoding="utf-8")
            assert process.is_alive() or f":{port}/" in printed, printed
        yield process, port
    finally:
        process.kill()
        process.join()


def printed_by(db: Path) -> Path:
    """Return the file with what the server of a journal printed."""
    return db.with_suffix(".printed")


def sessions(db: Path, count: int) -> list[str]:
    """Return the cookies of crews, as opening their links makes them."""
    with Journal(db) as journal:
        made = [access.session(journal, access.issue(journal, f"crew {number}")) for number in range(count)]
    return [cookie for cookie in made if cookie]


@dataclass
class Phone:
    """One connection that is kept open, and the session of a crew."""

    port: int
    cookie: str
    csrf: str = ""
    took_s: list[float] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)

    async def begin(self) -> Phone:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.csrf = (await self.ask("GET", "/api/me"))["csrf"]
        return self

    async def ask(self, method: str, path: str, content: Any = None) -> Any:
        body = b"" if content is None else json.dumps(content).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: planner={self.cookie}\r\n"
            f"X-Planner: {self.csrf}\r\nOrigin: http://127.0.0.1:{self.port}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        first = await self.reader.readline()
        length = 0
        while (line := await self.reader.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        answer = await self.reader.readexactly(length)
        if b" 429 " in first:
            await asyncio.sleep(0.2)
            return await self.ask(method, path, content)
        assert b" 200 " in first, (first, answer)
        return json.loads(answer)

    async def end(self) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()

    async def sends(self, batches: Sequence[list[dict]], *, pause_s: float = 0.0) -> None:
        for batch in batches:
            started = time.perf_counter()
            found = await self.ask("POST", "/api/install/events", {"events": batch})
            self.took_s.append(time.perf_counter() - started)
            assert not found["refused"], found
            assert found["new"] + found["known"] == len(batch)
            self.acknowledged += [each["id"] for each in batch]
            await asyncio.sleep(pause_s)


def phone_events(count: int, seed: int, *, cables: int, phones: int) -> list[dict]:
    """Events as phones send them, about few cables: values collide, clocks are often equal."""
    from shared.site_events import random_events

    draw = random.Random(seed)
    found = random_events(count, seed, phones=phones)
    for each in found:
        del each["target"], each["plan"]
        each["cable"] = 1 + draw.randrange(cables)
    return found


def batches_of(events: Sequence[dict], number: int, phones: int, *, batch: int = 10, seed: int = 1) -> list[list[dict]]:
    """Return what one of the phones sends: its batches out of order, every fifth twice, events in any order."""
    draw = random.Random(seed * 1000 + number)
    own = events[number::phones]
    made = [own[start : start + batch] for start in range(0, len(own), batch)]
    draw.shuffle(made)
    return [draw.sample(each, len(each)) for place, each in enumerate(made) for _ in range(2 if place % 5 == 0 else 1)]


async def bursts(
    port: int, cookies: Sequence[str], events: Sequence[dict], *, batch: int = 10, pause_s: float = 0.0
) -> list[Phone]:
    """Send all events from one phone for each cookie, all at once; return the phones."""
    phones = [await Phone(port, cookie).begin() for cookie in cookies]
    jobs = [
        phone.sends(batches_of(events, number, len(phones), batch=batch), pause_s=pause_s) for number, phone in enumerate(phones)
    ]
    await asyncio.gather(*jobs)
    await asyncio.gather(*(phone.end() for phone in phones))
    return phones


def state_by_number(journal: Journal, keys: dict[str, int]) -> dict[tuple, tuple]:
    """Return the state with numbers of cables in place of their keys."""
    return {(keys[r.target], r.end, r.field, r.item): (r.value, r.id) for r in journal.registers()}


def plain_by_number(events: Sequence[dict]) -> dict[tuple, tuple]:
    """Return the plain fold of events: the last by clock, phone and id; remarks are all kept."""
    from shared.site_events import plain_state

    return plain_state([{**each, "target": each["cable"]} for each in events])
