"""Shares the fixtures of the database and the web application."""

__all__ = [

]  # fmt: skip
