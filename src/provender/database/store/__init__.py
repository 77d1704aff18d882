"""Queries and writes over the tables. The custody store locks, loads and applies; it decides nothing."""
