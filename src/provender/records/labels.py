"""Labels of columns and kinds of records inside a sentence."""


def starting_small(label: str) -> str:
    """Write a label inside a sentence: its first letter small, abbreviations and units as they are."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
