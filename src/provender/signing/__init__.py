"""Canonical JSON, keys, signatures, hashes and bags. Knows no domain: callers decide what a signature is worth."""
