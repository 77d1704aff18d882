"""Biofuel Feedstock Reports: drafted, signed and kept (2100.031)."""
