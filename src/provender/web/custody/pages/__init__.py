"""Pages of a party's custody book."""
