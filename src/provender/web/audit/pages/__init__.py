"""Pages of audits, of the verifier and of the audited party."""
