"""What a farm's report calls itself: the type inside the document, and the type that its signature is made over.

Whoever only sorts papers by their kind imports this and not the report, which brings the records with it.
"""

from typing import Final

TYPE: Final = "biofuel-feedstock-report"
TYP: Final = "biofuel-feedstock-report+json"
