"""A party's custody book: events entered, documents signed and received, slips, tickets."""
