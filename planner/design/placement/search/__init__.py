"""Searches that placement algorithms share: states, cooling schedules, independent sets, bisection, Pareto front."""
