"""Product is bound as crop is: what of a bushel a form can give at all (2100.033(a)(2), interpretation 71).

The bounds are parameters. Beyond them a yield, an opening or a document from outside needs the hash of a file that
shows it, and the verifier sees it among the alerts.
"""

import re
from datetime import date
from typing import Final

from provender.custody.events.rules import require
from provender.custody.model.amounts import FORMS, POUND, RATE_ONE, rate_of, unit_of
from provender.custody.model.statuses import Status
from provender.quantity import RATE_SCALE, show
from provender.rule import Crop, rule_version

_FILE: Final = re.compile(r"\b[0-9a-f]{64}\b")
"""A SHA-256: the name of a file is not evidence, its content is."""
_GROUND: Final = frozenset({"ground_corn", "ground_sorghum"})


def most_of(form: str, day: date, made_of: str = "") -> int:
    """Return the most of a form that a bushel can give, or a pound of what it is made of; millionths of a pound."""
    if made_of and FORMS[made_of].made_from:
        return RATE_ONE
    law = rule_version(day)
    if form in _GROUND:
        return law.ground_grain_lb_per_bu_max
    return law.soybean_oil_lb_per_bu_max if FORMS[form].crop == Crop.soybeans else law.corn_starch_lb_per_bu_max


def check_bounds(form: str, rate: int, day: date, *, made_of: str = "", evidence: str = "") -> None:
    """Refuse a yield beyond its form's bound unless a file shows it.

    Raises:
        Refusal: YIELD_BEYOND_BOUNDS.
    """
    if unit_of(form) != POUND or _FILE.search(evidence.lower()):
        return
    most = most_of(form, day, made_of)
    said = f"It says {show(rate, RATE_SCALE)} lb of {form}; at most {show(most, RATE_SCALE)} is plausible."
    require(rate <= most, Status.YIELD_BEYOND_BOUNDS, said)


def check_product(form: str, pounds: int, bushels: int, rate: int, day: date, evidence: str) -> None:
    """Refuse product that no plausible yield gives of its crop; its own yield, where one is stated, is held too.

    Raises:
        Refusal: YIELD_BEYOND_BOUNDS.
    """
    of_paper = rate_of(pounds, bushels) if unit_of(form) == POUND else 0
    check_bounds(form, max(rate, of_paper), day, evidence=evidence)
