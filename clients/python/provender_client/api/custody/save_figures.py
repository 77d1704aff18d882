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
    year: int | None | Unset = UNSET,
    since: datetime.date | None | Unset = UNSET,
    on: datetime.date | None | Unset = UNSET,
    gallons_per_bu: str | Unset = "",
    btu_per_gallon: str | Unset = "",
    energy_source: str | Unset = "",
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_year: int | None | Unset
    if isinstance(year, Unset):
        json_year = UNSET
    else:
        json_year = year
    params["year"] = json_year

    json_since: None | str | Unset
    if isinstance(since, Unset):
        json_since = UNSET
    elif isinstance(since, datetime.date):
        json_since = since.isoformat()
    else:
        json_since = since
    params["since"] = json_since

    json_on: None | str | Unset
    if isinstance(on, Unset):
        json_on = UNSET
    elif isinstance(on, datetime.date):
        json_on = on.isoformat()
    else:
        json_on = on
    params["on"] = json_on

    params["gallons_per_bu"] = gallons_per_bu

    params["btu_per_gallon"] = btu_per_gallon

    params["energy_source"] = energy_source

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/figures.csv",
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
    year: int | None | Unset = UNSET,
    since: datetime.date | None | Unset = UNSET,
    on: datetime.date | None | Unset = UNSET,
    gallons_per_bu: str | Unset = "",
    btu_per_gallon: str | Unset = "",
    energy_source: str | Unset = "",
) -> Response[File | ProblemDocument]:
    """Save Figures

     Return the lots behind them as CSV.

    Args:
        year (int | None | Unset):
        since (datetime.date | None | Unset):
        on (datetime.date | None | Unset):
        gallons_per_bu (str | Unset):  Default: ''.
        btu_per_gallon (str | Unset):  Default: ''.
        energy_source (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[File | ProblemDocument]
    """

    kwargs = _get_kwargs(
        year=year,
        since=since,
        on=on,
        gallons_per_bu=gallons_per_bu,
        btu_per_gallon=btu_per_gallon,
        energy_source=energy_source,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    year: int | None | Unset = UNSET,
    since: datetime.date | None | Unset = UNSET,
    on: datetime.date | None | Unset = UNSET,
    gallons_per_bu: str | Unset = "",
    btu_per_gallon: str | Unset = "",
    energy_source: str | Unset = "",
) -> File | ProblemDocument | None:
    """Save Figures

     Return the lots behind them as CSV.

    Args:
        year (int | None | Unset):
        since (datetime.date | None | Unset):
        on (datetime.date | None | Unset):
        gallons_per_bu (str | Unset):  Default: ''.
        btu_per_gallon (str | Unset):  Default: ''.
        energy_source (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        File | ProblemDocument
    """

    return sync_detailed(
        client=client,
        year=year,
        since=since,
        on=on,
        gallons_per_bu=gallons_per_bu,
        btu_per_gallon=btu_per_gallon,
        energy_source=energy_source,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    year: int | None | Unset = UNSET,
    since: datetime.date | None | Unset = UNSET,
    on: datetime.date | None | Unset = UNSET,
    gallons_per_bu: str | Unset = "",
    btu_per_gallon: str | Unset = "",
    energy_source: str | Unset = "",
) -> Response[File | ProblemDocument]:
    """Save Figures

     Return the lots behind them as CSV.

    Args:
        year (int | None | Unset):
        since (datetime.date | None | Unset):
        on (datetime.date | None | Unset):
        gallons_per_bu (str | Unset):  Default: ''.
        btu_per_gallon (str | Unset):  Default: ''.
        energy_source (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[File | ProblemDocument]
    """

    kwargs = _get_kwargs(
        year=year,
        since=since,
        on=on,
        gallons_per_bu=gallons_per_bu,
        btu_per_gallon=btu_per_gallon,
        energy_source=energy_source,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    year: int | None | Unset = UNSET,
    since: datetime.date | None | Unset = UNSET,
    on: datetime.date | None | Unset = UNSET,
    gallons_per_bu: str | Unset = "",
    btu_per_gallon: str | Unset = "",
    energy_source: str | Unset = "",
) -> File | ProblemDocument | None:
    """Save Figures

     Return the lots behind them as CSV.

    Args:
        year (int | None | Unset):
        since (datetime.date | None | Unset):
        on (datetime.date | None | Unset):
        gallons_per_bu (str | Unset):  Default: ''.
        btu_per_gallon (str | Unset):  Default: ''.
        energy_source (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        File | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            year=year,
            since=since,
            on=on,
            gallons_per_bu=gallons_per_bu,
            btu_per_gallon=btu_per_gallon,
            energy_source=energy_source,
        )
    ).parsed
