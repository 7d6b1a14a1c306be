"""The web page: its data (`content`), its HTML (`page`), its scripts and styles."""
