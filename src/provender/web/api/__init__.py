"""The REST API under ``/api/v1``: tokens of one organisation, scopes, idempotent POST, pages, RFC 9457 problems."""
