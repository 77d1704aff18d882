"""Subpart F, said once: a season of records in, and per requirement what shows it kept, not kept, or neither.

One file per section of the rule: ``tillage`` (2100.051), ``cover_crop`` (2100.052) and ``nutrients`` (2100.053), each
to be read from top to bottom with the rule beside it. ``standard`` says how a requirement is written and what makes a
verdict; ``unit`` places the rows, and ``season`` is what they say of one crop on one unit; ``stir`` and ``nitrogen``
are the measures, ``evidence`` what a file is worth, ``supply`` whether seed and inhibitor bought were enough.
``judge`` asks every requirement of every season; ``provender.verdicts`` tells people what it found.
"""
