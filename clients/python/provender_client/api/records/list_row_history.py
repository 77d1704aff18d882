from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.page_row_change_out import PageRowChangeOut
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    kind: str,
    *,
    key: str,
    limit: int | Unset = 100,
    after: int | Unset = 0,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["key"] = key

    params["limit"] = limit

    params["after"] = after

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/records/kinds/{kind}/history".format(
            kind=quote(str(kind), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> PageRowChangeOut | ProblemDocument:
    if response.status_code == 200:
        response_200 = PageRowChangeOut.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[PageRowChangeOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    kind: str,
    *,
    client: AuthenticatedClient,
    key: str,
    limit: int | Unset = 100,
    after: int | Unset = 0,
) -> Response[PageRowChangeOut | ProblemDocument]:
    """List Row History

     List every change of one row, by its key, the first one first; a row that was taken out keeps its
    history.

    Args:
        kind (str):
        key (str):
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageRowChangeOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        kind=kind,
        key=key,
        limit=limit,
        after=after,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    kind: str,
    *,
    client: AuthenticatedClient,
    key: str,
    limit: int | Unset = 100,
    after: int | Unset = 0,
) -> PageRowChangeOut | ProblemDocument | None:
    """List Row History

     List every change of one row, by its key, the first one first; a row that was taken out keeps its
    history.

    Args:
        kind (str):
        key (str):
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageRowChangeOut | ProblemDocument
    """

    return sync_detailed(
        kind=kind,
        client=client,
        key=key,
        limit=limit,
        after=after,
    ).parsed


async def asyncio_detailed(
    kind: str,
    *,
    client: AuthenticatedClient,
    key: str,
    limit: int | Unset = 100,
    after: int | Unset = 0,
) -> Response[PageRowChangeOut | ProblemDocument]:
    """List Row History

     List every change of one row, by its key, the first one first; a row that was taken out keeps its
    history.

    Args:
        kind (str):
        key (str):
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageRowChangeOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        kind=kind,
        key=key,
        limit=limit,
        after=after,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    kind: str,
    *,
    client: AuthenticatedClient,
    key: str,
    limit: int | Unset = 100,
    after: int | Unset = 0,
) -> PageRowChangeOut | ProblemDocument | None:
    """List Row History

     List every change of one row, by its key, the first one first; a row that was taken out keeps its
    history.

    Args:
        kind (str):
        key (str):
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageRowChangeOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            kind=kind,
            client=client,
            key=key,
            limit=limit,
            after=after,
        )
    ).parsed
