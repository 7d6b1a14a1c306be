"""A comparison from its file to all that is written: figures, reasons, formats."""

import csv
import json
from html.parser import HTMLParser
from xml.etree import ElementTree

import pypdfium2
import pytest

from planner.commands.console.cli import main
from planner.core.executors import executor
from planner.studies import compare, pipeline, study
from planner.studies.compare import outputs
from planner.studies.compare.comparison import Simulation
from planner.studies.compare.measures import saturation_measures
from planner.studies.compare.settings import formats

DONE = ["dragonfly a = 4", "slimfly", "torus"]


def written(finished, tmp_path, name):
    """One format of the finished comparison, as bytes."""
    [path] = outputs.write(finished[0], tmp_path, [name])
    assert path.name == f"small.{name}"
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    return path.read_bytes()


@pytest.mark.slow
def test_every_network_is_there_in_order(finished):
    result, _ = finished
    assert [(entry.label, entry.status) for entry in result.entries] == [
        ("dragonfly a = 4", "done"),
        ("too large", "infeasible"),
        ("slimfly", "done"),
        ("torus", "done"),
        ("quadrangle", "infeasible"),
    ]
    reasons = {entry.label: entry.message for entry in result.entries if not entry.done}
    assert "cabinets needed" in reasons["too large"]
    assert "the nearest sizes are 15 and 585" in reasons["quadrangle"]
    # What cannot be planned is an answer, not a failure.
    assert result.succeeded


@pytest.mark.slow
def test_figures_are_those_of_a_plan_of_its_own(finished):
    """The same study run by itself, without sweep and cache."""
    result, folder = finished
    entry = next(entry for entry in result.entries if entry.label == "dragonfly a = 4")
    text = (folder / "comparison.toml").read_text().partition("[catalog]")[2].partition("[[simulation]]")[0]
    simulation = (
        'routing = "minimal"\ntraffic = "uniform"\nloads = [0.1]\nwarmup = 200\ncycles = 200\nsaturation = true\n'
        "port_phits = 2048\nmax_cycles = 4000\n"
    )
    topology = '[topology]\nfamily = "dragonfly"\na = 4\nh = 2\nendpoints_per_router = 2\n'
    (folder / "study.toml").write_text(f"seed = 1\n{topology}[catalog]{text}[simulation]\n{simulation}")
    plan = pipeline.make(study.load(folder))
    expected = {name: each["value"] for name, each in plan.quantities.items()}
    (folder / "study.toml").unlink()
    figures = entry.figures
    assert (figures["bisection_lower_links"], figures["bisection_upper_links"]) == (plan.bisection.lower, plan.bisection.upper)
    for name in (
        "routers",
        "links",
        "cabinets",
        "stock_mm",
        "cost_cents",
        "power_mw",
        "endpoint_delay_mean_ps",
        "bundles",
        "errors",
    ):
        assert figures[name] == expected[name], name
    # Over all that endpoints receive at saturation, in Gb/s.
    gbps = expected["saturation_throughput"] * expected["endpoints"] * plan.catalog.router.rate_gbps
    assert figures["saturation_uniform_minimal"] == expected["saturation_throughput"]
    assert figures["saturation_uniform_best"] >= figures["saturation_uniform_minimal"]
    best = figures["saturation_uniform_best"] / figures["saturation_uniform_minimal"]
    assert figures["cost_per_saturation_uniform_gbps_cents"] == pytest.approx(expected["cost_cents"] / gbps / best)
    assert figures["cost_per_bisection_gbps_max_cents"] == pytest.approx(
        expected["cost_cents"] / (plan.bisection.lower * plan.catalog.router.rate_gbps), abs=1e-6
    )


@pytest.mark.slow
def test_a_routing_that_a_network_cannot_have_is_left_out_with_its_reason(finished):
    result, _ = finished
    left_out = {entry.label: entry.left_out for entry in result.done}
    assert left_out["dragonfly a = 4"] == {}
    for label in ("slimfly", "torus"):
        assert set(left_out[label]) == {("uniform", "hierarchical")}
        assert "hierarchical supports dragonfly" in left_out[label]["uniform", "hierarchical"]


def test_without_a_search_the_columns_say_at_which_load():
    for section, words in (
        ({"saturation": True, "loads": [0.1]}, "load accepted at saturation, shift traffic, minimal routing"),
        ({"saturation": False, "loads": [1.0]}, "load accepted at offered load 1, shift traffic, minimal routing"),
        ({"saturation": False}, "load accepted as maximum over all simulated loads, shift traffic, minimal routing"),
    ):
        [share, *_] = saturation_measures(Simulation("shift", ("minimal",), section), "USD")
        assert share.meaning == f"{words}; 1 is the injection rate", section


def test_every_format_is_tested_here():
    assert formats() == ["csv", "html", "json", "md", "pdf", "svg"]


@pytest.mark.slow
@pytest.mark.parametrize("name", formats())
def test_equal_comparisons_give_equal_bytes(finished, tmp_path, name):
    first, second = tmp_path / "1", tmp_path / "2"
    assert written(finished, first, name) == written(finished, second, name)


@pytest.mark.slow
def test_csv_reads_back(finished, tmp_path):
    rows = list(csv.DictReader(written(finished, tmp_path, "csv").decode().splitlines()))
    assert [row["network"] for row in rows] == [entry.label for entry in finished[0].entries]
    for row, entry in zip(rows, finished[0].entries, strict=True):
        assert row["status"] == entry.status
        assert row["front"] in (("yes", "no") if entry.done else ("",))
        if entry.done:
            assert float(row["cost_cents"]) == entry.figures["cost_cents"]
            assert float(row["saturation_shift_best"]) == pytest.approx(entry.figures["saturation_shift_best"], abs=1e-6)


@pytest.mark.slow
def test_json_holds_every_figure_of_the_tables(finished, tmp_path):
    content = json.loads(written(finished, tmp_path, "json"))
    done = [network for network in content["networks"] if network["status"] == "done"]
    assert [network["label"] for network in done] == DONE
    assert all(set(network["figures"]) <= set(content["meanings"]) for network in done)
    assert done[0]["figures"]["endpoints"] == 72
    assert content["objectives"][-2:] == ["saturation_uniform_best", "saturation_shift_best"]


@pytest.mark.slow
def test_markdown_tables_are_even(finished, tmp_path):
    text = written(finished, tmp_path, "md").decode()
    widths = [{line.count("|") for line in table.splitlines() if line.startswith("|")} for table in text.split("\n## ")]
    assert all(len(width) <= 1 for width in widths)
    assert "- quadrangle: infeasible: no configuration has 60 to 120 endpoints" in text


@pytest.mark.slow
def test_pdf_states_who_where_and_why(finished, tmp_path):
    document = pypdfium2.PdfDocument(written(finished, tmp_path, "pdf"))
    assert document.get_metadata_value("Title") == "A <small> comparison & its networks"
    assert document.get_metadata_value("Subject") == "Comparison of networks"
    text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    assert "A <small> comparison & its networks" in text
    for words in (*DONE, "too large", "cabinets needed", "Pareto fronts", "Floors", "Laboratory", "What the columns mean"):
        assert words in text, words


class Page(HTMLParser):
    """What a page would load, how its tables are built, and its identifiers."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.names, self.tables, self.floors = [], [], 0, 0
        self.feed(text)

    def handle_starttag(self, tag, given):
        given = dict(given)
        self.loads += [value for key, value in given.items() if key in ("src", "href") and not value.startswith(("#", "data:"))]
        self.names += [given["id"]] if "id" in given else []
        self.tables += tag == "table"
        self.floors += tag == "figure"


@pytest.mark.slow
def test_the_page_loads_nothing_and_has_all_floors(finished, tmp_path):
    text = written(finished, tmp_path, "html").decode()
    page = Page(text)
    assert page.loads == []
    assert len(page.names) == len(set(page.names))
    assert (page.tables, page.floors) == (6, len(DONE))
    assert page.names.index("fronts") < page.names.index("figures-of-all") < page.names.index("floors")
    assert "A &lt;small&gt; comparison &amp; its networks" in text
    assert "<small>" not in text
    data = text.partition('<script type="application/json" id="comparison">')[2].partition("</script>")[0]
    assert [network["label"] for network in json.loads(data)["networks"]] == [entry.label for entry in finished[0].entries]


@pytest.mark.slow
def test_the_drawing_has_a_point_for_each_network_in_each_chart(finished, tmp_path):
    drawing = ElementTree.fromstring(written(finished, tmp_path, "svg"))
    circles = drawing.findall(".//{*}circle")
    # Cost and power, each against latency and two saturations.
    assert len(circles) == 6 * len(DONE)
    assert len(drawing.findall(".//{*}g")) == 6


@pytest.mark.nightly
def test_workers_and_order_do_not_matter(finished, small):
    small.write_text(small.read_text().replace('["slimfly", "torus", "quadrangle"]', '["torus"]'))
    with executor(2) as workers:
        result = compare.run(compare.load(small), small.parent, executor=workers)
    alone = {entry.label: entry.figures for entry in finished[0].entries}
    assert [entry.label for entry in result.entries] == ["dragonfly a = 4", "too large", "torus"]
    assert [entry.figures for entry in result.entries] == [alone[entry.label] for entry in result.entries]


@pytest.mark.slow
def test_the_command_prints_the_tables_and_writes_what_is_asked_for(small, tmp_path, capsys):
    out = tmp_path / "out"
    families = 'families=["torus"]'
    assert main(["compare", str(small), families, "--quick", "--jobs", "1", "--format", "csv,md", "--out", str(out)]) == 0
    text = capsys.readouterr().out
    assert "quick: reduced effort" in text
    assert "too large: infeasible" in text
    assert {path.name for path in out.iterdir()} == {"small-quick.csv", "small-quick.md", "compare.sqlite", "compare.stages"}
    # Quick simulates once.
    [head, *_] = (out / "small-quick.csv").read_text().splitlines()
    assert "saturation_uniform_best" in head
    assert "shift" not in head
    assert not list(small.parent.glob("*.csv"))


@pytest.mark.slow
def test_values_without_a_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    values = ["endpoints=60", 'families=["torus"]', "catalog.router=nvidia-sb7800", "catalog.endpoint=server-half-unit"]
    values += ["catalog.cabinet=apc-ar3300", "room.plan=lab", "placement.algorithm=identity"]
    assert main(["compare", *values, "--jobs", "1", "--format", "json", "--json"]) == 0
    [torus] = json.loads(capsys.readouterr().out)["networks"]
    assert torus["figures"]["endpoints"] >= 60
    # Without a simulation saturation is not mentioned.
    assert not [name for name in torus["figures"] if "saturation" in name]
    assert (tmp_path / "comparison" / "comparison.json").is_file()


@pytest.mark.slow
def test_nothing_feasible_is_reported_and_is_an_exit_code(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    values = ["endpoints=60", 'families=["quadrangle"]', "catalog.router=nvidia-sb7800", "catalog.endpoint=server-half-unit"]
    assert main(["compare", *values, "catalog.cabinet=apc-ar3300", "room.plan=lab", "--jobs", "1"]) == 1
    assert "quadrangle: infeasible: no configuration has 60 to 120 endpoints" in capsys.readouterr().out
    assert {path.suffix for path in (tmp_path / "comparison").glob("comparison.*")} == {f".{name}" for name in formats()}
