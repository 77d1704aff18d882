import datetime
from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.page_came_in_sum_view import PageCameInSumView
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    since: datetime.date | None | Unset = UNSET,
    on: datetime.date | None | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["after"] = after

    json_since: None | str | Unset
    if isinstance(since, Unset):
        json_since = UNSET
    elif isinstance(since, datetime.date):
        json_since = since.isoformat()
    else:
        json_since = since
    params["since"] = json_since

    json_on: None | str | Unset
    if isinstance(on, Unset):
        json_on = UNSET
    elif isinstance(on, datetime.date):
        json_on = on.isoformat()
    else:
        json_on = on
    params["on"] = json_on

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/came-in/sums",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> PageCameInSumView | ProblemDocument:
    if response.status_code == 200:
        response_200 = PageCameInSumView.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[PageCameInSumView | ProblemDocument]:
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
    since: datetime.date | None | Unset = UNSET,
    on: datetime.date | None | Unset = UNSET,
) -> Response[PageCameInSumView | ProblemDocument]:
    """List Came In Sums

     List the same by crop or product, in all and then by supplier, with the mean weighted by bushels.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        since (datetime.date | None | Unset):
        on (datetime.date | None | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageCameInSumView | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        since=since,
        on=on,
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
    since: datetime.date | None | Unset = UNSET,
    on: datetime.date | None | Unset = UNSET,
) -> PageCameInSumView | ProblemDocument | None:
    """List Came In Sums

     List the same by crop or product, in all and then by supplier, with the mean weighted by bushels.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        since (datetime.date | None | Unset):
        on (datetime.date | None | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageCameInSumView | ProblemDocument
    """

    return sync_detailed(
        client=client,
        limit=limit,
        after=after,
        since=since,
        on=on,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    since: datetime.date | None | Unset = UNSET,
    on: datetime.date | None | Unset = UNSET,
) -> Response[PageCameInSumView | ProblemDocument]:
    """List Came In Sums

     List the same by crop or product, in all and then by supplier, with the mean weighted by bushels.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        since (datetime.date | None | Unset):
        on (datetime.date | None | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageCameInSumView | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        since=since,
        on=on,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    since: datetime.date | None | Unset = UNSET,
    on: datetime.date | None | Unset = UNSET,
) -> PageCameInSumView | ProblemDocument | None:
    """List Came In Sums

     List the same by crop or product, in all and then by supplier, with the mean weighted by bushels.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        since (datetime.date | None | Unset):
        on (datetime.date | None | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageCameInSumView | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            after=after,
            since=since,
            on=on,
        )
    ).parsed
