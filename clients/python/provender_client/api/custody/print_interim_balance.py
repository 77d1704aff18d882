import datetime
from http import HTTPStatus
from io import BytesIO
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...types import UNSET, File, Response, Unset


def _get_kwargs(
    *,
    on: datetime.date | None | Unset = UNSET,
    since: datetime.date | None | Unset = UNSET,
    month: str | Unset = "",
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_on: None | str | Unset
    if isinstance(on, Unset):
        json_on = UNSET
    elif isinstance(on, datetime.date):
        json_on = on.isoformat()
    else:
        json_on = on
    params["on"] = json_on

    json_since: None | str | Unset
    if isinstance(since, Unset):
        json_since = UNSET
    elif isinstance(since, datetime.date):
        json_since = since.isoformat()
    else:
        json_since = since
    params["since"] = json_since

    params["month"] = month

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/balance.pdf",
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> File | ProblemDocument:
    if response.status_code == 200:
        response_200 = File(payload=BytesIO(response.content))

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[File | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    on: datetime.date | None | Unset = UNSET,
    since: datetime.date | None | Unset = UNSET,
    month: str | Unset = "",
) -> Response[File | ProblemDocument]:
    """Print Interim Balance

     Return the same to print.

    Args:
        on (datetime.date | None | Unset):
        since (datetime.date | None | Unset):
        month (str | Unset): Such as 2026-02, instead of the days. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[File | ProblemDocument]
    """

    kwargs = _get_kwargs(
        on=on,
        since=since,
        month=month,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    on: datetime.date | None | Unset = UNSET,
    since: datetime.date | None | Unset = UNSET,
    month: str | Unset = "",
) -> File | ProblemDocument | None:
    """Print Interim Balance

     Return the same to print.

    Args:
        on (datetime.date | None | Unset):
        since (datetime.date | None | Unset):
        month (str | Unset): Such as 2026-02, instead of the days. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        File | ProblemDocument
    """

    return sync_detailed(
        client=client,
        on=on,
        since=since,
        month=month,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    on: datetime.date | None | Unset = UNSET,
    since: datetime.date | None | Unset = UNSET,
    month: str | Unset = "",
) -> Response[File | ProblemDocument]:
    """Print Interim Balance

     Return the same to print.

    Args:
        on (datetime.date | None | Unset):
        since (datetime.date | None | Unset):
        month (str | Unset): Such as 2026-02, instead of the days. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[File | ProblemDocument]
    """

    kwargs = _get_kwargs(
        on=on,
        since=since,
        month=month,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    on: datetime.date | None | Unset = UNSET,
    since: datetime.date | None | Unset = UNSET,
    month: str | Unset = "",
) -> File | ProblemDocument | None:
    """Print Interim Balance

     Return the same to print.

    Args:
        on (datetime.date | None | Unset):
        since (datetime.date | None | Unset):
        month (str | Unset): Such as 2026-02, instead of the days. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        File | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            on=on,
            since=since,
            month=month,
        )
    ).parsed
