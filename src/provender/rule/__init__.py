"""The regulation as data: citations, dated parameters, crop-by-practice table, paragraphs and what answers each."""

from provender.rule.law import (
    LATER_RULE,
    Cite,
    Crop,
    MonthDay,
    NotInForceError,
    Parameter,
    ParameterKind,
    ParametersError,
    Practice,
    RuleVersion,
    Season,
    claimable,
    parameters,
    parameters_of,
    rule_version,
)
from provender.rule.paragraphs import Force, Paragraph, Subject, paragraph, paragraphs, sections

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
