"""7 CFR 2100.031: the Biofuel Feedstock Report, its attestation, signature and versions."""
