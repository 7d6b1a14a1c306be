"""Messages from a trace file, with their dependencies."""

from __future__ import annotations

import graphlib
from pathlib import Path
from typing import Any

import numpy as np

from planner.core.errors import Problem
from planner.simulation import _csv
from planner.simulation.messages import Messages

_HEADER = ["id", "source", "target", "bytes", "compute_ns", "after"]


def messages(ranks: int, file: Path) -> Messages:
    """Return the messages of a trace.

    A message is sent `compute_ns` after all messages named in `after` are delivered, or `compute_ns` after the
    start if there are none. There is no other order, not even within a rank: list all dependencies of a
    message.

    Parameters
    ----------
    ranks
        Ranks of the job.
    file
        CSV with the header ``id,source,target,bytes,compute_ns,after``: a name without spaces, two ranks from 0, two
        integers, and names separated by spaces, in any order of lines. Empty lines and lines
        that begin with ``#`` are skipped.

    Raises
    ------
    InputError
        When the file cannot be read, with every wrong line, or for a cyclic dependency of messages.
    """
    reader = _Reader(str(file), ranks)
    for line, words in _csv.lines(file, _HEADER):
        reader.take(line, words)
    reader.link()
    reader.check()
    count = len(reader.numbers)
    source, target, size, compute_ns = (np.array(column) for column in zip(*reader.rows, strict=True))
    after = [(one, number) for number, names in enumerate(reader.waits) for one in names]
    pairs = np.array(sorted(after), np.int64).reshape(-1, 2)
    return Messages(
        ranks=ranks,
        target=target.astype(np.int32),
        bytes=size.astype(np.int64),
        first=np.arange(count + 1, dtype=np.int64),
        rank=source.astype(np.int32),
        compute_ns=compute_ns.astype(np.int64),
        then=np.full(count, -1, np.int32),
        wake_first=np.searchsorted(pairs[:, 0], np.arange(count + 1)).astype(np.int64),
        wake=pairs[:, 1].astype(np.int32),
    )


class _Reader:
    """Parser of trace lines that collects all problems."""

    def __init__(self, file: str, ranks: int):
        self.file, self.ranks = file, ranks
        self.numbers: dict[str, int] = {}
        self.rows: list[tuple[Any, ...]] = []
        self.waits: list[set[int]] = []
        self._after: list[list[str]] = []
        self._line: list[int] = []
        self._problems: list[Problem] = []

    def _wrong(self, line: int, message: str, remedy: str) -> None:
        self._problems.append(Problem("", message, remedy, self.file, line))

    def take(self, line: int, words: list[str]) -> None:
        if len(words) != len(_HEADER):
            self._wrong(line, f"has {len(words)} columns", f"write {','.join(_HEADER)}")
            return
        name, numbers = words[0], [_whole(word) for word in words[1:5]]
        for column, word, number in zip(_HEADER[1:5], words[1:5], numbers, strict=True):
            if number is None:
                self._wrong(line, f"{column} {word!r} is not a non-negative integer", "write one")
        for rank in numbers[:2]:
            if rank is not None and rank >= self.ranks:
                self._wrong(line, f"unknown rank {rank}", f"use 0 to {self.ranks - 1}, or more ranks")
        if not name or " " in name:
            self._wrong(line, f"{name!r} is not a name", "write one without spaces")
        elif name in self.numbers:
            self._wrong(line, f"message {name} is defined twice", "give every message its own name")
        self.numbers[name] = len(self.rows)
        self.rows.append(tuple(numbers))
        self._after.append(words[5].split())
        self._line.append(line)

    def link(self) -> None:
        """Resolve the names that messages wait for."""
        for line, names in zip(self._line, self._after, strict=True):
            for name in names:
                if name not in self.numbers:
                    self._wrong(line, f"unknown message {name}", "name a message of the file")
            self.waits.append({self.numbers[name] for name in names if name in self.numbers})

    def check(self) -> None:
        """Raise InputError if there are problems."""
        if not self.rows and not self._problems:
            self._wrong(0, "contains no message", "write at least one")
        if not self._problems:
            self._check_cycles()
        _csv.refuse(self._problems)

    def _check_cycles(self) -> None:
        try:
            graphlib.TopologicalSorter(dict(enumerate(self.waits))).prepare()
        except graphlib.CycleError as error:
            names = list(self.numbers)
            cycle = error.args[1][::-1]
            text = " waits for ".join(names[number] for number in cycle[:8])
            self._wrong(self._line[cycle[0]], f"messages have a cyclic dependency: {text}", "remove one of them from after")


def _whole(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 16 else None
