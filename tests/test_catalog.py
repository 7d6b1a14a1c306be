"""Selection of the parts of a study, and every kind of error in a catalog file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from planner.core import reading, shipped
from planner.core.errors import InputError
from planner.design.inventory import inventory
from planner.design.placement.packing.cabinets.capacity import Capacity
from planner.domain import catalog
from planner.domain.model import Catalog
from planner.network.topology import build

OWN = Path(__file__).parent / "data" / "catalog" / "own.toml"
TEXT = OWN.read_text(encoding="utf-8")


@pytest.fixture
def nothing_shipped(tmp_path, monkeypatch):
    """Catalogs without any shipped file, for tests that bring all rows themselves."""
    monkeypatch.setattr(shipped, "folder", lambda name: tmp_path / "empty")


def own(path=OWN, **choice) -> Catalog:
    rules = {"labor": "own-labor", "loss": "own-loss", "custom_length": "own-custom"}
    return catalog.select("own-router", "own-server", "own-cabinet", files=(str(path),), **rules, **choice)


# -- selecting --------------------------------------------------------------------------------


def test_one_network_needs_router_and_endpoint():
    """The catalog of a study with several networks chooses the parts of none of them."""
    without = catalog.select(cabinet="apc-ar3300")
    with pytest.raises(InputError, match="states no router or no endpoint"):
        inventory(build("hyperx", sizes=[2, 2]), without)
    with pytest.raises(InputError, match="states no router or no endpoint"):
        Capacity(without, power_mw=10**7, load_g=10**6).needs(np.ones((1, 3), np.int64))


def test_panels_need_parts_for_bundling():
    with pytest.raises(InputError, match="give rows of the kinds trunk_rule, panel, shuffle_box and fill"):
        str(replace(catalog.select(cabinet="apc-ar3300"), bundling=None).bundling_parts)


def test_slimfly_200_study():
    selected = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
    assert {assembly.kind for assembly in selected.link_assemblies} == {"DAC", "AOC", "SR4", "CWDM4"}
    assert {assembly.medium for assembly in selected.link_assemblies} == {"copper", "optical"}
    assert selected.endpoint.endpoints == 4
    reach_mm = {assembly.kind: assembly.reach_mm for assembly in selected.link_assemblies}
    assert (reach_mm["AOC"], reach_mm["SR4"], reach_mm["CWDM4"]) == (100_000, 100_000, 200_000)
    assert selected.fingerprint == catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300").fingerprint


def test_polarstar_1064_study():
    selected = catalog.select("nvidia-sn4700", "server-half-unit-400g", "hpe-10648-g2")
    by_id = {assembly.id: assembly for assembly in selected.link_assemblies}
    assert by_id["400g-qsfpdd-dac"].stock_mm == (500, 1000, 1500, 2000, 2500, 3000)
    assert by_id["400g-aec"].stock_mm == (3000, 5000, 7000)
    assert {assembly.kind for assembly in by_id.values()} == {"DAC", "AEC", "AOC", "DR4"}
    assert selected.cabinet.units == 48


def test_fiber_assembly_is_two_modules_and_a_jumper(nothing_shipped):
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


def test_shared_assemblies_are_separate(nothing_shipped):
    """Twin-port cables join two cages, splitters a cage and two endpoints; 150 and 2 x 80 mW over 2 links are 77.5 an end."""
    selected = own()
    (twin,), (splitter,) = selected.shared_link_assemblies, selected.shared_endpoint_assemblies
    assert (twin.id, twin.links, twin.tails, twin.carries, twin.power_mw) == ("own-twin", 2, 1, 2, 100)
    assert [end.power_mw for end in twin.ends] == [200, 200]
    assert (splitter.id, splitter.tails, splitter.carries, splitter.reach_mm) == ("own-splitter", 2, 2, 2500)
    assert (splitter.price_cents, splitter.power_mw) == ((1500, 1700), 78)
    assert [end.power_mw for end in splitter.ends] == [150, 80]
    assert not any(assembly.carries > 1 for assembly in (*selected.link_assemblies, *selected.endpoint_assemblies))


def test_jumpers_keep_to_the_loss_budget(nothing_shipped, tmp_path):
    """OM4 loses 3 dB/km here: 20 m 0.06 dB and 80 m 0.24 dB. With 0.12 dB allowed, 40 m is as far as light goes."""
    (whole,) = own().link_assemblies
    assert (whole.reach_mm, whole.stock_mm, whole.budget_db, whole.loss_db) == (80_000, (5000, 20_000, 80_000), 2.0, 0.24)
    assert (whole.glass, whole.plug, whole.fibers) == ("om4", "lc", 2)
    (tight,) = own(write(tmp_path, TEXT.replace("budget_db = 2.0", "budget_db = 0.12"))).link_assemblies
    assert (tight.reach_mm, tight.stock_mm, tight.loss_db) == (40_000, (5000, 20_000), 0.06)
    with pytest.raises(InputError, match="no cable connects PLUG-2x10 to PLUG-2x10"):
        own(write(tmp_path, TEXT.replace("budget_db = 2.0", "budget_db = 0.014")))


def test_a_short_reach_is_kept_regardless_of_the_budget(nothing_shipped, tmp_path):
    text = TEXT.replace("reach_mm = 100_000\nbudget_db", "reach_mm = 30_000\nreach_om3_mm = 7000\nbudget_db")
    (link,) = own(write(tmp_path, text)).link_assemblies
    assert (link.reach_mm, link.stock_mm) == (30_000, (5000, 20_000))
    (link,) = own(write(tmp_path, text.replace('glass = "om4"', 'glass = "om3"'))).link_assemblies
    assert (link.reach_mm, link.stock_mm) == (7000, (5000,))


@pytest.mark.parametrize(
    ("media", "kinds"),
    [
        (("passive copper",), {"DAC"}),
        (("AOC",), {"AOC"}),
        (("transceiver",), {"SR4", "CWDM4"}),
        (("passive copper", "transceiver"), {"DAC", "SR4", "CWDM4"}),
        ((), {"DAC", "AOC", "SR4", "CWDM4"}),
    ],
)
def test_media_restrict_the_choice(media, kinds):
    selected = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", media=media)
    assert {assembly.kind for assembly in (*selected.link_assemblies, *selected.endpoint_assemblies)} == kinds


def test_no_medium_is_left():
    with pytest.raises(InputError, match="no cable connects QSFP28 to QSFP28"):
        catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", media=("active copper",))


def test_a_splitter_without_a_price_is_refused():
    with pytest.raises(InputError, match="200g-qsfp56-aoc-splitter has no price_cents, power_head_mw") as caught:
        catalog.select("nvidia-qm8700", "server-half-unit-200g", "apc-ar3300", cables=("200g-qsfp56-aoc-splitter",))
    assert "[[breakout]]" in caught.value.problems[0].remedy


def test_ndr_cages_take_twin_cables_and_splitters():
    selected = catalog.select("nvidia-qm9700", "server-half-unit-400g-osfp", "apc-ar3300")
    assert [assembly.id for assembly in selected.shared_link_assemblies] == ["400g-osfp-twin-acc", "400g-osfp-twin-dac"]
    assert [assembly.id for assembly in selected.shared_endpoint_assemblies] == ["800g-osfp-2x400-dac"]
    assert {assembly.end_links for assembly in selected.link_assemblies} == {2}


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
    assert [problem.place for problem in caught.value.problems] == ["router", "endpoint", "cabinet", "labor"]


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
    "falling price": ("800, 2000]", "800, 700]", "fiber own-glass.price_cents", "800, 700]", "700 at 80000 mm is cheaper"),
    "stock order": ("2000, 3000]", "2000, 2000]", "cable own-copper.stock_mm", "2000, 2000]", "2000 follows 2000"),
    "negative loss": ("mpo_db = 0.5", "mpo_db = -0.5", "loss own-loss.mpo_db", "mpo_db = -0.5", "greater than or equal to 0"),
    "no budget": ("budget_db = 2.0", "budget_db = 0", "transceiver own-twin-module.budget_db", "budget_db = 0", "greater than 0"),
    "unknown glass": ('"om4"', '"om9"', "fiber own-glass.glass", '"om9"', "'om3', 'om4' or 'os2'"),
    "one tail": ("tails = 2", "tails = 1", "breakout own-splitter.tails", "tails = 1", "greater than or equal to 2"),
    "splitter ladder": ("[1500, 1700]", "[1500]", "breakout own-splitter.price_cents", "[1500]", "1 prices .* 2 stock"),
    "splitter reach": (
        "reach_mm = 2500",
        "reach_mm = 1999",
        "breakout own-splitter.stock_mm",
        "2000]\nprice_cents = [1500",
        "beyond",
    ),
    "no step": ("increment_mm = 250", "increment_mm = 0", "custom_length own-custom.increment_mm", "increment_mm = 0", "than 0"),
    "discount": (
        "markup_percent = 25",
        "markup_percent = -1",
        "custom_length own-custom.markup_percent",
        "markup_percent = -1",
        "0",
    ),
    "beyond reach": ("reach_mm = 3000", "reach_mm = 2999", "cable own-copper.stock_mm", "2000, 3000]", "beyond reach_mm"),
    "odd ports": ("ports = 8", "ports = 7", "router own-router.ports_per_cage", "ports_per_cage = 2", "7 ports do not fill"),
    "typical power": ("= 90_000", "= 9", "router own-router.power_typical_mw", "power_typical_mw = 50_000", "more than"),
    "wrong estimates": ("[[cable]]", '[[cable]]\nestimates = ["x"]', "cable own-copper.estimates", '["x"]', "'x' is not a key"),
    "same id twice": ('"own-twin"', '"own-copper"', "cable own-copper", "[[cable]]", "is already used at"),
    "unknown kind": ("[[cabinet]]", "[[cabinets]]", "cabinets", "[[cabinets]]", "did you mean cabinet"),
    "table for list": ("[[labor]]", "[labor]", "labor", "[labor]", r"write \[\[labor\]\]"),
    "wrong default": ('= "A"', '= "E"', "router own-router.confidence", 'confidence = "E"', "'A', 'B', 'C' or 'D'"),
}


@pytest.mark.slow
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
    with pytest.raises(InputError, match=r"is already used at .*a\.toml:8") as caught:
        catalog.rows("router", paths)
    assert {Path(problem.file).name for problem in caught.value.problems} == {"b.toml"}


def test_unknown_parts_are_named_with_the_nearest():
    with pytest.raises(InputError) as caught:
        catalog.select("nvida-sb7800", "server", "apc-ar3300", labor="free", cables=("100g-qsfp28-aco",))
    text = {problem.place: problem.remedy for problem in caught.value.problems}
    assert set(text) == {"router", "endpoint", "labor", "cables"}
    assert "did you mean nvidia-sb7800?" in text["router"]
    assert "did you mean 100g-qsfp28-aoc?" in text["cables"]


def test_nothing_joins_these_connectors():
    with pytest.raises(InputError, match=r"no cable connects QSFP28 to OSFP at 800 Gb/s; there are .*QSFP28 to QSFP28 at 100"):
        catalog.select("nvidia-sb7800", "server-half-unit-800g", "apc-ar3300")


def test_unknown_kind():
    with pytest.raises(InputError, match="did you mean router"):
        catalog.rows("routr")


def test_unknown_medium_and_rules():
    with pytest.raises(InputError) as caught:
        catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", loss="none", custom_length="mudigonda")
    text = {problem.place: problem.remedy for problem in caught.value.problems}
    assert set(text) == {"loss", "custom_length"}
    assert "mudigonda-2011-custom" in text["custom_length"]
    data = {"router": "a", "endpoint": "b", "cabinet": "c", "media": ["glass"]}
    with pytest.raises(InputError, match="'passive copper', 'active copper', 'AOC' or 'transceiver'") as caught:
        reading.arguments(catalog.select, data=data, owner="catalog")
    assert [problem.place for problem in caught.value.problems] == ["media.0"]


values = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.floats().map(repr),
    st.text("ab\"'\\\n[]{}=.", max_size=6).map(lambda text: f'"{text}"'),
    st.sampled_from(["[]", "{}", "true", "[[1]]", "1979-05-27", "[1, 'a']", "{ a = { b = 1 } }", "inf", '"QSFP28"', '""']),
)


@pytest.mark.slow
@examples(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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


WHOLE = (
    "breakouts/nvidia.toml", "rules/polarity-loss.toml", "rules/custom-lengths.toml",
    "fibers/lc.toml", "transceivers/100g.toml",
)  # fmt: skip
PORTS = OWN.with_name("ports.toml").read_text(encoding="utf-8")
TEXTS = [TEXT, PORTS, *((shipped.folder("catalogs") / name).read_text(encoding="utf-8") for name in WHOLE)]
FOREIGN = (
    "-1", "0", "1e308", "9" * 40, "-0.0", "nan", "true", '""', '"é日本"', "[]", "[[]]", "[0, 0]", "[3, 2, 1]", "[1.5]",
    '["a", 1]',
    "{}", '{ "ключ" = 1 }', "1979-05-27T07:32:00Z", "0x7fffffffffffffff", '"\\u0000"', "07", "=",
)  # fmt: skip
KEYS = ("schlüssel", '"日本"', '"a.b"', "id", "price_cents", "estimates")
HEADERS = ("[[loss]]", "[loss]", "[defaults]", "[[é]]", "[[cable.x]]", "[cable]", "[[[", "\x00", "\ufeff")


def mutated(text: str, random: Random) -> str:
    """The text of a catalog file with one to three random changes."""
    lines = text.splitlines()
    for _ in range(random.randint(1, 3)):
        place = random.randrange(len(lines))
        key, equals, _ = lines[place].partition(" = ")
        change = random.randrange(7)
        if change == 0:
            del lines[place]
        elif change == 1 and equals:
            lines[place] = f"{key} = {random.choice(FOREIGN)}"
        elif change == 2:
            lines.insert(place, f"{random.choice(KEYS)} = {random.choice(FOREIGN)}")
        elif change == 3:
            lines[place] = "".join(random.sample(lines[place], len(lines[place])))
        elif change == 4:
            other = random.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        elif change == 5:
            lines[place] = lines[place].replace(random.choice("0123456789"), random.choice(["", "-", "99999", "_", ".", "é"]))
        else:
            lines.insert(place, random.choice(HEADERS))
    return "\n".join(lines)


@pytest.mark.slow
def test_six_hundred_mutations_give_a_catalog_or_an_input_error(nothing_shipped, tmp_path):
    """Deleted and foreign values, huge numbers, foreign alphabets, shuffled letters: never anything but an explanation."""
    random = Random(20)
    refused = 0
    for number in range(600):
        text = TEXTS[number % len(TEXTS)]
        path = write(tmp_path, mutated(text, random))
        try:
            own(path) if text == TEXT else catalog.rows("loss", (path,))
        except InputError as error:
            refused += 1
            assert all(problem.message and (problem.file or problem.place) for problem in error.problems)
    assert 300 < refused < 600


def test_units_that_are_higher_than_the_cabinet_are_refused(tmp_path):
    """49 units of 44.45 mm are 2,178 mm high: a frame of 2,200 mm holds no more."""
    text = "units = {}\nwidth_mm = 600\ndepth_mm = 1200\nheight_mm = 2200\nmass_g = 1\nload_g = 1\nprice_cents = 1\n"
    row = '[[cabinet]]\nid = "tall"\nsource = "x"\nconfidence = "D"\n' + text
    catalog.rows("cabinet", files=[write(tmp_path, row.format(49))])
    with pytest.raises(InputError, match=r"tall\.units: 50 units of 44\.45 mm are higher than height_mm = 2200"):
        catalog.rows("cabinet", files=[write(tmp_path, row.format(50), "high.toml")])


def test_cabinets_with_other_units_are_refused_with_several_networks_too():
    for router in ("nvidia-sb7800", None):
        endpoint = router and "server-one-unit"
        with pytest.raises(InputError, match=r"ocp-orv3-44ou has units of 48 mm, boxes are placed in units of 44\.45 mm"):
            catalog.select(router=router, endpoint=endpoint, cabinet="ocp-orv3-44ou")
