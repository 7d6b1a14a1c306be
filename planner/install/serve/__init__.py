"""The plan in the browser: a web server in front of public functions of other packages.

Every group of addresses is a file of `planner.install.serve.doors`; a folder of `planner.install.serve.pages` is a page. No path
of a request reaches the file system: pages are read once, at the start.
"""
