import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.get_balance_response import GetBalanceResponse
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    start: datetime.date,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/periods/{start}/balance".format(
            start=quote(str(start), safe=""),
        ),
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> GetBalanceResponse | ProblemDocument:
    if response.status_code == 200:
        response_200 = GetBalanceResponse.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[GetBalanceResponse | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    start: datetime.date,
    *,
    client: AuthenticatedClient,
) -> Response[GetBalanceResponse | ProblemDocument]:
    """Get Balance

     Return the equations of 2100.034(d) of one period, as it was closed or as it stands.

    Args:
        start (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetBalanceResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        start=start,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    start: datetime.date,
    *,
    client: AuthenticatedClient,
) -> GetBalanceResponse | ProblemDocument | None:
    """Get Balance

     Return the equations of 2100.034(d) of one period, as it was closed or as it stands.

    Args:
        start (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetBalanceResponse | ProblemDocument
    """

    return sync_detailed(
        start=start,
        client=client,
    ).parsed


async def asyncio_detailed(
    start: datetime.date,
    *,
    client: AuthenticatedClient,
) -> Response[GetBalanceResponse | ProblemDocument]:
    """Get Balance

     Return the equations of 2100.034(d) of one period, as it was closed or as it stands.

    Args:
        start (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetBalanceResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        start=start,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    start: datetime.date,
    *,
    client: AuthenticatedClient,
) -> GetBalanceResponse | ProblemDocument | None:
    """Get Balance

     Return the equations of 2100.034(d) of one period, as it was closed or as it stands.

    Args:
        start (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetBalanceResponse | ProblemDocument
    """

    return (
        await asyncio_detailed(
            start=start,
            client=client,
        )
    ).parsed
