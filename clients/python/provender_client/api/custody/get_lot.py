from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.lot_whole import LotWhole
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response


def _get_kwargs(
    *,
    lot: str,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["lot"] = lot

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/lot",
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> LotWhole | ProblemDocument:
    if response.status_code == 200:
        response_200 = LotWhole.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[LotWhole | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    lot: str,
) -> Response[LotWhole | ProblemDocument]:
    """Get Lot

     Return one lot of the organization, what stands behind it, and what may be done with it.

    Args:
        lot (str): Its id, or its code and serials as pages print them.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[LotWhole | ProblemDocument]
    """

    kwargs = _get_kwargs(
        lot=lot,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    lot: str,
) -> LotWhole | ProblemDocument | None:
    """Get Lot

     Return one lot of the organization, what stands behind it, and what may be done with it.

    Args:
        lot (str): Its id, or its code and serials as pages print them.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        LotWhole | ProblemDocument
    """

    return sync_detailed(
        client=client,
        lot=lot,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    lot: str,
) -> Response[LotWhole | ProblemDocument]:
    """Get Lot

     Return one lot of the organization, what stands behind it, and what may be done with it.

    Args:
        lot (str): Its id, or its code and serials as pages print them.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[LotWhole | ProblemDocument]
    """

    kwargs = _get_kwargs(
        lot=lot,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    lot: str,
) -> LotWhole | ProblemDocument | None:
    """Get Lot

     Return one lot of the organization, what stands behind it, and what may be done with it.

    Args:
        lot (str): Its id, or its code and serials as pages print them.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        LotWhole | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            lot=lot,
        )
    ).parsed
