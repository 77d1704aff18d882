"""The interfaces of the custody book: pages, API and forms made from the fields of events. Services decide."""
