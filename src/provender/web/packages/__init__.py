"""Packages of an audit made and recomputed beside the server: laid out in a folder, worked on in a process of its own.

What the database holds is laid out by the request that asks (``start``); a process without database and network makes
the package and recomputes it (``work``); whoever looks next enters the answer in the audit.
"""
