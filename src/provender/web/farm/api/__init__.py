"""API of a farm's book."""
