"""ISO 11783-10 task data (ISOXML, versions 3 and 4): what a terminal was told to do and what it logged.

``parts`` finds the task data in a folder or zip and joins its files, ``devices`` and ``tasks`` read its XML,
``time_log`` decodes the binary logs, ``sums`` adds them up by day, ``passes`` tells the work, and ``reader`` is what
the house calls.
"""
