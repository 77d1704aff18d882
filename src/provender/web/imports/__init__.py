"""Files that a person hands in on a page, on their way into a book of the database.

The stored book is laid out as the folder the command line works on, a process of its own runs the same import there
(``work``), and what has changed in the folder is shown to the person row by row. Only their nod writes it, as one
change of the book.
"""
