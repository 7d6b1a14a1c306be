"""What the verifier reads of a study, for plans that tests make record by record."""

from planner.core.record import plain
from planner.hall.floor import Slack


def study_of(slack: Slack | None = None, **cabling):
    """Expanded study data with the default slack and, in `cabling`, whatever a test sets besides."""
    return {"seed": 1, "cabling": {"slack": plain(slack or Slack()), "prefer": "price", "custom_lengths": False, **cabling}}
