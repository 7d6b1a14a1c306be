"""Reports of a simulation of another network than the first: its name, its cables and their loads."""

import base64

import numpy as np
import pypdfium2
import pytest
from shared.plans import STUDIES, planned
from shared.toml_text import text_of

from planner.commands.console import terminal
from planner.commands.console.cli import main
from planner.formats import write, xlsx
from planner.formats.web.content import content
from planner.formats.workbook import read
from planner.studies import pipeline, study
from planner.studies.verification import verified


@pytest.fixture(scope="module")
def plan():
    return planned("planes")


@pytest.fixture(scope="module")
def links(plan):
    return plan.inventory.links(1)


@pytest.mark.slow
def test_the_table_of_loads_has_the_cables_of_the_network(plan, links, tmp_path):
    path = tmp_path / "plan.xlsx"
    xlsx.write(plan, path)
    found = read(path).tables["link load"].columns
    assert found["cable"] == tuple(range(1, links.stop - links.start + 1))
    assert set(found["network"]) == {"compute"}
    assert found["label_a"] == tuple(plan.cables.label_a[links].tolist())
    point = int(plan.simulation.offered[~plan.simulation.saturated].argmax())
    assert found["forward_load"] == pytest.approx(plan.simulation.link_load[point, ::2].tolist(), rel=1e-6)


def test_the_web_page_knows_the_cables_with_a_load(plan, links):
    found = content(plan)["simulation"]
    assert found["links"] == [links.start, links.stop]
    packed = np.frombuffer(base64.b64decode(found["link_load"]["base64"]), f"<{found['link_load']['dtype']}")
    assert packed.size == len(plan.simulation.offered) * 2 * (links.stop - links.start)


@pytest.mark.slow
def test_the_printed_sheet_and_the_summary_name_the_network(plan, tmp_path):
    write(plan, tmp_path, "pdf")
    (path,) = tmp_path.rglob("*.pdf")
    text = " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path))
    assert "Simulation: compute" in text
    assert "Workload: compute" in text
    assert any(str(label) in text for label in plan.cables.label_a[slice(4, 12)])
    assert "Of the ordered pairs of nodes" in " ".join(text.split())
    assert dict(terminal.key_figures(plan))["throughput"].startswith("compute: 0.")


@pytest.mark.slow
def test_the_command_prints_the_network(plan, tmp_path, capsys):
    (tmp_path / "study.toml").write_text(text_of({"name": "planes", "seed": 1, **STUDIES["planes"]}), encoding="utf-8")
    assert main(["simulate", str(tmp_path), "--quiet", "--links", "3"]) == 0
    out = capsys.readouterr().out
    assert "network compute: minimal routing, uniform traffic" in out
    ((busiest, _, _),) = plan.simulation.busiest(plan.simulation.steady, 1)
    assert str(plan.cables.label_a[plan.inventory.links(1).start + busiest]) in out


@pytest.mark.slow
def test_loads_and_jobs_of_the_network_repeat(tmp_path):
    pipeline.run(study.check({"name": "planes", "seed": 1, **STUDIES["planes"]}, base=tmp_path), out=tmp_path, until="violations")
    found = verified(tmp_path, deep=True).violations
    assert found.items == ()
    assert {"simulation_repeats", "workload_repeats"} <= set(found.checked)
