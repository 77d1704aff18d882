import datetime
from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.page_contract_delivery_view import PageContractDeliveryView
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    on: datetime.date | None | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["after"] = after

    json_on: None | str | Unset
    if isinstance(on, Unset):
        json_on = UNSET
    elif isinstance(on, datetime.date):
        json_on = on.isoformat()
    else:
        json_on = on
    params["on"] = json_on

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/deliveries",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> PageContractDeliveryView | ProblemDocument:
    if response.status_code == 200:
        response_200 = PageContractDeliveryView.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[PageContractDeliveryView | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    on: datetime.date | None | Unset = UNSET,
) -> Response[PageContractDeliveryView | ProblemDocument]:
    """List Deliveries

     List the contracts about deliveries as they stand at the end of a day, today without one.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        on (datetime.date | None | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageContractDeliveryView | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        on=on,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    on: datetime.date | None | Unset = UNSET,
) -> PageContractDeliveryView | ProblemDocument | None:
    """List Deliveries

     List the contracts about deliveries as they stand at the end of a day, today without one.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        on (datetime.date | None | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageContractDeliveryView | ProblemDocument
    """

    return sync_detailed(
        client=client,
        limit=limit,
        after=after,
        on=on,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    on: datetime.date | None | Unset = UNSET,
) -> Response[PageContractDeliveryView | ProblemDocument]:
    """List Deliveries

     List the contracts about deliveries as they stand at the end of a day, today without one.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        on (datetime.date | None | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageContractDeliveryView | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        on=on,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    on: datetime.date | None | Unset = UNSET,
) -> PageContractDeliveryView | ProblemDocument | None:
    """List Deliveries

     List the contracts about deliveries as they stand at the end of a day, today without one.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        on (datetime.date | None | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageContractDeliveryView | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            after=after,
            on=on,
        )
    ).parsed
