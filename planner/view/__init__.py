"""What reports show of a plan, whatever the format: names, ends, cabinets, selections, figures, floors."""
