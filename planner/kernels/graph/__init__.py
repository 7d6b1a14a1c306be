"""Graph algorithms: distances, cuts, components and shortest-path loads."""
