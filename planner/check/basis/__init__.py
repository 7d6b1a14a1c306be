"""What the rules share: their declaration, places in a plan, and quantities computed again."""
