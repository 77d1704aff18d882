"""The regulation as data: citations, dated parameters, crop-by-practice table, paragraphs and what answers each."""

from provender.rule.cite import Cite
from provender.rule.crops import Crop, Practice, claimable
from provender.rule.paragraphs import Force, Paragraph, Subject, paragraph, paragraphs, sections
from provender.rule.parameters import (
    NotInForceError,
    Parameter,
    ParameterKind,
    ParametersError,
    parameters,
    parameters_of,
)
from provender.rule.season import MonthDay, Season
from provender.rule.version import LATER_RULE, RuleVersion, rule_version

__all__ = [
    "LATER_RULE",
    "Cite",
    "Crop",
    "Force",
    "MonthDay",
    "NotInForceError",
    "Paragraph",
    "Parameter",
    "ParameterKind",
    "ParametersError",
    "Practice",
    "RuleVersion",
    "Season",
    "Subject",
    "claimable",
    "paragraph",
    "paragraphs",
    "parameters",
    "parameters_of",
    "rule_version",
    "sections",
]
