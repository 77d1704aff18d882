"""The programme of an audit, what was found, and where to look first."""
