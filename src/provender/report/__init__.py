"""7 CFR 2100.031: the Biofuel Feedstock Report, its attestation, signature, versions and paper.

Decided here: what the report says, on what each attested sentence rests, and what keeps it from being signed. Not
decided here: what becomes of its bushels (``custody``).
"""
