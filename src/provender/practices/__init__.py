"""Subpart F: which practice standards each management unit meets, with the working and what is missing."""
