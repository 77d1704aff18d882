"""Pages of a list: at most so many items, and the mark after which the next page begins."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from enum import StrEnum
from inspect import cleandoc
from types import UnionType
from typing import Annotated, Any, Final, Generic, Literal, TypeVar, Union, get_args, get_origin

from django.db.models import Model, QuerySet
from ninja import Query, Schema
from pydantic import Field, WithJsonSchema, create_model
from pydantic import Field as Described

from provender.exact import Scaled
from provender.schema import Info, infos, is_required, types_of, wire_of, write
from provender.services.organisation_keys import OrganisationKeyView

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


# A view or an event as a schema of the API: names, labels, help and units come from its declaration.
#
# Values are those of ``plain.write(value, whole=True)``: amounts and days are text.

_MADE: Final[dict[tuple[type[Any], str], type[Schema]]] = {}
_NAMES: Final[dict[type[Any], str]] = {}
_SHARED: Final[set[type[StrEnum]]] = set()


def shared(*words: type[StrEnum]) -> None:
    """Describe kinds of words once, under their own names, instead of at each field."""
    _SHARED.update(words)


def page_of_schema(item: type[Schema]) -> Any:  # noqa: ANN401 - a type made at run time
    return Page[item]  # type: ignore[valid-type]


def shown(view: object) -> Any:  # noqa: ANN401 - JSON
    return write(view, whole=True)


def schema_of(cls: type[Any], *, name: str = "", open_ended: bool = False, partly: bool = False) -> type[Schema]:
    """Return the schema of a declared class, made once for each name.

    Args:
        cls: the view or event.
        name: of the component in the description; without it the one said for the class before, else the class's own,
            with ``In`` for what a caller writes.
        open_ended: whether fields with a default may be left out, as a caller may; else all are there, as in an answer.
        partly: whether every field may be left out.
    """
    own = f"{cls.__name__}In" if open_ended else _NAMES.get(cls, cls.__name__)
    key = (cls, name or own)
    if name and not open_ended:
        _NAMES.setdefault(cls, name)
    if key not in _MADE:
        hints, said = types_of(cls), infos(cls)
        members: dict[str, Any] = {}
        for each in fields(cls):
            kind = _plain_type(hints[each.name], open_ended=open_ended)
            described = _described(said[each.name])
            if partly or (open_ended and not is_required(each)):
                members[each.name] = (Annotated[kind | None, described], None)
            else:
                members[each.name] = (Annotated[kind, described], ...)
        summary = cleandoc(cls.__doc__ or "").partition("\n\nAttributes:")[0]
        _MADE[key] = create_model(key[1], __base__=Schema, __doc__=summary, **members)
    return _MADE[key]


def _plain_type(kind: Any, *, open_ended: bool = False) -> Any:  # noqa: ANN401 - any annotation, in and out
    """Return the type of the plain form of a field's type."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return str if isinstance(wire_of(kind), Scaled) else _plain_type(inside[0], open_ended=open_ended)
    if origin in (Union, UnionType):
        return Union[tuple(_plain_type(each, open_ended=open_ended) for each in inside)]  # noqa: UP007 - made at run time
    if origin is tuple:
        if inside[-1] is Ellipsis:
            return list[_plain_type(inside[0], open_ended=open_ended)]  # type: ignore[misc]
        return tuple[tuple(_plain_type(each, open_ended=open_ended) for each in inside)]  # type: ignore[misc]
    if origin is not None and issubclass(origin, Mapping):
        return dict[str, _plain_type(inside[1], open_ended=open_ended)]  # type: ignore[misc]
    if isinstance(kind, type) and issubclass(kind, StrEnum) and kind not in _SHARED:
        return Literal[tuple(str(each) for each in kind)]
    if kind is date:
        return Annotated[str, WithJsonSchema({"type": "string", "format": "date"})]
    return schema_of(kind, open_ended=open_ended) if isinstance(kind, type) and is_dataclass(kind) else kind


def _described(info: Info) -> Any:  # noqa: ANN401 - pydantic's
    extra: dict[str, Any] = {"x-unit": info.unit} if info.unit else {}
    extra |= {"x-cite": info.cite} if info.cite else {}
    extra |= {"example": info.example} if info.example is not None else {}
    return Described(title=info.label, description=info.help or None, json_schema_extra=extra or None)


def file_of(*media_types: str) -> dict[str, Any]:
    """Return, as ``openapi_extra`` of a call with ``response={200: None, ...}``, that its answer is a file."""
    content = {one: {"schema": {"type": "string", "format": "binary"}} for one in media_types}
    return {"responses": {200: {"content": content}}}


# The signing keys of organisations in calls: how one is shown, and how one is brought.

KEY = schema_of(OrganisationKeyView, name="KeyOut")


class KeyIn(Schema):
    """A public key (JWK), or the rotation statement by which the key in use names the next one."""

    shown: dict[str, Any]
    reason: Annotated[
        str,
        Field(
            max_length=400, pattern=r"^[^\x00-\x1f\x7f]*$",
            description="Why a key in use is replaced without its own word.",
        ),
    ] = ""  # fmt: skip
