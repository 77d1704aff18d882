"""What was found at an audit, told as a log, and what is open of it (2100.040).

Decided here: how a finding may go on, which are open. Not decided here: which lines a verifier works through
(``provender.audit.programme``), whether a statement may be favourable in spite of findings
(``provender.audit.statement``).
"""
