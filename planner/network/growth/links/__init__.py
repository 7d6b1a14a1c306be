"""Links that growth methods add and remove."""
