"""Every word that people read is one of the field: pages, help, messages, comments and names keep to one vocabulary."""

import ast
import io
import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from shared.syntax import nodes

from planner.commands import names
from planner.commands.console import cli
from planner.domain.quantities import QUANTITIES

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Rule:
    """Words that do not occur (a regular expression), what to write instead, and phrases in which they are right."""

    pattern: str
    instead: str
    allowed: tuple[str, ...] = ()
    found: re.Pattern = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Phrases that are right come first, so that they take their words away from the pattern; spaces include line ends.
        right = "|".join((*self.allowed, r"(?!)")).replace(" ", r"\s+")
        pattern = self.pattern.replace(" ", r"\s+")
        object.__setattr__(self, "found", re.compile(rf"\b(?:{right})\b|\b(?P<wrong>{pattern})\b", re.IGNORECASE))


_MOST = (
    "at most", "most of", "(?:in|if|for|of|than) most",
    "most (?:common|expensive|frequent|general|important|likely|loaded|probable|promising|recent|significant|similar|urgent)",
    "most (?:probably|recently)",
    r"(?<=[.:|]\s)most \w+s",
)  # fmt: skip

RULES = (
    Rule(
        r"ways?",
        "path (network), route (trays), medium class (0, 1), length (in a cabinet)",
        (r"(?:one|two|three|k|n|\d)-ways?", "(?:two|three) ways", "in any way"),
    ),
    Rule("traffics", "traffic patterns"),
    Rule("least", "minimum, smallest", ("at least", "least squares", "least significant", "least recently", "least common")),
    Rule("most", "maximum, largest, up to", _MOST),
    Rule("fewest", "minimum, smallest number of", ("sort key: fewest", r"with the fewest \w+")),
    Rule("greatest", "maximum, largest", ("greatest common",)),
    Rule("so many|as many(?: \\w+){0,4}? as|so much", "n, up to n, the number of", ("as many \\w+ as possible",)),
    Rule("lay|lays|laying|laid|lain", "route (planning), install or pull (crew)", ("(?:lay|lays|laying|laid) out",)),
    Rule("lie|lies|lying", "is, is located, runs"),
    Rule("stand|stands|standing|stood", "is, is located, is written", ("stands? for", "standing wave", "stand-alone")),
    Rule("beside", "next to, besides"),
    Rule("tell|tells|telling|told", "report, distinguish"),
    Rule("say|says|saying|said", "report, state, show"),
    Rule("ask|asks|asked|asking", "request, require"),
    Rule("anew", "again"),
    Rule("look(?:s|ed|ing)? at", "examine, check, consider; poll (a clock)"),
    Rule("circles? of waiting \\w+|wait\\w* (?:\\w+ )*in a circle", "cyclic channel dependency"),
    Rule("numbers that stay", "run constants"),
    Rule("dead|die|dies|died|dying", "failed, fails", ("dead ends?",)),
    Rule("lost packets?|packets? (?:is|are|was|were) lost|los(?:e|es|ing|t) (?:\\w+ )?packets?", "dropped packets"),
    Rule("dear|dearer|dearest|dearly", "expensive, penalized"),
    Rule("hangs? together", "connected"),
    Rule("cut into threads", "fractional (LP) relaxation"),
    Rule("deroutes?|derouted|derouting", "misroute"),
    Rule("sought", "wanted, searched"),
    Rule("knees?", "saturation point"),
    Rule("yardsticks?", "baseline"),
    Rule("ink", "canvas, print"),
    Rule("worth", "metrics, value, cost"),
    Rule("parted|parts (?:it|them)", "disconnected, split"),
    Rule("in pieces|into pieces|a piece of", "in parts, segment, component"),
    Rule("nothing but", "only"),
    Rule("hither|thither|whereof|thereof|whence|spelt|learnt|amongst|whilst", "plain American English"),
    Rule(
        r"\w*(?:colour|fibre(?!\w)|fibres|centre|neighbour|catalogue|licence|behaviour|labour|favour|optimis|minimis|maximis)\w*"
        r"|metres?|grey|analyse[ds]?|labell\w+|modell\w+|travell\w+|cancell(?:ed|ing)",
        "American spelling",
    ),
    Rule("\\d{1,3}[\u00a0\u2009\u202f]\\d{3}", "1,064"),
)

NAMES = {
    "way": "path, route, medium_class", "ways": "paths, routes", "least": "min", "most": "max", "fewest": "min",
    "greatest": "max", "laid": "routed", "lay": "route", "lies": "", "stands": "", "beside": "next_to", "told": "reported",
    "says": "", "asks": "requests", "anew": "again", "dead": "failed", "dies": "fails", "dear": "expensive",
    "dearer": "expensive", "deroute": "misroute", "deroutes": "misroutes", "sought": "wanted", "knee": "saturation",
    "yardstick": "baseline", "ink": "canvas", "worth": "metrics", "traffics": "patterns", "parted": "disconnected",
}  # fmt: skip
"""Words that are no part of a name in the code, and what to write instead."""

_ANY_NAME = re.compile(rf"(?<![^\W_])(?:{'|'.join(NAMES)})(?![^\W_])", re.IGNORECASE)
_RIGHT_NAMES = re.compile("at_most|at_least|most_common|dead_end|k_way")
_QUOTED_TITLE = re.compile(r"[\"“][^\"”\n]{15,}[\"”](?=[^\n]*\b(?:19|20)\d\d\b)")
_HIDDEN = re.compile(r"https?://\S+|\]\([^)\s]+\)")
_EXPRESSION = re.compile(r"\{[^{}\"' ]*(?:\([^{}]*\))?[^{}]*\}")


def _wrong(place: str, text: str, line_of: list[int] | None = None) -> Iterator[str]:
    """Yield every word of a text that does not belong there; `line_of` are the lines of the file, one for each of the text."""
    for hidden in (_QUOTED_TITLE, _HIDDEN):
        text = hidden.sub(lambda match: re.sub(r"\S", "·", match[0]), text)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for rule in RULES:
        for match in rule.found.finditer(text):
            if match["wrong"]:
                line = bisect_right(starts, match.start())
                line = line_of[line - 1] if line_of else line
                yield f"{place}:{line}: {' '.join(match[0].split())} -> {rule.instead}"


def _report(wrong: Iterator[str]) -> None:
    found = sorted(set(wrong))
    assert not found, f"{len(found)} words to replace:\n" + "\n".join(found)


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# -- pages, templates, help -----------------------------------------------------------------------

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "reports").rglob("*.md"))]
TEMPLATES = sorted(
    path
    for ending in ("js", "html", "css")
    for path in (ROOT / "planner").rglob(f"*.{ending}")
    if "third_party" not in path.parts
)
EXAMPLES = [*sorted((ROOT / "docs").rglob("*.toml")), *sorted((ROOT / "reports").rglob("*.toml"))]


def _files(paths: list[Path]) -> Iterator[str]:
    for path in paths:
        yield from _wrong(_place(path), path.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_words_of_the_pages():
    _report(_files(PAGES))


@pytest.mark.slow
def test_words_of_the_examples():
    _report(_files(EXAMPLES))


@pytest.mark.slow
def test_words_of_the_web_pages():
    _report(_files(TEMPLATES))


def _help(*arguments: str) -> str:
    with redirect_stdout(io.StringIO()) as printed, pytest.raises(SystemExit):
        cli.main([*arguments, "--help"])
    return printed.getvalue()


@pytest.mark.slow
def test_words_of_the_help(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    _report(line for name in ("", *names()) for line in _wrong(f"planner {name} --help", _help(*name.split())))


def test_words_of_the_quantities():
    _report(
        line
        for quantity in QUANTITIES
        for text in (quantity.meaning, quantity.name.replace("_", " "))
        for line in _wrong(f"quantity {quantity.name}", text)
    )


# -- the code -------------------------------------------------------------------------------------

SOURCES = sorted(
    path
    for folder in ("planner", "examples", "tools", "benchmarks", "tests")
    for path in (ROOT / folder).rglob("*.py")
    # The rules themselves have the words.
    if path != Path(__file__)
)


# What Python's tokenizer finds, in a third of its time.
_LITERAL = re.compile(
    r"""
      (?P<comment> \# [^\n]* )
    | (?P<string> (?:\b[bfru]{1,2})? (?:
          "{3} (?:[^\\]|\\.)*? "{3} | '{3} (?:[^\\]|\\.)*? '{3} | " (?:[^"\\\n]|\\.)* " | ' (?:[^'\\\n]|\\.)* '
      ))
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def _texts(source: str, kind: str) -> Iterator[tuple[str, list[int]]]:
    """Yield the strings or the comments of a source with the line of each of their lines; neighbors are one text."""
    parts: list[str] = []
    lines: list[int] = []
    line, end = 1, 0
    for match in _LITERAL.finditer(source):
        between, end, line = source[end : match.start()], match.end(), line + source.count("\n", end, match.start())
        if parts and (between.strip() or match.lastgroup != kind == "comment"):
            yield "\n".join(parts), lines
            parts, lines = [], []
        if match.lastgroup == kind:
            text = _string(match[0]) if kind == "string" else match[0].lstrip("# ")
            parts += text.split("\n")
            lines += range(line, line + text.count("\n") + 1)
        line += match[0].count("\n")
    if parts:
        yield "\n".join(parts), lines


def _string(literal: str) -> str:
    """The text of a literal as it is written, without the expressions of an f-string."""
    head = literal[: re.search("[\"']", literal).start()].lower()
    quote = 3 if literal[len(head) :][:3] in ('"""', "'''") else 1
    text = literal[len(head) + quote : -quote]
    return _EXPRESSION.sub("…", text) if "f" in head else text


def _words(source: str, place: str) -> Iterator[str]:
    for kind in ("string", "comment"):
        # A single word is a key or a name: names have a test of their own.
        texts = [(text, lines) for text, lines in _texts(source, kind) if kind == "comment" or " " in text]
        apart = "\n·\n"
        yield from _wrong(place, apart.join(text for text, _ in texts), [line for _, lines in texts for line in (*lines, 0)])


@pytest.mark.slow
def test_words_of_messages_meanings_docstrings_and_comments():
    _report(line for path in SOURCES for line in _words(path.read_text(encoding="utf-8"), _place(path)))


def _declared(path: Path) -> Iterator[tuple[str, int]]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno


@pytest.mark.slow
def test_names_in_the_code():
    wrong = []
    for path in SOURCES:
        # Few sources have such a word outside of strings and comments; only these are parsed.
        suspect = _ANY_NAME.search(_LITERAL.sub(" ", path.read_text(encoding="utf-8")))
        declared = [(path.stem, 1), *(_declared(path) if suspect else ())]
        for name, line in declared:
            bare = _RIGHT_NAMES.sub("", name.lower())
            wrong += [
                f"{_place(path)}:{line}: {name} -> {NAMES[word] or 'another name'}" for word in bare.split("_") if word in NAMES
            ]
    _report(iter(wrong))


# -- the test itself ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Cables of at most 3 m, at\nleast two", []),
        ("the least of all", ["least"]),
        ("by the way", ["way"]),
        ("what is laid as one", ["laid"]),
        ("laid out in rows; R stands for routers", []),
        ("faults lost up to 3 packets, lost packets", ["lost packets"]),
        ("Jiang, \"The least of all possible ways\", 2013", []),
        ("fibre and neighbours", ["fibre", "neighbours"]),
        ("1\u202f064 routers, 1,064 links", ["1 064"]),
        ("deadlock on a passageway", []),
    ],
)  # fmt: skip
def test_the_rules(text, words):
    assert [line.split(": ")[1].split(" -> ")[0] for line in _wrong("text", text)] == words


def test_lines_of_strings_and_comments():
    source = 'x = (f"a {least} b "  # at\n  # most\n  f"of the way")\n# told\n'
    assert [*_words(source, "x")] == [f"x:3: way -> {RULES[0].instead}", "x:4: told -> report, distinguish"]
