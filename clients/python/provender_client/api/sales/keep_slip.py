from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...models.slip_in import SlipIn
from ...models.slip_out import SlipOut
from ...types import Response


def _get_kwargs(
    *,
    body: SlipIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/slips",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ProblemDocument | SlipOut:
    if response.status_code == 201:
        response_201 = SlipOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | SlipOut]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: SlipIn,
    idempotency_key: str,
) -> Response[ProblemDocument | SlipOut]:
    """Keep Slip

     Hand in a slip that the producer signed: verified, its serials assigned to the buyer, the sale
    written down.

    It is refused when other serials are free by now than those it names: ask for a new draft, and sign
    that.

    Args:
        idempotency_key (str):
        body (SlipIn): A slip as it was drafted, signed on the producer's own machine: the file
            that `provender keys sign` writes.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | SlipOut]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    body: SlipIn,
    idempotency_key: str,
) -> ProblemDocument | SlipOut | None:
    """Keep Slip

     Hand in a slip that the producer signed: verified, its serials assigned to the buyer, the sale
    written down.

    It is refused when other serials are free by now than those it names: ask for a new draft, and sign
    that.

    Args:
        idempotency_key (str):
        body (SlipIn): A slip as it was drafted, signed on the producer's own machine: the file
            that `provender keys sign` writes.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | SlipOut
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: SlipIn,
    idempotency_key: str,
) -> Response[ProblemDocument | SlipOut]:
    """Keep Slip

     Hand in a slip that the producer signed: verified, its serials assigned to the buyer, the sale
    written down.

    It is refused when other serials are free by now than those it names: ask for a new draft, and sign
    that.

    Args:
        idempotency_key (str):
        body (SlipIn): A slip as it was drafted, signed on the producer's own machine: the file
            that `provender keys sign` writes.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | SlipOut]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: SlipIn,
    idempotency_key: str,
) -> ProblemDocument | SlipOut | None:
    """Keep Slip

     Hand in a slip that the producer signed: verified, its serials assigned to the buyer, the sale
    written down.

    It is refused when other serials are free by now than those it names: ask for a new draft, and sign
    that.

    Args:
        idempotency_key (str):
        body (SlipIn): A slip as it was drafted, signed on the producer's own machine: the file
            that `provender keys sign` writes.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | SlipOut
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
