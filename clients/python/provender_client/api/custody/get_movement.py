from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.movement_whole import MovementWhole
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response


def _get_kwargs(
    *,
    event: str,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["event"] = event

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/movement",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> MovementWhole | ProblemDocument:
    if response.status_code == 200:
        response_200 = MovementWhole.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[MovementWhole | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    event: str,
) -> Response[MovementWhole | ProblemDocument]:
    """Get Movement

     Return one movement of the organization, by the id of its event.

    Args:
        event (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MovementWhole | ProblemDocument]
    """

    kwargs = _get_kwargs(
        event=event,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    event: str,
) -> MovementWhole | ProblemDocument | None:
    """Get Movement

     Return one movement of the organization, by the id of its event.

    Args:
        event (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MovementWhole | ProblemDocument
    """

    return sync_detailed(
        client=client,
        event=event,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    event: str,
) -> Response[MovementWhole | ProblemDocument]:
    """Get Movement

     Return one movement of the organization, by the id of its event.

    Args:
        event (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MovementWhole | ProblemDocument]
    """

    kwargs = _get_kwargs(
        event=event,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    event: str,
) -> MovementWhole | ProblemDocument | None:
    """Get Movement

     Return one movement of the organization, by the id of its event.

    Args:
        event (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MovementWhole | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            event=event,
        )
    ).parsed
