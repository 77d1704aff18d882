"""Pages of an audit: what they ask and show. ``provender.services.audits`` decides."""
