"""Packaged tables with provenance: field operations and STIR, fertilizers, inhibitors, cover crops, counties."""
