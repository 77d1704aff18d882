"""Pages of an organisation."""
