"""All kinds of record; importing this package registers them, in the order in which a person meets them."""

# isort: off
from provender.records.kinds import farm
from provender.records.kinds import season
from provender.records.kinds import cover
from provender.records.kinds import nutrients
from provender.records.kinds import quantification
# isort: on

__all__ = ["cover", "farm", "nutrients", "quantification", "season"]
