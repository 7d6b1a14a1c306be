"""The journal of an installation: what crews record at the racks, and what follows from it.

Events are appended and never changed; the state of a cable is the last value of each of its fields. Nothing here knows of phones,
pages or requests: a server is a thin door in front of these functions.
"""
