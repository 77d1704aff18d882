"""Pages of a list: at most so many items, and the mark after which the next page begins."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from ninja import Query, Schema

Item = TypeVar("Item")
Row = TypeVar("Row", bound=Model)
T = TypeVar("T")


class PageQuery(Schema):
    """What a caller may say about pages."""

    limit: Annotated[int, Query(ge=1, le=500, description="Items on a page.")] = 100
    after: Annotated[int, Query(ge=0, le=2**63 - 1, description="The mark `next` of the page before.")] = 0


class Page(Schema, Generic[Item]):
    """One page of a list; ``next`` is null on the last."""

    items: Sequence[Item]
    next: int | None


def page_of(rows: QuerySet[Row], query: PageQuery, shape: Callable[[Row], Any]) -> dict[str, object]:
    """Cut one page out of rows in the order of their keys."""
    found = list(rows.filter(pk__gt=query.after).order_by("pk")[: query.limit + 1])
    shown = found[: query.limit]
    return {"items": [shape(row) for row in shown], "next": shown[-1].pk if len(found) > len(shown) else None}


def page_of_list(rows: Sequence[T], query: PageQuery, shape: Callable[[T], Any]) -> dict[str, object]:
    """Cut one page out of a list in its own order; ``next`` is the number of rows before the next page."""
    shown = rows[query.after : query.after + query.limit]
    end = query.after + len(shown)
    return {"items": [shape(row) for row in shown], "next": end if end < len(rows) else None}


def itself(item: T) -> T:
    """Return a view as it is: the schema of its answer reads its fields."""
    return item
