"""API of an audit."""
