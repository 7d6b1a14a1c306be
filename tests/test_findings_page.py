"""docs/findings.md: every command prints the figures below it, and those are the figures of the tables."""

import re
import runpy
import shlex
from pathlib import Path

import pytest

from planner.commands.console.cli import main

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")


def shown():
    """Commands of the page, each with the lines below it; long searches run at night."""
    for _, mark, block in re.findall(r"^(```)console( long)?\n(.*?)^```$", PAGE, re.M | re.S):
        for part in block.strip().split("\n\n"):
            command, *lines = part.splitlines()
            long = mark or "--effort high" in command or re.search("routers=(256|876)|moves=20", command)
            marks = [pytest.mark.nightly if long else pytest.mark.slow]
            yield pytest.param(command.removeprefix("$ "), lines, id=command[2:60], marks=marks)


def printed(command, capsys):
    program, *words = shlex.split(command)
    if program == "python":
        # As in a process of its own, without the seconds that its imports take.
        if words[0] == "-c":
            exec(compile(words[1], "<command>", "exec"), {"__name__": "__main__"})
        else:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("sys.argv", words)
                runpy.run_path(words[0], run_name="__main__")
    else:
        assert program == "planner"
        main([*words, *["--quiet"] * (words[0] == "topology")])
    found = capsys.readouterr()
    return found.out + found.err


def plain(text):
    return " ".join(text.split())


@pytest.mark.parametrize(("command", "lines"), list(shown()))
def test_a_command_prints_what_the_page_shows(command, lines, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    found = plain(printed(command, capsys))
    assert lines, "nothing is below this command"
    for line in lines:
        at = found.find(plain(line))
        assert at >= 0, f"not printed, or not in this order: {line}"
        found = found[at + len(plain(line)) :]


def test_every_row_states_whether_it_agrees():
    rows = [line for line in PAGE.splitlines() if re.match(r"\| [A-Z]\d", line)]
    numbers = [row.split("|")[1].strip() for row in rows]
    assert len(rows) >= 25
    assert len(set(numbers)) == len(numbers)
    for row in rows:
        assert len(row.split("|")) == 7, row
        assert row.split("|")[5].strip(), row


def test_the_figures_of_the_tables_are_printed_by_commands():
    """Numbers with a decimal point or a thousands separator in the column `here` are below a command, too."""
    below = plain(" ".join(line for parameters in shown() for line in parameters.values[1]))
    for line in PAGE.splitlines():
        if re.match(r"\| [A-Z]\d", line):
            for number in re.findall(r"\d+\.\d{3,}|\d+,\d{3}", line.split("|")[4]):
                assert number in below, f"{number} of {line.split('|')[1]}"
