"""The placement problem as algorithms see it: items, slots, costs, endpoints, rules."""
