"""The plan's web page, from the same modules as the page in one file."""

from __future__ import annotations

from dataclasses import replace

from planner.core.errors import Problem
from planner.core.units import using
from planner.domain.model.project import units_of
from planner.formats import html
from planner.install.serve import security
from planner.install.serve.door import Answer, Call, Denied, Door
from planner.install.serve.pages import MEDIA, static
from planner.install.serve.served import Served

POLICY = f"{security.HEADERS[security.POLICY]}; style-src-elem 'self' 'unsafe-inline'"
"""Policy of the page: Bokeh makes style elements for its charts, and has no option for a nonce.

Style attributes and inline scripts are still refused, and nothing is loaded from elsewhere.
"""


class Page:
    """HTML, data and files of the page."""

    follows_plan = True

    def __init__(self, served: Served):
        plan = served.planned.plan
        if plan is None:
            message = "only its cable schedule is served, which has no floor"
            raise Denied(404, Problem("plan", message, "open /install or /board, or serve the folder of the plan"))
        with using(units_of(plan.study)):
            made = html.linked(plan, "/static/plan", "/api/plan")
        own = static(made.html.encode(), MEDIA[".html"])
        self.html = replace(own, headers={**own.headers, security.POLICY: POLICY})
        self.data = static(made.data.encode(), MEDIA[".json"])
        self.files = {name: static(text.encode(), MEDIA[name[name.rfind(".") :]]) for name, text in made.files.items()}


def page(served: Served, call: Call) -> Answer:
    """Return the page."""
    return served.kept(Page).html


def data(served: Served, call: Call) -> Answer:
    """Return the data of the page."""
    return served.kept(Page).data


def file(served: Served, call: Call) -> Answer:
    """Return a file of the page."""
    found = served.kept(Page).files.get(call.parts["name"])
    if found is None:
        raise Denied(404, Problem("address", "there is nothing here", "begin at /"))
    return found


ROUTES = [
    Door("GET", "/", page),
    Door("GET", "/api/plan", data),
    Door("GET", "/static/plan/{name}", file, role=None),
]
