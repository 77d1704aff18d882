from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.event_asked import EventAsked
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    kind: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/events/kinds/{kind}".format(
            kind=quote(str(kind), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> EventAsked | ProblemDocument:
    if response.status_code == 200:
        response_200 = EventAsked.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[EventAsked | ProblemDocument]:
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
) -> Response[EventAsked | ProblemDocument]:
    """Get Event Kind

     Return what a kind of event asks for, and what may be chosen today: sites, partners, slips,
    purchases, ...

    Args:
        kind (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EventAsked | ProblemDocument]
    """

    kwargs = _get_kwargs(
        kind=kind,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    kind: str,
    *,
    client: AuthenticatedClient,
) -> EventAsked | ProblemDocument | None:
    """Get Event Kind

     Return what a kind of event asks for, and what may be chosen today: sites, partners, slips,
    purchases, ...

    Args:
        kind (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EventAsked | ProblemDocument
    """

    return sync_detailed(
        kind=kind,
        client=client,
    ).parsed


async def asyncio_detailed(
    kind: str,
    *,
    client: AuthenticatedClient,
) -> Response[EventAsked | ProblemDocument]:
    """Get Event Kind

     Return what a kind of event asks for, and what may be chosen today: sites, partners, slips,
    purchases, ...

    Args:
        kind (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EventAsked | ProblemDocument]
    """

    kwargs = _get_kwargs(
        kind=kind,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    kind: str,
    *,
    client: AuthenticatedClient,
) -> EventAsked | ProblemDocument | None:
    """Get Event Kind

     Return what a kind of event asks for, and what may be chosen today: sites, partners, slips,
    purchases, ...

    Args:
        kind (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EventAsked | ProblemDocument
    """

    return (
        await asyncio_detailed(
            kind=kind,
            client=client,
        )
    ).parsed
