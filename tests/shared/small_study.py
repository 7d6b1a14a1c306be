"""A study that is planned in a second."""

SMALL = """
name = "small"
seed = 1
[topology]
family = "torus"
sizes = [3, 3]
endpoints_per_router = 2
[catalog]
router = "nvidia-sb7800"
endpoint = "server-half-unit"
cabinet = "apc-ar3300"
media = ["passive copper", "AOC"]
[room]
plan = "lab"
[report]
formats = ["csv"]
"""
