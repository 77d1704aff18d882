"""The regulation as data: citations, dated parameters, crop-by-practice table, paragraphs and what answers each."""

from provender.rule.cite import Cite
from provender.rule.crops import Crop, Practice, claimable
from provender.rule.parameters import NotInForceError, Parameter, ParameterKind, ParametersError, parameters
from provender.rule.season import MonthDay, Season
from provender.rule.version import LATER_RULE, RuleVersion, rule_version

__all__ = [
    "LATER_RULE",
    "Cite",
    "Crop",
    "MonthDay",
    "NotInForceError",
    "Parameter",
    "ParameterKind",
    "ParametersError",
    "Practice",
    "RuleVersion",
    "Season",
    "claimable",
    "parameters",
    "rule_version",
]
