"""Networks without cables: topologies, attached nodes, metrics, growth."""
