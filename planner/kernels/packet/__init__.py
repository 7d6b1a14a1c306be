"""The packet engine: its loop, routers, links, event wheel and records."""
