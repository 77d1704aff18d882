"""The interfaces of a farm: pages, API and forms made from the columns of records. Services decide."""
