"""What families of networks share: fields, products, grids, tiers, limits, and the links of a record."""
