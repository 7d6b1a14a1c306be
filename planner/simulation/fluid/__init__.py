"""Flow-level model: saturation, delays and link loads without packets, from head-of-line blocking and queue waits."""

from planner.simulation.fluid.model import HIGHEST, ROUTINGS, Estimate, flow_model
from planner.simulation.fluid.quick import Throughput, estimate, model_settings, throughput

__all__ = ["HIGHEST", "ROUTINGS", "Estimate", "Throughput", "estimate", "flow_model", "model_settings", "throughput"]
