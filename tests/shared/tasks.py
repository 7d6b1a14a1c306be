"""Functions that workers of the tests import."""

import os
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from planner.core.errors import InputError, Problem


def square(number):
    return number * number


def odd(number):
    if number % 2 == 0:
        raise InputError(Problem("", f"{number} is even"))
    return number


def lock(number):
    return threading.Lock()


def own_pid(number):
    time.sleep(0.05)
    return os.getpid()


@dataclass
class Prefix:
    text: bytes

    def __call__(self, task):
        return self.text + task


@dataclass
class Touch:
    folder: Path

    def __call__(self, number):
        (self.folder / str(number)).touch()
        time.sleep(0.02)


@dataclass
class Deadly:
    """Kills its process at one task, n times."""

    folder: Path
    deaths: int
    at: int

    def __call__(self, number):
        before = len(list(self.folder.iterdir()))
        if number == self.at and before < self.deaths:
            (self.folder / f"death-{before}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number


@dataclass
class Unlucky:
    """Kills its process once at each task that has a folder of its own."""

    folder: Path

    def __call__(self, number):
        own = self.folder / str(number)
        return Deadly(own, deaths=1, at=number)(number) if own.is_dir() else number


def sum_of(array, task):
    """Return the sum of an array before its first element is changed, and the task."""
    before = int(array.sum())
    array[0] = -1
    return before, task
