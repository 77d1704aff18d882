"""The pages of an organisation: home, members, grants, tokens, log. ``provender.services.accounts`` decides."""
