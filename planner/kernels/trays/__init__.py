"""Cable routing over trays: contraction, shortest routes, negotiation, lower bounds."""
