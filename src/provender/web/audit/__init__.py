"""The doors of an audit: pages, API and forms. Services decide."""
