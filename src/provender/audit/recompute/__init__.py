"""Everything in a package computed anew, offline, and compared with what it claims.

Decided here: the table of checks, and which difference is a finding. Not decided here: the rules themselves; each check
calls the package that has them.
"""
