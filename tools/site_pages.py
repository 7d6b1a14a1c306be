"""Pages of the documentation site that are not files of docs/: gallery, linked files, and the reference of the commands.

MkDocs calls these functions (``hooks`` in mkdocs.yml). Pages of the repository link to each other as files; every link to a file
outside docs/ becomes a link inside the site.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from planner.commands.console import cli

ROOT = Path(__file__).parents[1]
COMMANDS = "reference/cli.md"

_LINK = re.compile(r"(\]\()([^)#\s]+)")
_FENCE = re.compile(r"^(```\w+) \w+$", re.MULTILINE)
_PLACES = {"docs": "", "reports": "gallery"}
_PROJECT = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Append the pages of docs/method that the navigation does not name."""
    method = next(entry["Method"] for entry in config.nav if "Method" in entry)
    named = {path for entry in method for path in entry.values()}
    method += sorted({f"method/{page.name}" for page in (ROOT / "docs" / "method").glob("*.md")} - named)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the gallery, the pages of the project, all files that pages link to, and the reference of the commands."""
    queue = [ROOT / "docs" / file.src_uri for file in files.documentation_pages()]
    queue += [*sorted(ROOT.glob("reports/**/README.md")), *(ROOT / name for name in _PROJECT)]
    seen = set()
    while queue:
        source = queue.pop()
        if source in seen:
            continue
        seen.add(source)
        uri = site_uri(source)
        if files.get_file_from_path(uri) is None:
            files.append(File.generated(config, uri, abs_src_path=str(source)))
        if source.suffix == ".md":
            queue += [target for target in _targets(source) if target.is_file()]
    files.append(File.generated(config, COMMANDS, content=commands_page()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links between files of the repository into links inside the site; drop marks behind the language of a code block."""
    markdown = _FENCE.sub(r"\1", markdown)
    source = _sources(files).get(page.file.src_uri)
    return markdown if source is None else relinked(markdown, source)


def site_uri(source: Path) -> str:
    """Return the path inside the site of a file of the repository.

    >>> site_uri(ROOT / "reports" / "README.md"), site_uri(ROOT / "docs" / "study.md"), site_uri(ROOT / "floorplans" / "lab.toml")
    ('gallery/README.md', 'study.md', 'files/floorplans/lab.toml')
    """
    top, *rest = source.relative_to(ROOT).parts
    if not rest:
        return "index.md" if top == "README.md" else f"project/{top}"
    return str(PurePosixPath(_PLACES.get(top, f"files/{top}"), *rest))


def relinked(markdown: str, source: Path) -> str:
    """Return the text of a page with each link to an existing file replaced by the link inside the site."""

    def replaced(match: re.Match[str]) -> str:
        target = _resolved(source, match[2])
        if not target.is_file():
            return match[0]
        start = PurePosixPath(site_uri(source)).parent
        return match[1] + os.path.relpath(site_uri(target), start).replace(os.sep, "/")

    return _LINK.sub(replaced, markdown)


def commands_page() -> str:
    """Return the page of all commands: usage, what each does, and its arguments."""
    parser = cli._parser()
    lines = ["# Commands", "", f"{parser.description} Every command prints its own help with `--help`.", ""]
    for name, command in _subparsers(parser):
        lines += [f"## planner {name}", ""]
        for words, part in [(name, command), *((f"{name} {action}", sub) for action, sub in _subparsers(command))]:
            part.prog, part.formatter_class = f"planner {words}", _usage
            lines += [f"### planner {words}", ""] if words != name else []
            lines += [f"{part.description}.", ""] if part.description else []
            lines += ["```text", part.format_usage().strip(), "```", "", *_arguments(part), ""]
    return "\n".join(lines)


def _arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the table of a command's arguments."""
    shown = [action for action in parser._actions if not isinstance(action, (argparse._HelpAction, argparse._SubParsersAction))]
    if not shown:
        return
    yield "| argument | meaning |"
    yield "|---|---|"
    for action in shown:
        value = action.metavar or ("{" + ",".join(action.choices) + "}" if action.choices else action.dest)
        value = value if isinstance(value, str) else " ".join(value)
        name = value if not action.option_strings else ", ".join(action.option_strings)
        name = f"{name} {value}" if action.option_strings and action.nargs != 0 else name
        # Code may hold a bar, other text in a table may not.
        meaning = (action.help or "").replace("|", "\\|")
        yield f"| `{name}` | {meaning} |"


def _subparsers(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _usage(prog: str) -> argparse.HelpFormatter:
    return argparse.HelpFormatter(prog, width=84)


def _targets(source: Path) -> list[Path]:
    return [_resolved(source, match[2]) for match in _LINK.finditer(source.read_text(encoding="utf-8"))]


def _resolved(source: Path, target: str) -> Path:
    return source if "://" in target else Path(os.path.normpath(source.parent / target))


def _sources(files: Files) -> dict[str, Path]:
    """Return the file of the repository behind each page of the site."""
    docs = ROOT / "docs"
    return {
        file.src_uri: Path(file.abs_src_path) if file.generated_by else docs / file.src_uri
        for file in files.documentation_pages()
        if file.abs_src_path
    }
