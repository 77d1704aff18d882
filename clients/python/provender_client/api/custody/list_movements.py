from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.movements_out import MovementsOut
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    limit: int | Unset = 50,
    older: str | Unset = "",
    kinds: str | Unset = "",
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["older"] = older

    params["kinds"] = kinds

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/movements",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> MovementsOut | ProblemDocument:
    if response.status_code == 200:
        response_200 = MovementsOut.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[MovementsOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 50,
    older: str | Unset = "",
    kinds: str | Unset = "",
) -> Response[MovementsOut | ProblemDocument]:
    """List Movements

     List the movements of the organization, newest first; ``older`` is the mark of the page before.

    A page of rare kinds may hold fewer than ``limit``, even none, and still have an older one.

    Args:
        limit (int | Unset):  Default: 50.
        older (str | Unset):  Default: ''.
        kinds (str | Unset): Such as `sale,return,reject`; all where left out. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MovementsOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        older=older,
        kinds=kinds,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 50,
    older: str | Unset = "",
    kinds: str | Unset = "",
) -> MovementsOut | ProblemDocument | None:
    """List Movements

     List the movements of the organization, newest first; ``older`` is the mark of the page before.

    A page of rare kinds may hold fewer than ``limit``, even none, and still have an older one.

    Args:
        limit (int | Unset):  Default: 50.
        older (str | Unset):  Default: ''.
        kinds (str | Unset): Such as `sale,return,reject`; all where left out. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MovementsOut | ProblemDocument
    """

    return sync_detailed(
        client=client,
        limit=limit,
        older=older,
        kinds=kinds,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 50,
    older: str | Unset = "",
    kinds: str | Unset = "",
) -> Response[MovementsOut | ProblemDocument]:
    """List Movements

     List the movements of the organization, newest first; ``older`` is the mark of the page before.

    A page of rare kinds may hold fewer than ``limit``, even none, and still have an older one.

    Args:
        limit (int | Unset):  Default: 50.
        older (str | Unset):  Default: ''.
        kinds (str | Unset): Such as `sale,return,reject`; all where left out. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MovementsOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        older=older,
        kinds=kinds,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 50,
    older: str | Unset = "",
    kinds: str | Unset = "",
) -> MovementsOut | ProblemDocument | None:
    """List Movements

     List the movements of the organization, newest first; ``older`` is the mark of the page before.

    A page of rare kinds may hold fewer than ``limit``, even none, and still have an older one.

    Args:
        limit (int | Unset):  Default: 50.
        older (str | Unset):  Default: ''.
        kinds (str | Unset): Such as `sale,return,reject`; all where left out. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MovementsOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            older=older,
            kinds=kinds,
        )
    ).parsed
