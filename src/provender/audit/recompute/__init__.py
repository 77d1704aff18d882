"""Everything in a package computed anew and compared with what it claims."""
