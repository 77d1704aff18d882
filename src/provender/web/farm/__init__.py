"""The farm's doors: pages, API and forms."""
