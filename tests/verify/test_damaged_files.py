"""Damaged discovery files: each is read, or refused with one clear error; never a traceback."""

import random
from pathlib import Path

import pytest
from shared.damaged_files import damaged, packed

from planner.core.errors import InputError
from planner.fabric.verify import readers
from planner.fabric.verify.found import Scan

FORMATS = Path(__file__).parents[1] / "data/verify/formats"
SAMPLES = {path.name: path.read_bytes() for path in sorted(FORMATS.iterdir())}
"""Small files of every format."""


def outcome(path: Path) -> str:
    """Return what became of a file, after checks of the error."""
    try:
        scans = readers.read([path])
    except InputError as error:
        assert error.problems
        assert all(problem.message and problem.file.startswith(str(path)) for problem in error.problems)
        # Messages quote at most a part of the damage.
        assert all(len(str(problem)) < 2000 + len(str(path)) for problem in error.problems)
        return "refused"
    assert all(isinstance(scan, Scan) for scan in scans)
    for scan in scans:
        for reading in scan.readings:
            assert reading.port.device in scan.devices
            assert reading.far is None or reading.far.device in scan.devices
    return "read"


def outcomes(count: int, seed: int, folder: Path) -> dict[str, int]:
    """Return how many of `count` damaged files, every tenth an archive, were read and refused."""
    draw = random.Random(seed)
    found = {"read": 0, "refused": 0}
    names = sorted(SAMPLES)
    for number in range(count):
        name = names[number % len(names)]
        others = [SAMPLES[draw.choice(names)] for _ in range(2)]
        content = damaged(SAMPLES[name], others, draw)
        if number % 10 == 9:
            content = packed({f"switch{draw.choice(('', '/../..', '/.hidden'))}/{name}": content, "R1": others[0]}, draw)
            content = damaged(content, others, draw) if draw.random() < 0.7 else content
        path = folder / f"{number}-{name}"
        path.write_bytes(content)
        found[outcome(path)] += 1
        path.unlink()
    return found


@pytest.mark.slow
def test_damaged_files_are_read_or_refused(tmp_path):
    found = outcomes(2_000, 1, tmp_path)
    assert sum(found.values()) == 2_000
    # Damage is neither ignored nor does it spoil everything.
    assert min(found.values()) > 100


@pytest.mark.nightly
def test_ten_thousand_damaged_files_are_read_or_refused(tmp_path):
    found = outcomes(10_000, 2, tmp_path)
    assert sum(found.values()) == 10_000
    assert min(found.values()) > 500


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_cut_at_any_line_is_read_or_refused(name, tmp_path):
    rows = SAMPLES[name].splitlines(keepends=True)
    path = tmp_path / name
    for count in range(len(rows)):
        path.write_bytes(b"".join(rows[:count]) + rows[count][: len(rows[count]) // 2])
        outcome(path)
