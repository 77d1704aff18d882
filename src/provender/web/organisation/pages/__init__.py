"""Pages of an organisation, its members, grants, tokens and log. ``provender.services.accounts`` decides."""
