"""Papers between parties: built, signed, printed, read from strangers and turned into events."""
