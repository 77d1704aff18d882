"""The regulation as data: citations, dated parameters, crop-by-practice table, paragraphs and what answers each."""
