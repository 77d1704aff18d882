"""ISO 11783-10 task data (ISOXML, versions 3 and 4): what a terminal was told to do and what it logged.

``tasks`` finds the task data in a folder or zip and reads its XML, ``time_log`` decodes the binary logs, ``log_sums``
adds them up by day and machine, and ``passes`` tells the work and what went on.
"""
