"""Is the printout of each run there, unchanged, of its unit and day? (2100.031(c)(2)(i), interpretation 59)."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from provender.intensity.disagreement import Disagreement
from provender.intensity.official import RunFacts
from provender.practices.evidence_links import PRINTOUT, REMEDIES, Trouble
from provender.practices.evidence_problems import sentence
from provender.practices.prepared_book import PreparedBook


def printout_findings(
    loaded: PreparedBook, runs: Iterable[RunFacts], bushels: Mapping[str, int | None]
) -> list[Disagreement]:
    """Return a finding for each run that no printout documents, with what is wrong with the one it names.

    Args:
        loaded: the book with its evidence judged.
        runs: those whose CI counts.
        bushels: of each unit, thousandths.
    """
    counting = list(runs)
    rows = loaded.supported[PRINTOUT.kind].with_row_index("row")
    if not counting or rows.is_empty():
        return []
    rows = rows.filter(~pl.col("supported"), pl.col("farm_id").is_in({run.farm for run in counting}))
    links = loaded.links[PRINTOUT.kind]
    known = {(row["farm_id"], row["run_id"]): row for row in rows.iter_rows(named=True)}
    found = []
    for run in counting:
        row = known.get((run.farm, run.run))
        if row is not None:
            mine = list(links.filter(pl.col("row") == row["row"]).iter_rows(named=True))
            found.append(_finding(run, mine, bushels.get(run.unit)))
    return found


def _finding(run: RunFacts, links: list[dict[str, Any]], bushels: int | None) -> Disagreement:
    subject = f"run {run.run}, unit {run.unit}"
    if not links:
        cause, remedy = "No printout of this run is on file.", "Add the calculator's printout as evidence and name it."
        shown = "no printout"
    else:
        causes = "; ".join(sentence(link) for link in links)
        cause, shown = f"The printout of this run cannot document it: {causes}.", str(links[0]["evidence_id"])
        remedy = REMEDIES[Trouble(links[0]["trouble"])]
    code = "run_printout_missing" if not links else "run_printout_unsound"
    return Disagreement(code, PRINTOUT.cite, subject, cause, shown, PRINTOUT.what, bushels, remedy)
