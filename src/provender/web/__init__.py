"""People, organisations, pages and the REST API."""
