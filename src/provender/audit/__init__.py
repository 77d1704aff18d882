"""Subpart E, over files alone: sample, package, recomputation, findings, statement.

Decided here: the sample, what a package holds, every recomputation, when findings bar an opinion, when the next audit
is due. Not decided here: who may see an audit on a server (``provender.web.access``), and where its files lie.
"""
