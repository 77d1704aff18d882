"""The verification statement, the verifier's accreditation, and the yearly cycle of audits (2100.032(c)(1), .041).

Decided here: what a statement must hold, when an opinion contradicts its findings, when the next one is due. Not
decided here: what a statement does to a buyer's stock (``provender.custody.events.parties``).
"""
