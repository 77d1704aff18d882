"""The doors of the custody book: pages, API and forms."""
