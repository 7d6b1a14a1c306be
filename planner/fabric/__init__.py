"""The fabric as built: what is found against the plan, and its acceptance."""
