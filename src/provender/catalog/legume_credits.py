"""Nitrogen that a legume leaves to the next crop, by source. The rule holds no national table (2100.052(a)(2))."""

from functools import cache

from provender.catalog.tables import rows


@cache
def published_credits() -> str:
    """Return the figures that were checked at their source, in one line: a help to whoever fills in a budget."""
    legumes = [row for row in rows("legume_n_credits.csv") if "not a legume" not in row["conditions"]]
    figures = (
        f"{row['legume_or_previous_crop'].removesuffix(' cover crop')} {row['n_credit_lb_ac']}"
        for row in legumes
        if row["status"] == "checked"
    )
    return f"Published figures: {'; '.join(figures)}. The guide of your State goes before them."
