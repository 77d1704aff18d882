"""Portfolios: the records of any number of farms as folders of Parquet, and jobs over them.

A portfolio holds one data set per kind of record, cut into partitions by harvest year and State. A partition is a set
of whole books: it is read, judged and written by itself. What judges is what judges one book; here it only gets the
frames of many farms at once.
"""
