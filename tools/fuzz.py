"""Run Planner on mutated inputs of every kind: python tools/fuzz.py --count 20000 --seed 1

Every case is a valid input with a few mutations, drawn from the seed and its own number. A case fails when the command

- ends otherwise than with exit code 0, 1 or 2 (a traceback, a bug of ours),
- takes more than 10 s of a processor longer than its valid input, or a minute longer by the clock,
- leaves a temporary file, writes outside its folder, or writes anything although the input was refused before work began.

Cases run in processes of their own, one after the other in each, so that one that hangs or fails affects no other.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import multiprocessing
import os
import random
import resource
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import fuzz_inputs
import fuzz_strangers
from fuzz_inputs import Case

KINDS = fuzz_inputs.KINDS | fuzz_strangers.KINDS

SLOWER_S = 10.0
"""Processor time that a case may take beyond the valid input of its kind."""

WAITS_S = 60.0
"""The same by the clock, on a machine that is busy with other work."""

MEMORY_BYTES = 12 * 2**30


@dataclass(frozen=True)
class Failure:
    """A case that failed, and how."""

    number: int
    kind: str
    what: str


def main() -> int:
    """Run the cases of the command line; 1 when one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=1000, help="number of cases (default 1000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case, to go on or to repeat one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"comma-separated: {', '.join(KINDS)}")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", metavar="FOLDER", help="keep the inputs of failed cases here")
    options = parser.parse_args()
    started = time.monotonic()
    kinds = options.kinds.split(",")
    numbers = range(options.first, options.first + options.count)
    counts, failures = run(numbers, options.seed, kinds, options.jobs, Path(options.keep) if options.keep else None)
    for (kind, ending), count in sorted(counts.items()):
        print(f"{kind:<12} {ending:<10} {count:>7,}")
    for failure in failures:
        print(f"case {failure.number} ({failure.kind}): {failure.what}")
    print(f"{sum(counts.values()):,} cases in {time.monotonic() - started:,.0f} s: {len(failures)} failures")
    return int(bool(failures))


def run(
    numbers: range, seed: int, kinds: list[str], worker_count: int = 1, keep: Path | None = None
) -> tuple[Counter[tuple[str, str]], list[Failure]]:
    """Run some cases; return how many of each kind ended how, and those that failed.

    Parameters
    ----------
    numbers
        Numbers of the cases; kinds take turns.
    seed
        Of all mutations.
    kinds
        Kinds of input.
    worker_count
        Processes at a time.
    keep
        Folder for the inputs of cases that fail.
    """
    counts: Counter[tuple[str, str]] = Counter()
    failures: list[Failure] = []
    with tempfile.TemporaryDirectory(prefix="fuzz-", ignore_cleanup_errors=True) as place:
        workers = [_Worker(Path(place) / str(n), list(numbers[n::worker_count]), seed, kinds, keep) for n in range(worker_count)]
        try:
            while any(worker.busy for worker in workers):
                wait([worker.pipe for worker in workers if worker.busy], timeout=0.5)
                for worker in workers:
                    for number, ending, what in worker.reports():
                        kind = kinds[number % len(kinds)]
                        counts[kind, ending] += 1
                        if counts.total() % 500 == 0:
                            print(f"{counts.total():,} cases, {len(failures)} failures", file=sys.stderr, flush=True)
                        if what:
                            failures.append(Failure(number, kind, what))
                            print(f"case {number} ({kind}): {what}", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print("interrupted: the cases so far", file=sys.stderr)
        finally:
            for worker in workers:
                worker.end()
    return counts, failures


class _Worker:
    """A process that runs cases, replaced when one hangs or kills it."""

    def __init__(self, place: Path, numbers: list[int], seed: int, kinds: list[str], keep: Path | None) -> None:
        self.place, self.numbers, self.seed, self.kinds, self.keep = place, numbers, seed, kinds, keep
        self.busy = bool(numbers)
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        arguments = (theirs, self.place, self.numbers, self.seed, self.kinds, self.keep)
        self.process = context.Process(target=_work, args=arguments, daemon=True)
        self.process.start()
        theirs.close()
        # The first case waits for imports and compiling.
        self._allow(300.0)

    def _allow(self, valid_s: float) -> None:
        self.ends = time.monotonic() + valid_s + WAITS_S
        self.ends_s = _used_s(self.process.pid) + valid_s + SLOWER_S

    def reports(self) -> Iterator[tuple[int, str, str]]:
        """Give the cases that ended since the last call: number, how, and what was wrong."""
        try:
            while self.busy and self.pipe.poll():
                number, ending, what, valid_s = self.pipe.recv()
                if ending == "starts":
                    self._allow(valid_s)
                    continue
                yield number, ending, what
                self._done(number)
        except (EOFError, OSError):
            self.process.join()
            yield from self._lost(f"the process ended with code {self.process.exitcode}", "ended")
        if self.busy and (time.monotonic() > self.ends or _used_s(self.process.pid) > self.ends_s):
            yield from self._lost(f"took more than {SLOWER_S:g} s longer than the valid input", "hangs")

    def _lost(self, what: str, ending: str) -> Iterator[tuple[int, str, str]]:
        if not self.busy:
            return
        number = self.numbers[0]
        self.end()
        if self.keep is not None:
            _kept(self.keep, self.place, number)
        yield number, ending, what
        self._done(number)
        if self.busy:
            self._start()

    def _done(self, number: int) -> None:
        self.numbers.remove(number)
        self.busy = bool(self.numbers)

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _used_s(process: int | None) -> float:
    """Processor time that a process has used."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _work(pipe: Connection, place: Path, numbers: list[int], seed: int, kinds: list[str], keep: Path | None) -> None:
    """Run cases one after the other; report each before and after."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    warnings.simplefilter("ignore")
    valid_s: dict[str, float] = {}
    for number in numbers:
        kind = kinds[number % len(kinds)]
        if kind not in valid_s:
            pipe.send((number, "starts", "", 300.0))
            ending, what = _once(place, kind, random.Random(0), valid=True)
            if what:
                raise RuntimeError(f"{kind}: {ending}: {what}")
            started = time.process_time()
            _once(place, kind, random.Random(0), valid=True)
            valid_s[kind] = time.process_time() - started
        pipe.send((number, "starts", "", valid_s[kind]))
        ending, what = _once(place, kind, random.Random(f"{seed} {number}"), valid=False)
        if what and keep is not None:
            _kept(keep, place, number)
        pipe.send((number, ending, what, 0.0))
    pipe.close()


def _once(place: Path, kind: str, draw: random.Random, *, valid: bool) -> tuple[str, str]:
    """Run one case in an empty folder; return how it ended and what was wrong."""
    shutil.rmtree(place, ignore_errors=True)
    inside = place / "outer" / "case"
    inside.mkdir(parents=True)
    with contextlib.chdir(inside):
        case = KINDS[kind](inside, draw, valid)
        before = _listing(place)
        printed, complained = io.StringIO(), io.StringIO()
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
                code = case.run()
        except SystemExit as error:
            code = error.code
        except BaseException as error:
            return "crash", f"{type(error).__name__}: {error} at {traceback.extract_tb(error.__traceback__)[-1]}"
        what = fault_of(code, complained.getvalue(), case, before, _listing(place), inside)
    if valid and code not in (0, 1):
        what = f"the valid input is refused: {complained.getvalue()}"
    return f"exit {code}", what


def fault_of(code: object, complained: str, case: Case, before: set[Path], after: set[Path], inside: Path) -> str:
    if code not in (0, 1, 2):
        return f"exit code {code}: {complained[-400:]}"
    if "Traceback" in complained or "\x1b" in complained:
        return f"prints {complained[-400:]!r}"
    if temporary := [path for path in after if "partial" in path.name]:
        return f"leaves {temporary[0].name}"
    if outside := [path for path in after - before if inside not in path.parents]:
        return f"writes {outside[0]}"
    if code == 2 and case.reads_first and after != before:
        return f"is refused and yet writes {sorted(after - before)[0].name}"
    return ""


def _listing(place: Path) -> set[Path]:
    return {Path(folder) / name for folder, _, names in os.walk(place) for name in names}


def _kept(keep: Path, place: Path, number: int) -> None:
    shutil.copytree(place, keep / str(number), dirs_exist_ok=True)


if __name__ == "__main__":
    sys.exit(main())
