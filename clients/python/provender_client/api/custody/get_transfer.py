from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.paper_out import PaperOut
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response


def _get_kwargs(
    *,
    sale: str,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["sale"] = sale

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/papers/transfer",
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> PaperOut | ProblemDocument:
    if response.status_code == 200:
        response_200 = PaperOut.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[PaperOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    sale: str,
) -> Response[PaperOut | ProblemDocument]:
    """Get Transfer

     Return the transfer document of a sale: as it was signed, else as it would be signed today
    (2100.032(c)).

    Args:
        sale (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PaperOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        sale=sale,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    sale: str,
) -> PaperOut | ProblemDocument | None:
    """Get Transfer

     Return the transfer document of a sale: as it was signed, else as it would be signed today
    (2100.032(c)).

    Args:
        sale (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PaperOut | ProblemDocument
    """

    return sync_detailed(
        client=client,
        sale=sale,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    sale: str,
) -> Response[PaperOut | ProblemDocument]:
    """Get Transfer

     Return the transfer document of a sale: as it was signed, else as it would be signed today
    (2100.032(c)).

    Args:
        sale (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PaperOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        sale=sale,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    sale: str,
) -> PaperOut | ProblemDocument | None:
    """Get Transfer

     Return the transfer document of a sale: as it was signed, else as it would be signed today
    (2100.032(c)).

    Args:
        sale (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PaperOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            sale=sale,
        )
    ).parsed
