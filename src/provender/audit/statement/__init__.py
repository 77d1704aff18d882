"""The verification statement, the verifier's accreditation, and the yearly cycle of audits (2100.041)."""
