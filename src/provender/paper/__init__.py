"""Typst to PDF, and charts to SVG: plain data in. Knows no domain."""
