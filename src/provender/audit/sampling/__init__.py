"""Which farms a verifier visits: population, strata, risk, and the draw (2100.040(b))."""
