from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.get_report_response import GetReportResponse
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    crop: str,
    year: int,
    *,
    under: str | Unset = "",
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["under"] = under

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/reports/{crop}/{year}".format(
            crop=quote(str(crop), safe=""),
            year=quote(str(year), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> GetReportResponse | ProblemDocument:
    if response.status_code == 200:
        response_200 = GetReportResponse.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[GetReportResponse | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    crop: str,
    year: int,
    *,
    client: AuthenticatedClient,
    under: str | Unset = "",
) -> Response[GetReportResponse | ProblemDocument]:
    """Get Report

     Return the next version of a report as it would be signed today: the document that a key signs.

    Args:
        crop (str):
        year (int):
        under (str | Unset): The text under which it is to be signed, where that must be named
            (standing). Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetReportResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        crop=crop,
        year=year,
        under=under,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    crop: str,
    year: int,
    *,
    client: AuthenticatedClient,
    under: str | Unset = "",
) -> GetReportResponse | ProblemDocument | None:
    """Get Report

     Return the next version of a report as it would be signed today: the document that a key signs.

    Args:
        crop (str):
        year (int):
        under (str | Unset): The text under which it is to be signed, where that must be named
            (standing). Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetReportResponse | ProblemDocument
    """

    return sync_detailed(
        crop=crop,
        year=year,
        client=client,
        under=under,
    ).parsed


async def asyncio_detailed(
    crop: str,
    year: int,
    *,
    client: AuthenticatedClient,
    under: str | Unset = "",
) -> Response[GetReportResponse | ProblemDocument]:
    """Get Report

     Return the next version of a report as it would be signed today: the document that a key signs.

    Args:
        crop (str):
        year (int):
        under (str | Unset): The text under which it is to be signed, where that must be named
            (standing). Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetReportResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        crop=crop,
        year=year,
        under=under,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    crop: str,
    year: int,
    *,
    client: AuthenticatedClient,
    under: str | Unset = "",
) -> GetReportResponse | ProblemDocument | None:
    """Get Report

     Return the next version of a report as it would be signed today: the document that a key signs.

    Args:
        crop (str):
        year (int):
        under (str | Unset): The text under which it is to be signed, where that must be named
            (standing). Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetReportResponse | ProblemDocument
    """

    return (
        await asyncio_detailed(
            crop=crop,
            year=year,
            client=client,
            under=under,
        )
    ).parsed
