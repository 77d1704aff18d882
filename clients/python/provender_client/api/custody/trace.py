from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.pagedictstr_any import PagedictstrAny
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    find: str,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["after"] = after

    params["find"] = find

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/trace",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> PagedictstrAny | ProblemDocument:
    if response.status_code == 200:
        response_200 = PagedictstrAny.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[PagedictstrAny | ProblemDocument]:
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
    find: str,
) -> Response[PagedictstrAny | ProblemDocument]:
    """Trace

     List every station behind a lot, a movement or a document, the oldest first; farms stay unnamed
    (2100.032(c)).

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        find (str): A lot by its id or as pages print it, a movement or a document.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PagedictstrAny | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        find=find,
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
    find: str,
) -> PagedictstrAny | ProblemDocument | None:
    """Trace

     List every station behind a lot, a movement or a document, the oldest first; farms stay unnamed
    (2100.032(c)).

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        find (str): A lot by its id or as pages print it, a movement or a document.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PagedictstrAny | ProblemDocument
    """

    return sync_detailed(
        client=client,
        limit=limit,
        after=after,
        find=find,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    find: str,
) -> Response[PagedictstrAny | ProblemDocument]:
    """Trace

     List every station behind a lot, a movement or a document, the oldest first; farms stay unnamed
    (2100.032(c)).

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        find (str): A lot by its id or as pages print it, a movement or a document.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PagedictstrAny | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        find=find,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    find: str,
) -> PagedictstrAny | ProblemDocument | None:
    """Trace

     List every station behind a lot, a movement or a document, the oldest first; farms stay unnamed
    (2100.032(c)).

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        find (str): A lot by its id or as pages print it, a movement or a document.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PagedictstrAny | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            after=after,
            find=find,
        )
    ).parsed
