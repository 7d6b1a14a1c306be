"""Methods of growth: one file each, whose function ``grow(old, target, ...)`` returns a network with the old routers first."""
