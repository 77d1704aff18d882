"""Books, tickets and contracts of several parties, side by side: what one says and another does not.

Decided here: which differences count, and the columns of other programs' tickets. Nothing here changes a book.
"""
