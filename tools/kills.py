"""Kill and interrupt commands at random moments: python tools/kills.py --count 200 --seed 1

Every command works in a folder that it was killed in before, and is killed again; after some kills it may end. What it leaves
then must be what an undisturbed command leaves, byte for byte, and no temporary file.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from fuzz_inputs import COMPARISON, NETWORK, STUDY, SWEEP

FORMATS = 'formats = ["csv", "pdf", "xlsx", "netbox", "labels_csv"]'

TIMED = {"provenance.json", "study.sqlite", "compare.sqlite", "compare.sqlite-journal"}
"""Files that hold how long things took; so does the choice of stages that sweeps and comparisons keep."""


@dataclass(frozen=True)
class Command:
    """A command line, the text of its input and the file that holds it; `first` is run once before."""

    words: tuple[str, ...]
    file: str
    text: str
    first: tuple[str, ...] = ()


_RUN = STUDY.replace('formats = ["csv", "labels_csv", "netbox"]', FORMATS).replace("moves = 500", "moves = 300_000")
_SWEEP = NETWORK.replace("cycles = 200", "cycles = 5000") + SWEEP

COMMANDS = {
    "run": Command(("run", ".", "--quiet"), "study.toml", _RUN),
    "sweep": Command(("sweep", ".", "--jobs", "2", "--quiet", "--table", "table.csv"), "study.toml", _SWEEP),
    "report": Command(
        ("report", ".", "--quiet", "--format", "csv,pdf,xlsx,html,netbox", "--out", "reports"),
        "study.toml",
        _RUN,
        ("run", ".", "--quiet"),
    ),
    "compare": Command(
        ("compare", ".", "--jobs", "2", "--quiet"), "comparison.toml", COMPARISON.replace("cycles = 200", "cycles = 3000")
    ),
}


def main() -> int:
    """Kill the commands of the command line; 1 when one of them left other bytes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=200, help="kills and interrupts of all commands together (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--commands", default=",".join(COMMANDS), help=f"comma-separated: {', '.join(COMMANDS)}")
    options = parser.parse_args()
    # A shell that starts this in the background has it ignore interrupts, and so would every command.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    names = options.commands.split(",")
    failures: list[str] = []
    for number, name in enumerate(names):
        count = options.count // len(names) + (number < options.count % len(names))
        found, wrong = disturbed(COMMANDS[name], count, random.Random(f"{options.seed} {name}"))
        failures += [f"{name}: {what}" for what in wrong]
        print(f"{name:<8} {', '.join(f'{n} {what}' for what, n in sorted(found.items()))}: {len(wrong)} failures", flush=True)
    for failure in failures:
        print(failure)
    return int(bool(failures))


def disturbed(command: Command, count: int, draw: random.Random) -> tuple[Counter[str], list[str]]:
    """Kill and interrupt a command; return how often what happened, and what was wrong."""
    found: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kills-") as place:
        # The first one may compile.
        _undisturbed(command, Path(place) / "warm")
        reference, lasts_s = _undisturbed(command, Path(place) / "reference")
        while found["kills"] + found["interrupts"] < count:
            folder = Path(place) / "disturbed"
            shutil.rmtree(folder, ignore_errors=True)
            _prepare(command, folder)
            for _ in range(min(draw.randint(1, 6), count - found["kills"] - found["interrupts"])):
                _disturb(command, folder, draw, lasts_s, found)
            _call(command.words, folder).communicate()
            found["ends"] += 1
            print(f"{command.words[0]}: {dict(found)}, {len(wrong)} failures", file=sys.stderr, flush=True)
            if differing := _differing(reference, _content(folder)):
                wrong.append(f"after {found['ends']} ends: {', '.join(differing)}")
    return found, wrong


def _undisturbed(command: Command, folder: Path) -> tuple[dict[str, bytes], float]:
    _prepare(command, folder)
    started = time.monotonic()
    process = _call(command.words, folder)
    complained = process.communicate()[1]
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{command.words} ends with {process.returncode}: {complained.decode()}")
    return _content(folder), time.monotonic() - started


def _prepare(command: Command, folder: Path) -> None:
    folder.mkdir()
    (folder / command.file).write_text(command.text, encoding="utf-8")
    if command.first:
        _call(command.first, folder).communicate()


def _call(words: tuple[str, ...], folder: Path) -> subprocess.Popen:
    call = [sys.executable, "-m", "planner", *words]
    return subprocess.Popen(call, cwd=folder, stderr=subprocess.PIPE, start_new_session=True)


def _disturb(command: Command, folder: Path, draw: random.Random, lasts_s: float, found: Counter[str]) -> None:
    """Kill or interrupt the command at a moment of its life, with all processes that it started."""
    how = draw.choice((signal.SIGKILL, signal.SIGINT))
    process = _call(command.words, folder)
    try:
        process.communicate(timeout=draw.uniform(0.1, 1.05) * lasts_s)
        found["too late"] += 1
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, how)
        found["kills" if how == signal.SIGKILL else "interrupts"] += 1
        process.communicate()


def _content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): b"" if path.name in TIMED else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith("-journal") and not path.parent.name.endswith(".stages")
    }


def _differing(reference: dict[str, bytes], found: dict[str, bytes]) -> list[str]:
    return sorted(name for name in reference.keys() | found.keys() if reference.get(name) != found.get(name))


if __name__ == "__main__":
    sys.exit(main())
