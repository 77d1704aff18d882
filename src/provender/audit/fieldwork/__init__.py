"""What a verifier takes along: the fields to look at first, and the programme on paper (2100.040)."""
