"""Books, tickets and contracts of several parties, side by side."""
