"""Tables that routings share: paths, detours, groups, targets."""
