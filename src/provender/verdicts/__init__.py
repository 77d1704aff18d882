"""What verdicts tell people and other packages: a book judged, with its words, its doubts and what it still lacks.

``assess`` is a book judged (``Assessment``), with what is claimed and what is told beside the verdicts; ``words`` says
findings by their headings and sentences, as plain data too, and which records would decide most.
"""
