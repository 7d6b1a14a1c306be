"""The plan in use: the journal of an installation, planning by hand, and the web server in front of both."""
