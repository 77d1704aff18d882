"""Points that machines log, by columns with headings: what such a layer is, what was applied, what was harvested.

Ag Leader Advanced and Yield Editor texts have no headings and stand in ``yield_columns``.
"""
