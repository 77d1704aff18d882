"""The programme of an audit: which lines a verifier works through for a party's role, and the season's calendar."""
