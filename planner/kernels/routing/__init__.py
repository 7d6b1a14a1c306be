"""What routings of the packet engine share: hop distances, tables, paths, and the steps of their decisions."""
