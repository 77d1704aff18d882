"""Jobs over portfolios on Apache Spark: the same functions over the same batches of whole farms, in Spark's tasks."""
