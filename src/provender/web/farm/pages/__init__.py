"""Pages of a farm's book."""
