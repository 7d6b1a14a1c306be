"""What the field is made of: parts of catalogs, the records of a plan, quantities and prices."""
