"""The command line: one verb per job, for people and for machines."""

from provender.cli.app import main

__all__ = ["main"]
