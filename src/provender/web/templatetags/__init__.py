"""Tags and filters of the templates: how values are written on a page."""
