import datetime
from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.draft_next_slip_response import DraftNextSlipResponse
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response


def _get_kwargs(
    *,
    crop: str,
    harvest_year: int,
    buyer: str,
    bushels: str,
    day: datetime.date,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["crop"] = crop

    params["harvest_year"] = harvest_year

    params["buyer"] = buyer

    params["bushels"] = bushels

    json_day = day.isoformat()
    params["day"] = json_day

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/slips/draft",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> DraftNextSlipResponse | ProblemDocument:
    if response.status_code == 200:
        response_200 = DraftNextSlipResponse.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[DraftNextSlipResponse | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    crop: str,
    harvest_year: int,
    buyer: str,
    bushels: str,
    day: datetime.date,
) -> Response[DraftNextSlipResponse | ProblemDocument]:
    """Draft Next Slip

     Return the next slip as it would be signed: the serials it would assign. Nothing is assigned yet.

    Args:
        crop (str):
        harvest_year (int):
        buyer (str): The buyer's code.
        bushels (str): Decimal text, such as 1000.5.
        day (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DraftNextSlipResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        crop=crop,
        harvest_year=harvest_year,
        buyer=buyer,
        bushels=bushels,
        day=day,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    crop: str,
    harvest_year: int,
    buyer: str,
    bushels: str,
    day: datetime.date,
) -> DraftNextSlipResponse | ProblemDocument | None:
    """Draft Next Slip

     Return the next slip as it would be signed: the serials it would assign. Nothing is assigned yet.

    Args:
        crop (str):
        harvest_year (int):
        buyer (str): The buyer's code.
        bushels (str): Decimal text, such as 1000.5.
        day (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DraftNextSlipResponse | ProblemDocument
    """

    return sync_detailed(
        client=client,
        crop=crop,
        harvest_year=harvest_year,
        buyer=buyer,
        bushels=bushels,
        day=day,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    crop: str,
    harvest_year: int,
    buyer: str,
    bushels: str,
    day: datetime.date,
) -> Response[DraftNextSlipResponse | ProblemDocument]:
    """Draft Next Slip

     Return the next slip as it would be signed: the serials it would assign. Nothing is assigned yet.

    Args:
        crop (str):
        harvest_year (int):
        buyer (str): The buyer's code.
        bushels (str): Decimal text, such as 1000.5.
        day (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DraftNextSlipResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        crop=crop,
        harvest_year=harvest_year,
        buyer=buyer,
        bushels=bushels,
        day=day,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    crop: str,
    harvest_year: int,
    buyer: str,
    bushels: str,
    day: datetime.date,
) -> DraftNextSlipResponse | ProblemDocument | None:
    """Draft Next Slip

     Return the next slip as it would be signed: the serials it would assign. Nothing is assigned yet.

    Args:
        crop (str):
        harvest_year (int):
        buyer (str): The buyer's code.
        bushels (str): Decimal text, such as 1000.5.
        day (datetime.date):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DraftNextSlipResponse | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            crop=crop,
            harvest_year=harvest_year,
            buyer=buyer,
            bushels=bushels,
            day=day,
        )
    ).parsed
