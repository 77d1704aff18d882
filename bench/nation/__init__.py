"""A synthetic nation: farms, books of custody and outlines from a seed, with known numbers of planted faults.

Every farm is honest by construction but those on which one fault is planted (``faults``), each a kind of its own. So
what the jobs of a portfolio find can be held against what is there: recall and false alarms are exact.
"""
