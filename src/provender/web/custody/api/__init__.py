"""API of a party's custody book."""
