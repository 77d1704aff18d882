import datetime
from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.get_interim_balance_response import GetInterimBalanceResponse
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


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
        "url": "/api/v1/custody/balance",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> GetInterimBalanceResponse | ProblemDocument:
    if response.status_code == 200:
        response_200 = GetInterimBalanceResponse.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[GetInterimBalanceResponse | ProblemDocument]:
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
) -> Response[GetInterimBalanceResponse | ProblemDocument]:
    """Get Interim Balance

     Return the equations as of the end of any day, of the days since another, or of a month; they close
    nothing.

    Args:
        on (datetime.date | None | Unset):
        since (datetime.date | None | Unset):
        month (str | Unset): Such as 2026-02, instead of the days. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetInterimBalanceResponse | ProblemDocument]
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
) -> GetInterimBalanceResponse | ProblemDocument | None:
    """Get Interim Balance

     Return the equations as of the end of any day, of the days since another, or of a month; they close
    nothing.

    Args:
        on (datetime.date | None | Unset):
        since (datetime.date | None | Unset):
        month (str | Unset): Such as 2026-02, instead of the days. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetInterimBalanceResponse | ProblemDocument
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
) -> Response[GetInterimBalanceResponse | ProblemDocument]:
    """Get Interim Balance

     Return the equations as of the end of any day, of the days since another, or of a month; they close
    nothing.

    Args:
        on (datetime.date | None | Unset):
        since (datetime.date | None | Unset):
        month (str | Unset): Such as 2026-02, instead of the days. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetInterimBalanceResponse | ProblemDocument]
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
) -> GetInterimBalanceResponse | ProblemDocument | None:
    """Get Interim Balance

     Return the equations as of the end of any day, of the days since another, or of a month; they close
    nothing.

    Args:
        on (datetime.date | None | Unset):
        since (datetime.date | None | Unset):
        month (str | Unset): Such as 2026-02, instead of the days. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetInterimBalanceResponse | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            on=on,
            since=since,
            month=month,
        )
    ).parsed
