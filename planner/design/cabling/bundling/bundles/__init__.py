"""What all kinds of bundling share: cables, areas, looms, trunks, panels, and their comparison."""
