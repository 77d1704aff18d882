"""Views that answer with pages, one module per page or pair of pages."""
