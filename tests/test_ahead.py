"""Compilation ahead of use: started once for a cache, silent, and without harm where it is not possible."""

import subprocess
from itertools import chain

import pytest

from planner.commands.console import ahead
from planner.studies import pipeline, study


@pytest.fixture
def started(monkeypatch):
    """Commands that would have been started, on two processors."""
    commands = []
    monkeypatch.setattr(ahead, "processors", lambda: 2)
    monkeypatch.setattr(ahead.subprocess, "Popen", lambda command, **options: commands.append((command, options)))
    return commands


def test_a_cache_is_filled_once(started, monkeypatch, tmp_path):
    monkeypatch.setattr(ahead, "CACHE_FOLDER", str(tmp_path))
    ahead.start()
    ahead.start()
    ((command, options),) = started
    assert command[1:] == ["-m", "planner.commands.console.ahead"]
    assert {options[stream] for stream in ("stdin", "stdout", "stderr")} == {subprocess.DEVNULL}
    # Nothing in the user's folder is imported.
    assert (options["cwd"] / "planner" / "commands" / "console" / "ahead.py").samefile(ahead.__file__)
    # Ctrl-C ends the command only.
    assert options["start_new_session"]


@pytest.mark.parametrize(("folder", "count"), [("", 2), ("missing/folder", 2), (".", 1)])
def test_nothing_is_started_without_a_cache_or_a_second_processor(started, monkeypatch, tmp_path, folder, count):
    monkeypatch.setattr(ahead, "CACHE_FOLDER", folder and str(tmp_path / folder))
    monkeypatch.setattr(ahead, "processors", lambda: count)
    ahead.start()
    assert started == []


def test_a_process_that_cannot_start_is_no_error(started, monkeypatch, tmp_path):
    monkeypatch.setattr(ahead, "CACHE_FOLDER", str(tmp_path))

    def refuse(*arguments, **options):
        raise OSError("no more processes")

    monkeypatch.setattr(ahead.subprocess, "Popen", refuse)
    ahead.start()


@pytest.mark.slow
def test_the_small_study_is_planned_with_cables_in_trays(tmp_path):
    plan = pipeline.make(study.check(ahead.STUDY, base=tmp_path), chain.from_iterable(ahead.WANTED), accepted=False)
    assert plan.placement.cabinet_count > 1
    assert plan.cables.cable_count > 0
    assert plan.simulation.delivered[0] > 0
    assert list(tmp_path.iterdir()) == []
