"""The interfaces of an audit: pages, API and forms. Services decide."""
