"""What traffic patterns share."""
