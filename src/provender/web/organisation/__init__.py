"""The doors of an organisation: home, members, grants, tokens, log. ``provender.services.accounts`` decides."""
