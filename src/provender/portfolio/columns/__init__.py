"""Subpart F in columns: a second computation of what ``standards`` says, for millions of units at once.

One three-valued column per requirement: true met, false not met, null not shown. It has verdicts and a few numbers, no
findings and no words. It judges plain farms; ``care`` says which farms are not, and the law itself judges those.
``prepare`` puts the records of a batch in frames, ``tillage``, ``cover_crop`` and ``nutrients`` are the sections of the
rule, ``judge`` asks them all. Requirements have the names that ``standards.standard.REQUIREMENTS`` gives them.
"""
