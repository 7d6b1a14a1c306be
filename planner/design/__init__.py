"""From a network and a room to a design: inventory, placement, cabling, work, bill, latency, failures."""
