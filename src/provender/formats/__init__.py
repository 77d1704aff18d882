"""Files that other people's systems write, read into records: one module per format."""
