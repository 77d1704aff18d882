"""Calls about an audit: what they take and answer. ``provender.services.audits`` decides."""
