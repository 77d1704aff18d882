"""Pages of a farm's book, imports and reports: what they ask and show. Services decide."""
