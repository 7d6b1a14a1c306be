"""Public names: what the pages and examples show is listed, and what is listed stays, with its parameters."""

import inspect
import re
from importlib import import_module
from pathlib import Path

from planner.core.record import Record

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests/data/public-names.txt"

_MEMBERS = re.compile(r"^::: ([\w.]+)\n((?:    .*\n|\n)*)", re.MULTILINE)
_IMPORTS = re.compile(r"^from (planner[\w.]*) import (\([\w, \n]+\)|[\w, ]+)", re.MULTILINE)


def shown() -> set[str]:
    """Names of the page of the API, and those that examples and code of other pages import."""
    names = set()
    for name, options in _MEMBERS.findall((ROOT / "docs/api.md").read_text(encoding="utf-8")):
        members = re.search(r"members: \[([\w, ]+)\]", options)
        names |= {f"{name}.{member}" for member in re.split(r", *", members[1])} if members else members_of(name)
    for path in (*ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.py")):
        for module, found in _IMPORTS.findall(path.read_text(encoding="utf-8")):
            names |= {f"{module}.{name}" for name in re.findall(r"\w+", found)}
    return names


def members_of(name: str) -> set[str]:
    """The names that a module lists in `__all__`; the name itself if it is a class or function."""
    return {f"{name}.{member}" for member in getattr(resolved(name), "__all__", ())} or {name}


def resolved(name: str):
    """The object of a dotted name."""
    module, _, rest = name.rpartition(".")
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return getattr(resolved(module), rest)


def parameters(item) -> list[str]:
    """Names of the parameters of a function or class, optional ones in brackets; [] for anything else."""
    if not callable(item) or getattr(item, "__module__", "").partition(".")[0] != "planner":
        return []
    try:
        known = inspect.signature(item).parameters.values()
    except ValueError:
        return []
    return [one.name if one.default is one.empty else f"[{one.name}]" for one in known]


def lines() -> dict[str, list[str]]:
    return {name: rest for name, *rest in map(str.split, LIST.read_text(encoding="utf-8").splitlines())}


def test_every_name_that_is_shown_is_listed():
    listed = lines()
    missing = {" ".join([name, *parameters(resolved(name))]) for name in shown() - listed.keys()}
    assert not missing, "add to tests/data/public-names.txt:\n" + "\n".join(sorted(missing))


def test_every_listed_name_takes_what_it_took():
    """What goes stays for a minor version, with a DeprecationWarning; then its line goes, and the changelog names it."""
    gone = []
    for name, known in lines().items():
        try:
            item = resolved(name)
        except (AttributeError, ImportError) as error:
            gone.append(f"{name}: {error}")
            continue
        now = parameters(item)
        names = [one.strip("[]") for one in now]
        gone += [f"{name} takes no {one}" for one in known if one.strip("[]") not in names]
        # Records are read; stages make them.
        made = not (isinstance(item, type) and issubclass(item, Record))
        gone += [f"{name} needs {one}" for one in now if made and "[" not in one and one not in known]
    assert not gone, "\n".join(gone)


def test_the_list_is_sorted():
    names = list(lines())
    assert names == sorted(names)
