"""Files on their way into a farm's book: read in a process of their own, asked about, written as one change."""
