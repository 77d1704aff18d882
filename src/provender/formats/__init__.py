"""Files that other people's systems write, read into records: one module per format.

From the outside in:

- ``child`` reads any file in a limited process (``parse_limited``, ``parse_many``); ``readers`` lists what can be read;
- ``sniff`` says what a file is, and for closed formats which export to make instead;
- ``spreadsheet`` (``delimited``, ``workbook``) gives rows of text; ``mapped`` turns them into rows of a record kind or
  of an elevator's ticket or contract by a saved or suggested ``column_map``;
- ``boundaries``, ``photos`` with ``photo_verdict``, ``yield_log``, ``lab_soil``, ``acreage`` read what has a meaning of
  its own; ``isoxml``, ``leaf``, ``farmos`` and ``adapt`` give the work that a machine or a person logged elsewhere;
- ``rows`` hands all of it to the parsers of ``records``, with an incomplete row for whatever could not be used.

Every reader returns ``parsed.Parsed``: a typed result and all problems. A reader that runs in the child imports nothing
from ``records``, whose column engine would take most of the child's memory and time; only logs of many points, and
Parquet, bring that engine in when they are read.
"""
