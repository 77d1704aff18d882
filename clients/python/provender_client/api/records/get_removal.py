from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...models.removal_out import RemovalOut
from ...types import UNSET, Response


def _get_kwargs(
    kind: str,
    *,
    key: str,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["key"] = key

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/records/kinds/{kind}/removal".format(
            kind=quote(str(kind), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ProblemDocument | RemovalOut:
    if response.status_code == 200:
        response_200 = RemovalOut.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | RemovalOut]:
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
) -> Response[ProblemDocument | RemovalOut]:
    """Get Removal

     Tell what taking one row out, by its key, would take with it; nothing is written.

    Args:
        kind (str):
        key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | RemovalOut]
    """

    kwargs = _get_kwargs(
        kind=kind,
        key=key,
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
) -> ProblemDocument | RemovalOut | None:
    """Get Removal

     Tell what taking one row out, by its key, would take with it; nothing is written.

    Args:
        kind (str):
        key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | RemovalOut
    """

    return sync_detailed(
        kind=kind,
        client=client,
        key=key,
    ).parsed


async def asyncio_detailed(
    kind: str,
    *,
    client: AuthenticatedClient,
    key: str,
) -> Response[ProblemDocument | RemovalOut]:
    """Get Removal

     Tell what taking one row out, by its key, would take with it; nothing is written.

    Args:
        kind (str):
        key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | RemovalOut]
    """

    kwargs = _get_kwargs(
        kind=kind,
        key=key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    kind: str,
    *,
    client: AuthenticatedClient,
    key: str,
) -> ProblemDocument | RemovalOut | None:
    """Get Removal

     Tell what taking one row out, by its key, would take with it; nothing is written.

    Args:
        kind (str):
        key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | RemovalOut
    """

    return (
        await asyncio_detailed(
            kind=kind,
            client=client,
            key=key,
        )
    ).parsed
