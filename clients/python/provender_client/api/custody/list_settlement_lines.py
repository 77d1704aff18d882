import datetime
from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.page_settlement_line_view import PageSettlementLineView
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    since: datetime.date | Unset = datetime.date.fromisoformat("0001-01-01"),
    on: datetime.date | None | Unset = UNSET,
    map_: int | None | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["after"] = after

    json_since: str | Unset = UNSET
    if not isinstance(since, Unset):
        json_since = since.isoformat()
    params["since"] = json_since

    json_on: None | str | Unset
    if isinstance(on, Unset):
        json_on = UNSET
    elif isinstance(on, datetime.date):
        json_on = on.isoformat()
    else:
        json_on = on
    params["on"] = json_on

    json_map_: int | None | Unset
    if isinstance(map_, Unset):
        json_map_ = UNSET
    else:
        json_map_ = map_
    params["map"] = json_map_

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/deliveries/lines",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> PageSettlementLineView | ProblemDocument:
    if response.status_code == 200:
        response_200 = PageSettlementLineView.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[PageSettlementLineView | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    since: datetime.date | Unset = datetime.date.fromisoformat("0001-01-01"),
    on: datetime.date | None | Unset = UNSET,
    map_: int | None | Unset = UNSET,
) -> Response[PageSettlementLineView | ProblemDocument]:
    """List Settlement Lines

     List the lines to settle, by ticket, serials and carbon intensity, with the premium of the contract.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        since (datetime.date | Unset):  Default: datetime.date.fromisoformat('0001-01-01').
        on (datetime.date | None | Unset):
        map_ (int | None | Unset): Its place in /custody/maps?target=settlement.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageSettlementLineView | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        since=since,
        on=on,
        map_=map_,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    since: datetime.date | Unset = datetime.date.fromisoformat("0001-01-01"),
    on: datetime.date | None | Unset = UNSET,
    map_: int | None | Unset = UNSET,
) -> PageSettlementLineView | ProblemDocument | None:
    """List Settlement Lines

     List the lines to settle, by ticket, serials and carbon intensity, with the premium of the contract.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        since (datetime.date | Unset):  Default: datetime.date.fromisoformat('0001-01-01').
        on (datetime.date | None | Unset):
        map_ (int | None | Unset): Its place in /custody/maps?target=settlement.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageSettlementLineView | ProblemDocument
    """

    return sync_detailed(
        client=client,
        limit=limit,
        after=after,
        since=since,
        on=on,
        map_=map_,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    since: datetime.date | Unset = datetime.date.fromisoformat("0001-01-01"),
    on: datetime.date | None | Unset = UNSET,
    map_: int | None | Unset = UNSET,
) -> Response[PageSettlementLineView | ProblemDocument]:
    """List Settlement Lines

     List the lines to settle, by ticket, serials and carbon intensity, with the premium of the contract.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        since (datetime.date | Unset):  Default: datetime.date.fromisoformat('0001-01-01').
        on (datetime.date | None | Unset):
        map_ (int | None | Unset): Its place in /custody/maps?target=settlement.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageSettlementLineView | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        since=since,
        on=on,
        map_=map_,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    since: datetime.date | Unset = datetime.date.fromisoformat("0001-01-01"),
    on: datetime.date | None | Unset = UNSET,
    map_: int | None | Unset = UNSET,
) -> PageSettlementLineView | ProblemDocument | None:
    """List Settlement Lines

     List the lines to settle, by ticket, serials and carbon intensity, with the premium of the contract.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        since (datetime.date | Unset):  Default: datetime.date.fromisoformat('0001-01-01').
        on (datetime.date | None | Unset):
        map_ (int | None | Unset): Its place in /custody/maps?target=settlement.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageSettlementLineView | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            after=after,
            since=since,
            on=on,
            map_=map_,
        )
    ).parsed
