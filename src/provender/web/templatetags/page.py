"""What our templates can say: addresses of files, verdict chips, amounts, tables, problems."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, Final

from django import template
from django.contrib.staticfiles import finders
from django.template import Context
from django.template.defaulttags import CsrfTokenNode
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import conditional_escape
from django.utils.safestring import mark_safe

from provender.exact import SCALE, show
from provender.paper.tables import Table
from provender.records.field import starting_small
from provender.services.field import account_of
from provender.services.news.told import unseen
from provender.signing.canonical import canonical_json, sha256_hex
from provender.web.inputs import said_plainly
from provender.web.navigation import title_of
from provender.web.tables import EVERY, Head, chip, days_said, place_said, table_body

register = template.Library()

_CITATION: Final = re.compile(r"\b[Ii]nterpretations? (\d+(?:(?:, | and | to )\d+)*)")


register.filter("account_of", account_of)
register.filter("starting_small", starting_small)
register.filter("plainly", said_plainly)
register.filter("at_heading", place_said)


@register.simple_tag(takes_context=True)
def fresh_notices(context: Mapping[str, Any]) -> int:
    """Count what came since the member who looks saw the notices last; none for whoever visits."""
    access = context.get("access")
    return unseen(access.membership) if access is not None and access.membership is not None else 0


_VERDICTS: Final = {
    "met": ("met", "Met", "check"),
    "not met": ("not-met", "Not met", "cross"),
    "not shown": ("not-shown", "Not shown", "question"),
}
"""Class, words, icon: never colour alone."""


@cache
def _address(path: str) -> str:
    found = finders.find(path)
    if not isinstance(found, str):
        raise template.TemplateSyntaxError(f"There is no static file {path}.")
    with open(found, "rb") as stream:  # noqa: PTH123 - finders return text
        return f"{static(path)}?v={sha256_hex(stream.read())[:12]}"


@register.simple_tag
def asset(path: str) -> str:
    """Return the address of a file of the pages, with its hash, so that browsers may keep it for long."""
    return _address(path)


_HAPPENED: Final = re.compile(r"(?<=<title>)\d{4}-\d\d-\d\d(?=: )")


@register.filter
def chart_days(svg: str) -> str:
    """Write the days that the tool tips of a chart begin with as all pages do."""
    return _HAPPENED.sub(lambda found: days_said(found[0]), svg)


@register.simple_tag(takes_context=True)
def entry_title(context: Mapping[str, Any]) -> str:
    """Return under which entry of the menu the page that was asked for stands."""
    return title_of(context["request"].resolver_match.view_name)


@register.simple_tag
def verdict(value: str) -> str:
    """Draw a verdict."""
    return chip(*_VERDICTS[value])


STANDINGS: Final = {
    "met": ("met", "Met", "check"),
    "contradicted": ("not-met", "Your records say otherwise", "cross"),
    "waiting": ("waiting", "Waiting for the producer", "dots"),
    "not_shown": ("not-shown", "Not shown yet", "question"),
    "ruled_out": ("plain", "Cannot be met", ""),
    "not_claimed": ("plain", "Not claimed", ""),
    "not_for_crop": ("plain", "Not for this crop", ""),
    "no_verdict": ("plain", "No verdict", ""),
}


@register.simple_tag
def standing(value: str) -> str:
    """Draw how a practice stands: red only where its claim is contradicted, grey where nobody claims it."""
    kind, words, icon = STANDINGS[value]
    return chip(kind, words, icon)


@register.simple_tag(takes_context=True)
def rows_of(context: Context, table: Table) -> str:
    """Write the rows of a table; only one with a button asks for what forms need, which makes a page of its own."""
    has_form = any(cell.form for row in table.cells for cell in row)
    return table_body(table, CsrfTokenNode().render(context) if has_form else "")


@register.filter
def heads(table: Table) -> Sequence[Head]:
    """Return the headings of a table: those by which its page sorts, else its columns."""
    return getattr(table, "heads", ()) or [Head(column) for column in table.columns]


@register.filter
def amount(value: int | None, places: int = 0) -> str:
    """Write thousandths for people: 80250 becomes 80.25; nothing becomes a dash."""
    return "—" if value is None else show(value, SCALE, places=places, group=True)


@register.filter
def digits(text: str) -> str:
    """Group the digits of an amount that a document writes as plain decimal text: 7883.38 becomes 7,883.38."""
    return f"{Decimal(text):,}"


@register.filter(is_safe=True)
def days(value: object) -> str:
    """Write the days in a text, or a day, as all pages do."""
    return days_said(str(value))


@register.filter
def grouped(value: int) -> str:
    """Write a whole number for people: 34875 becomes 34,875."""
    return f"{value:,}"


SHORT: Final = 70
"""Letters of a help that stand under a box; more lies behind its i."""


@register.filter
def is_long(text: str) -> bool:
    """Tell whether a help is more than a line."""
    return len(text) > SHORT


@register.filter
def cited(text: str) -> str:
    """Turn citations of interpretations into links to their pages; unsafe text is escaped."""

    def link(words: str, number: str) -> str:
        return f'<a href="{reverse("interpretation", args=[number])}">{words}</a>'

    def linked(citation: re.Match[str]) -> str:
        if citation[1].isdecimal():
            return link(citation[0], citation[1])
        return re.sub(r"\d+", lambda number: link(number[0], number[0]), citation[0])

    return mark_safe(_CITATION.sub(linked, conditional_escape(text)))  # noqa: S308 - escaped, and links of our own


@register.filter
def prose(text: str) -> str:
    """Write a marked text: code, emphasis and citations."""
    marked_up = str(conditional_escape(text))
    for mark, name in ((r"`([^`]+)`", "code"), (r"\*\*([^*]+)\*\*", "strong"), (r"\*([^*]+)\*", "em")):
        marked_up = re.sub(mark, rf"<{name}>\1</{name}>", marked_up)
    return cited(mark_safe(marked_up))  # noqa: S308 - escaped, and marks of our own


@register.simple_tag(takes_context=True)
def saving(context: Mapping[str, Any], table: str, kind: str) -> str:
    """Return the address that saves a table of this page, with what the page was asked for but not which part of it."""
    asked = context["request"].GET.copy()
    for name in [one for one in asked if one in PARTS or one.startswith(("find-", "page-"))]:
        del asked[name]
    asked.update({"save": kind, "table": table})
    return f"?{asked.urlencode()}"


@register.simple_tag(takes_context=True)
def every_row(context: Mapping[str, Any], table: str) -> str:
    """Return the address of all rows of a table that its store gives a page at a time; empty where they stand here."""
    asked = context["request"].GET.copy()
    name = f"page-{table}"
    if asked.get(name) == EVERY:
        return ""
    for part in [one for one in asked if one in PARTS]:
        del asked[part]
    asked[name] = EVERY
    return f"?{asked.urlencode()}"


PARTS: Final = ("page", "before", "after")
"""Words of an address that say which part of a long list is shown."""


@register.filter
def as_json(value: object) -> str:
    """Write plain data as JSON text for a data attribute, which Django escapes."""
    return canonical_json(value).decode()
