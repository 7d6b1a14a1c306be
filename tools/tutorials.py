"""Run the commands of docs/tutorials and renew the output that the pages show: python tools/tutorials.py [PAGE ...]

A page is a script. A block with a title is a file, a ``sh`` block holds commands, and the ``text`` block after it shows what they
print; a command that shall fail ends with the comment ``# exit code 2``. In shown output a line ``...`` replaces any number of
lines, and ``...`` within a line any text.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from planner.commands.console import cli

PAGES = Path(__file__).parents[1] / "docs" / "tutorials"

BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"# exit code (\d+)$")


@dataclass(frozen=True)
class Output:
    """What a page shows of the commands before a text block, what they print, and the span of the text in the page."""

    commands: str
    shown: str
    printed: str
    span: tuple[int, int]

    def agrees(self) -> bool:
        """Return whether the printed text is the shown one, up to what ``...`` replaces."""
        pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else _pattern(line) + r"\n" for line in self.shown.splitlines())
        return re.fullmatch(pattern, self.printed) is not None


def play(page: Path, folder: Path) -> Iterator[Output]:
    """Write the files of a page into a folder, run its commands there, and yield the output that it shows with the real one.

    The folder has the ``examples`` of the repository, so that commands work from its root as they are written.

    Raises
    ------
    RuntimeError
        When a command ends with another exit code than 0, or than its comment names.
    """
    text = page.read_text(encoding="utf-8")
    commands = printed = ""
    (folder / "examples").symlink_to(PAGES.parents[1] / "examples")
    with _inside(folder):
        for block in BLOCK.finditer(text):
            language, title, content = block.groups()
            if title:
                path = Path(title)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            elif language == "sh":
                commands, printed = content, _run(content)
            elif language == "text":
                yield Output(commands, content, printed, block.span(3))


def renewed(page: Path, folder: Path) -> str:
    """Return the text of a page with its output renewed; lines that were left out stay out."""
    text = page.read_text(encoding="utf-8")
    for output in reversed(list(play(page, folder))):
        if not output.agrees():
            start, end = output.span
            text = text[:start] + _aligned(output) + text[end:]
    return text


def _run(commands: str) -> str:
    """Return what the commands print."""
    stream = io.StringIO()
    for command in commands.replace("\\\n", " ").splitlines():
        program, *words = shlex.split(command, comments=True)
        if program == "export":
            name, _, value = words[0].partition("=")
            os.environ[name] = value
            sys.path.insert(0, str(Path(value).resolve()))
            continue
        if program == "cat":
            stream.write(Path(words[0]).read_text(encoding="utf-8"))
            continue
        assert program == "planner", f"a tutorial runs planner and cat, not {program}"
        failure, errors = _EXIT.search(command), io.StringIO()
        with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(errors):
            code = cli.main(words)
        if code != (int(failure[1]) if failure else 0):
            raise RuntimeError(f"{command}: exit code {code}\n{errors.getvalue()}")
        if failure:
            stream.write(errors.getvalue())
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Work in a folder; restore what commands of a page change."""
    before, environment, path = Path.cwd(), dict(os.environ), list(sys.path)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:] = path


def _pattern(line: str) -> str:
    return ".*".join(re.escape(part) for part in line.rstrip().split("..."))


def _aligned(output: Output) -> str:
    """Return the shown lines, each replaced by the most similar printed one after it, with the printed ones between."""
    printed, lines, at, left_out = output.printed.splitlines(), [], 0, False
    if not output.shown.strip():
        return output.printed
    for line in output.shown.splitlines():
        rest = printed[at:]
        if line.strip() == "...":
            lines.append(line)
            left_out = True
            continue
        if not rest:
            continue
        fits = [number for number, other in enumerate(rest) if re.fullmatch(_pattern(line), other)]
        likeness = [difflib.SequenceMatcher(None, line, other).ratio() for other in rest]
        number = fits[0] if fits else likeness.index(max(likeness))
        lines += [] if left_out else rest[:number]
        lines.append(line if fits else rest[number])
        at, left_out = at + number + 1, False
    lines += [] if left_out else printed[at:]
    return "".join(f"{line}\n" for line in lines)


def main(names: list[str]) -> None:
    """Renew the pages of these names, or all."""
    for page in [PAGES / f"{name}.md" for name in names] or sorted(PAGES.glob("*.md")):
        with tempfile.TemporaryDirectory() as folder:
            page.write_text(renewed(page, Path(folder)), encoding="utf-8")
        print(page)


if __name__ == "__main__":
    main(sys.argv[1:])
