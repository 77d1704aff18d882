"""The programme of an audit, the log of what was found, and which fields to look at first (2100.040).

Decided here: what a verifier is asked to check, how a finding may go on, which units come first. Not decided here:
whether a statement may be favourable in spite of findings (``provender.audit.statement``).
"""
