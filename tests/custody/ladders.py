"""Ladders: requests that break many conditions at once, and the repairs that mend them in order of precedence."""

from typing import Final

from tests.custody import ladders_of_papers, ladders_of_trade, ladders_of_works
from tests.custody.ladders_stock import Ladder

LADDERS: Final[list[Ladder]] = [*ladders_of_trade.LADDERS, *ladders_of_works.LADDERS, *ladders_of_papers.LADDERS]
