import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.get_restatement_response import GetRestatementResponse
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    start: datetime.date,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/periods/{start}/restatement".format(
            start=quote(str(start), safe=""),
        ),
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> GetRestatementResponse | ProblemDocument:
    if response.status_code == 200:
        response_200 = GetRestatementResponse.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[GetRestatementResponse | ProblemDocument]:
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
) -> Response[GetRestatementResponse | ProblemDocument]:
    """Get Restatement

     Return the equations of a closed period as the farms' reports stand now; 404 where no report changed
    since.

    Args:
        start (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetRestatementResponse | ProblemDocument]
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
) -> GetRestatementResponse | ProblemDocument | None:
    """Get Restatement

     Return the equations of a closed period as the farms' reports stand now; 404 where no report changed
    since.

    Args:
        start (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetRestatementResponse | ProblemDocument
    """

    return sync_detailed(
        start=start,
        client=client,
    ).parsed


async def asyncio_detailed(
    start: datetime.date,
    *,
    client: AuthenticatedClient,
) -> Response[GetRestatementResponse | ProblemDocument]:
    """Get Restatement

     Return the equations of a closed period as the farms' reports stand now; 404 where no report changed
    since.

    Args:
        start (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetRestatementResponse | ProblemDocument]
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
) -> GetRestatementResponse | ProblemDocument | None:
    """Get Restatement

     Return the equations of a closed period as the farms' reports stand now; 404 where no report changed
    since.

    Args:
        start (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetRestatementResponse | ProblemDocument
    """

    return (
        await asyncio_detailed(
            start=start,
            client=client,
        )
    ).parsed
