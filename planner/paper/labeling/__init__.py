"""Labels: their texts, sheets and print."""
