"""Subpart D: origins, lots, movements, periods and balances, processing, transfer documents."""
