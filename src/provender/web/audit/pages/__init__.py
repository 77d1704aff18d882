"""Pages of an audit."""
