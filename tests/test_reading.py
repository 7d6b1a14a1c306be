"""TOML to checked values: every problem, with file and line."""

from dataclasses import dataclass
from typing import Annotated

import pytest
from annotated_types import Ge
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.core import reading
from planner.core.errors import InputError, Problem
from planner.domain.parts import Positive


@dataclass(frozen=True)
class Box:
    __pydantic_config__ = {"extra": "forbid"}

    width_mm: Positive
    names: tuple[str, ...] = ()


def problems(function, *args, **kwargs):
    with pytest.raises(InputError) as caught:
        function(*args, **kwargs)
    return caught.value.problems


def test_lines_of_keys(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text('a = 1\n[b]\nc = """\nd = 2\n"""\n[[row]]\nx = 1\n[[row]]\n"y z" = 2\n[row.deep]\nz = 1\n')
    lines = reading.read(path).lines
    assert lines["a"] == 1
    assert lines["b.c"] == 3
    assert "b.d" not in lines
    assert lines["row.0.x"] == 7
    assert lines["row.1.y z"] == 9
    assert lines["row.1.deep.z"] == 11


def test_all_problems_at_once_each_with_its_line():
    found = problems(
        reading.construct, Box, {"width_mm": -1, "heigth": 2}, file="f.toml", section="box", lines={"box": 3, "box.width_mm": 4}
    )
    assert [(p.place, p.line) for p in found] == [("box.width_mm", 4), ("box.heigth", 3)]
    assert "greater than 0, not -1" in str(found[0])
    assert "there are names, width_mm" in str(found[1])


def test_types_are_not_guessed():
    assert "valid integer" in problems(reading.construct, Box, {"width_mm": "5"})[0].message
    assert reading.construct(Box, {"width_mm": 5, "names": ["a"]}).names == ("a",)


@pytest.mark.parametrize("text", ["a = ", "[a", 'a = "x', "a = 1\na = 2", "x" * 10, "[[a]]\n[a]\n"])
def test_broken_toml_names_the_line(tmp_path, text):
    path = tmp_path / "broken.toml"
    path.write_text(text)
    found = problems(reading.read, path)
    assert len(found) == 1
    assert found[0].file == str(path)
    assert found[0].line >= 1
    assert "not valid TOML" in found[0].message


def test_missing_files_and_bytes_that_are_no_text(tmp_path):
    assert "cannot be read" in problems(reading.read, tmp_path / "none.toml")[0].message
    (tmp_path / "b.toml").write_bytes(b"a = 1 \xff")
    assert "UTF-8" in problems(reading.read, tmp_path / "b.toml")[0].message
    assert "cannot be read" in problems(reading.read, tmp_path)[0].message


@given(st.binary(max_size=200))
def test_any_bytes_give_a_document_or_an_input_error(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("fuzz") / "x.toml"
    path.write_bytes(content)
    try:
        assert isinstance(reading.read(path).data, dict)
    except InputError as error:
        assert error.problems[0].file == str(path)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["width_mm", "names", "other"]),
        st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda c: st.lists(c, max_size=3)),
    )
)
def test_any_values_give_a_box_or_an_input_error(data):
    try:
        box = reading.construct(Box, data)
    except InputError:
        return
    assert box.width_mm > 0
    assert all(isinstance(name, str) for name in box.names)


@dataclass(frozen=True)
class Where(reading.Options):
    place: str | None = None
    number: Annotated[int, Ge(1)] = 1


WHERE = Where("here")


def element(given: int, *, size: int = 3, where: Where = WHERE) -> None:
    """An element with a record of options."""


def test_fields_of_a_record_are_options_one_by_one():
    assert list(reading.parameters(element)) == ["given", "size", "place", "number"]
    checked = reading.arguments(element, data={"place": "there"}, owner="element", given=["given"])
    assert checked == {"size": 3, "place": "there", "number": 1}
    assert reading.composed(element, checked) == {"size": 3, "where": Where("there")}
    with pytest.raises(InputError, match="number: must be greater than or equal to 1"):
        reading.arguments(element, data={"number": 0}, owner="element", given=["given"])
    with pytest.raises(InputError, match="did you mean place"):
        reading.arguments(element, data={"plac": "x"}, owner="element", given=["given"])


def test_a_problem_quotes_a_part_of_its_input():
    found = Problem("a key " * 1000, "is 'x' " * 1000, "write y " * 1000, "file.json", 3)
    assert len(str(found)) < 5_000
    assert found.place.startswith("a key a key")
    assert found.place.endswith(" …")
    assert Problem("topology.q", "is 12", "use 11").message == "is 12"
