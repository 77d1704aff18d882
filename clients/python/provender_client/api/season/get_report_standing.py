from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...models.report_standing import ReportStanding
from ...types import Response


def _get_kwargs(
    crop: str,
    year: int,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/reports/{crop}/{year}/standing".format(
            crop=quote(str(crop), safe=""),
            year=quote(str(year), safe=""),
        ),
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ProblemDocument | ReportStanding:
    if response.status_code == 200:
        response_200 = ReportStanding.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | ReportStanding]:
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
) -> Response[ProblemDocument | ReportStanding]:
    """Get Report Standing

     Return whether the next version of a report may be signed, and everything that blocks it.

    Args:
        crop (str):
        year (int):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | ReportStanding]
    """

    kwargs = _get_kwargs(
        crop=crop,
        year=year,
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
) -> ProblemDocument | ReportStanding | None:
    """Get Report Standing

     Return whether the next version of a report may be signed, and everything that blocks it.

    Args:
        crop (str):
        year (int):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | ReportStanding
    """

    return sync_detailed(
        crop=crop,
        year=year,
        client=client,
    ).parsed


async def asyncio_detailed(
    crop: str,
    year: int,
    *,
    client: AuthenticatedClient,
) -> Response[ProblemDocument | ReportStanding]:
    """Get Report Standing

     Return whether the next version of a report may be signed, and everything that blocks it.

    Args:
        crop (str):
        year (int):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | ReportStanding]
    """

    kwargs = _get_kwargs(
        crop=crop,
        year=year,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    crop: str,
    year: int,
    *,
    client: AuthenticatedClient,
) -> ProblemDocument | ReportStanding | None:
    """Get Report Standing

     Return whether the next version of a report may be signed, and everything that blocks it.

    Args:
        crop (str):
        year (int):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | ReportStanding
    """

    return (
        await asyncio_detailed(
            crop=crop,
            year=year,
            client=client,
        )
    ).parsed
