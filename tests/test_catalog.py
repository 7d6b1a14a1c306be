"""Choosing the parts of a study, and every way in which a catalog file can be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from planner import catalog, shipped
from planner.errors import InputError
from planner.model import Catalog

OWN = Path(__file__).parent / "data" / "catalog" / "own.toml"
TEXT = OWN.read_text(encoding="utf-8")


@pytest.fixture
def nothing_shipped(tmp_path, monkeypatch):
    """Catalogs without any shipped file, for tests that bring all rows themselves."""
    monkeypatch.setattr(shipped, "folder", lambda name: tmp_path / "empty")


def own(path=OWN, **choice) -> Catalog:
    rules = {"labour": "own-labour", "loss": "own-loss", "custom_length": "own-custom"}
    return catalog.select("own-router", "own-server", "own-cabinet", files=(str(path),), **rules, **choice)


# -- selecting --------------------------------------------------------------------------------


def test_slimfly_200_study():
    selected = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
    assert {assembly.kind for assembly in selected.link_assemblies} == {"DAC", "AOC", "SR4"}
    assert {assembly.medium for assembly in selected.link_assemblies} == {"copper", "optical"}
    assert selected.endpoint.endpoints == 4
    assert max(assembly.reach_mm for assembly in selected.link_assemblies) == 100_000
    assert selected.fingerprint == catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300").fingerprint


def test_polarstar_1064_study():
    selected = catalog.select("nvidia-sn4700", "server-half-unit-400g", "hpe-10648-g2")
    by_id = {assembly.id: assembly for assembly in selected.link_assemblies}
    assert by_id["400g-qsfpdd-dac"].stock_mm == (500, 1000, 1500, 2000, 2500, 3000)
    assert by_id["400g-aec"].stock_mm == (3000, 5000, 7000)
    assert {assembly.kind for assembly in by_id.values()} == {"DAC", "AEC", "AOC", "DR4"}
    assert selected.cabinet.units == 48


def test_fibre_assembly_is_two_modules_and_a_jumper(nothing_shipped):
    """Price, reach and power of a pair of unlike modules; a twin module counts half, rounded up."""
    selected = own()
    copper, optical = selected.endpoint_assemblies
    assert (copper.id, copper.connector_a, copper.connector_b) == ("own-copper", "PLUG-2x10", "PLUG")
    assert optical.id == "own-twin-module+own-glass+own-module"
    assert optical.stock_mm == (5000, 20_000)
    assert optical.price_cents == (500 + 2501 + 3000, 800 + 2501 + 3000)
    assert (optical.reach_mm, optical.power_mw, optical.delay_end_ps) == (50_000, 1751, 2500)
    assert (optical.end_part, optical.end_price_cents, optical.end_links) == ("own-twin-module", 5001, 2)
    assert (optical.end_part_b, optical.end_price_b_cents) == ("own-module", 3000)
    (link,) = selected.link_assemblies
    assert (link.id, link.price_cents[0], link.end_part_b) == ("own-twin-module+own-glass", 5502, "")


def test_rows_in_use_are_all_there_once():
    selected = catalog.select("nvidia-sb7800", "server-one-unit", "apc-ar3300")
    ids = [row.id for row in selected.rows]
    assert ids[:4] == ["nvidia-sb7800", "server-one-unit", "apc-ar3300", "mudigonda-2011"]
    assert ids[4:] == sorted(set(ids[4:]))
    assert "nvidia-structured" in ids
    for assembly in (*selected.link_assemblies, *selected.endpoint_assemblies):
        assert {assembly.length_part, assembly.end_part or assembly.length_part} <= set(ids)


def test_cables_restrict_the_choice():
    selected = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", cables=("100g-qsfp28-aoc",))
    assert [assembly.id for assembly in selected.link_assemblies] == ["100g-qsfp28-aoc"]


def test_own_rows_replace_shipped_ones(tmp_path):
    text = TEXT.replace("own-router", "nvidia-sb7800").replace("PLUG-2x10", "QSFP28").replace("ports_per_cage = 2\n", "")
    path = write(tmp_path, text)
    own = {row.id: row for row in catalog.rows("router", (path,))}["nvidia-sb7800"]
    assert (own.ports, own.source) == (8, "our own measurement")


def test_estimates_can_be_refused():
    with pytest.raises(InputError, match="price_cents") as caught:
        catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", allow_estimates=False)
    assert [problem.place for problem in caught.value.problems] == ["router", "endpoint", "cabinet", "labour"]


# -- what can be wrong ------------------------------------------------------------------------


def write(folder: Path, text: str, name: str = "own.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


# name: text replaced, by what, place named, text on the line named, message or remedy
WRONG = {
    "negative price": ("= 150_000", "= -1", "cabinet own-cabinet.price_cents", "price_cents = -1", "or equal to 0"),
    "missing key": ("mass_g = 5000\n", "", "router own-router.mass_g", "[[router]]", "needs this key; add mass_g"),
    "wrong key": ("bend_mm = 25", "bent_mm = 25", "cable own-twin.bent_mm", "bent_mm", "did you mean bend_mm"),
    "text for number": ("ports = 8", 'ports = "8"', "router own-router.ports", 'ports = "8"', "valid integer"),
    "fraction": ("mass_g = 5000", "mass_g = 0.5", "router own-router.mass_g", "mass_g = 0.5", "valid integer"),
    "unknown medium": ('"copper"', '"cooper"', "cable own-copper.medium", '"cooper"', "'active copper' or 'optical'"),
    "too large": ("units = 42", "units = 9999999999", "cabinet own-cabinet.units", "units = 9999999999", "less than or equal"),
    "not parallel": ("[1000, 1000, 1500]", "[1]", "cable own-copper.price_cents", "price_cents = [1]", "1 prices .* 3 stock"),
    "falling price": ("800, 2000]", "800, 700]", "fibre own-glass.price_cents", "800, 700]", "700 at 80000 mm is cheaper"),
    "stock order": ("2000, 3000]", "2000, 2000]", "cable own-copper.stock_mm", "2000, 2000]", "2000 follows 2000"),
    "beyond reach": ("reach_mm = 3000", "reach_mm = 2999", "cable own-copper.stock_mm", "2000, 3000]", "beyond reach_mm"),
    "odd ports": ("ports = 8", "ports = 7", "router own-router.ports_per_cage", "ports_per_cage = 2", "7 ports do not fill"),
    "typical power": ("= 90_000", "= 9", "router own-router.power_typical_mw", "power_typical_mw = 50_000", "more than"),
    "wrong estimates": ("[[cable]]", '[[cable]]\nestimates = ["x"]', "cable own-copper.estimates", '["x"]', "'x' is not a key"),
    "same id twice": ('"own-twin"', '"own-copper"', "cable own-copper", "[[cable]]", "stands already at"),
    "unknown kind": ("[[cabinet]]", "[[cabinets]]", "cabinets", "[[cabinets]]", "did you mean cabinet"),
    "table for list": ("[[labour]]", "[labour]", "labour", "[labour]", r"write \[\[labour\]\]"),
    "wrong default": ('= "A"', '= "E"', "router own-router.confidence", 'confidence = "E"', "'A', 'B', 'C' or 'D'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_file_is_named_with_line_and_remedy(nothing_shipped, tmp_path, name):
    good, bad, place, at, message = WRONG[name]
    text = TEXT.replace(good, bad, 1)
    assert text != TEXT
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=message) as caught:
        catalog.rows("router", (path,))
    lines = {(problem.file, problem.place): problem.line for problem in caught.value.problems}
    assert lines[path, place] == text[: text.rindex(at)].count("\n") + 1


def test_truncated_toml(nothing_shipped, tmp_path):
    path = write(tmp_path, TEXT[: TEXT.index("[1000, 2000") + 8])
    with pytest.raises(InputError, match="not valid TOML") as caught:
        catalog.rows("router", (path,))
    assert (caught.value.problems[0].file, caught.value.problems[0].line > 0) == (path, True)


def test_all_problems_of_all_files_at_once(nothing_shipped, tmp_path):
    first = write(tmp_path, TEXT.replace("units = 42", "units = 0").replace("ports = 8", "ports = -8"), "first.toml")
    second = write(tmp_path, "[[router]]\nid = 'lone'\n[[wat", "second.toml")
    with pytest.raises(InputError) as caught:
        catalog.rows("router", (first, second, str(tmp_path / "third.toml")))
    assert [Path(problem.file).name for problem in caught.value.problems] == ["first.toml"] * 2 + ["second.toml", "third.toml"]


def test_same_id_in_two_files(nothing_shipped, tmp_path):
    paths = (write(tmp_path, TEXT, "a.toml"), write(tmp_path, TEXT, "b.toml"))
    with pytest.raises(InputError, match=r"stands already at .*a\.toml:8") as caught:
        catalog.rows("router", paths)
    assert {Path(problem.file).name for problem in caught.value.problems} == {"b.toml"}


def test_unknown_parts_are_named_with_the_nearest():
    with pytest.raises(InputError) as caught:
        catalog.select("nvida-sb7800", "server", "apc-ar3300", labour="free", cables=("100g-qsfp28-aco",))
    text = {problem.place: problem.remedy for problem in caught.value.problems}
    assert set(text) == {"router", "endpoint", "labour", "cables"}
    assert "did you mean nvidia-sb7800?" in text["router"]
    assert "did you mean 100g-qsfp28-aoc?" in text["cables"]


def test_nothing_joins_these_connectors():
    with pytest.raises(InputError, match=r"no cable joins QSFP28 to OSFP at 800 Gb/s; there are .*QSFP28 to QSFP28 at 100"):
        catalog.select("nvidia-sb7800", "server-half-unit-800g", "apc-ar3300")


def test_unknown_kind():
    with pytest.raises(InputError, match="did you mean router"):
        catalog.rows("routr")


values = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.floats().map(repr),
    st.text("ab\"'\\\n[]{}=.", max_size=6).map(lambda text: f'"{text}"'),
    st.sampled_from(["[]", "{}", "true", "[[1]]", "1979-05-27", "[1, 'a']", "{ a = { b = 1 } }", "inf", '"QSFP28"', '""']),
)


@examples(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    line=st.integers(0, TEXT.count("\n") - 1),
    action=st.sampled_from(["value", "delete", "key", "repeat", "truncate", "insert"]),
    value=values,
    cut=st.integers(0, len(TEXT)),
)
def test_any_mutation_gives_a_catalog_or_an_input_error(nothing_shipped, tmp_path, line, action, value, cut):
    """Whatever happens to a file, the answer is a catalog or an explanation with a place, never another error."""
    lines = TEXT.splitlines()
    name, _, old = lines[line].partition(" = ")
    changed = {
        "value": f"{name} = {value}",
        "delete": "",
        "key": f"{name}x = {old}",
        "repeat": f"{lines[line]}\n{lines[line]}",
        "insert": value,
        "truncate": lines[line],
    }[action]
    text = "\n".join([*lines[:line], changed, *lines[line + 1 :]])
    path = write(tmp_path, text[:cut] if action == "truncate" else text)
    try:
        answer = own(path)
    except InputError as error:
        answer = error
    explained = isinstance(answer, InputError) and all(problem.file or problem.place for problem in answer.problems)
    assert explained or isinstance(answer, Catalog)
