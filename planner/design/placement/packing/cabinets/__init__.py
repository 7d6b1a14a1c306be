"""What packing methods share: capacity, slots, items, rack units, and the attempts until all fits."""
