"""Canonical JSON, keys, signatures, hashes and bags. Knows no domain."""
