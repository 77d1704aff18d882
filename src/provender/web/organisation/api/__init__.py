"""API of an organisation."""
