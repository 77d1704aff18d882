"""What can be asked of a custody book: balances, traces, claims, alerts, restatements. Nothing here writes.

Decided here: the equation of 2100.034(d), and what deserves a look. Not decided here: who may see the answer.
"""
