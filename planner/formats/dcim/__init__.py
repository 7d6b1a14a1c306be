"""Tables of NetBox: devices' interfaces, panels, power, cables."""
