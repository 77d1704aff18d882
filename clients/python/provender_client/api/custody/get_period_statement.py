import datetime
from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.paper_out import PaperOut
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    start: datetime.date,
    restated: bool | Unset = False,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_start = start.isoformat()
    params["start"] = json_start

    params["restated"] = restated

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/papers/period",
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
    start: datetime.date,
    restated: bool | Unset = False,
) -> Response[PaperOut | ProblemDocument]:
    """Get Period Statement

     Return the statement of a closed period: as it was signed, else as it is to be signed (2100.034(c)).

    With ``restated`` the restatement beside it, where a report behind the period changed since.

    Args:
        start (datetime.date):
        restated (bool | Unset):  Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PaperOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        start=start,
        restated=restated,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    start: datetime.date,
    restated: bool | Unset = False,
) -> PaperOut | ProblemDocument | None:
    """Get Period Statement

     Return the statement of a closed period: as it was signed, else as it is to be signed (2100.034(c)).

    With ``restated`` the restatement beside it, where a report behind the period changed since.

    Args:
        start (datetime.date):
        restated (bool | Unset):  Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PaperOut | ProblemDocument
    """

    return sync_detailed(
        client=client,
        start=start,
        restated=restated,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    start: datetime.date,
    restated: bool | Unset = False,
) -> Response[PaperOut | ProblemDocument]:
    """Get Period Statement

     Return the statement of a closed period: as it was signed, else as it is to be signed (2100.034(c)).

    With ``restated`` the restatement beside it, where a report behind the period changed since.

    Args:
        start (datetime.date):
        restated (bool | Unset):  Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PaperOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        start=start,
        restated=restated,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    start: datetime.date,
    restated: bool | Unset = False,
) -> PaperOut | ProblemDocument | None:
    """Get Period Statement

     Return the statement of a closed period: as it was signed, else as it is to be signed (2100.034(c)).

    With ``restated`` the restatement beside it, where a report behind the period changed since.

    Args:
        start (datetime.date):
        restated (bool | Unset):  Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PaperOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            start=start,
            restated=restated,
        )
    ).parsed
