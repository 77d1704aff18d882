"""``provender portfolio``: many farms and many books as folders of Parquet."""
