from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...models.producer_key_in import ProducerKeyIn
from ...models.producer_key_out import ProducerKeyOut
from ...types import Response


def _get_kwargs(
    *,
    body: ProducerKeyIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/keys",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ProblemDocument | ProducerKeyOut:
    if response.status_code == 201:
        response_201 = ProducerKeyOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | ProducerKeyOut]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: ProducerKeyIn,
    idempotency_key: str,
) -> Response[ProblemDocument | ProducerKeyOut]:
    """Register Key

     Put a producer's public key on file and name it in the producer's record.

    Its holder is whoever made the token.

    Args:
        idempotency_key (str):
        body (ProducerKeyIn): A key to put on file; the key stays on its holder's machine.

            ``statement`` is what `provender keys register` writes, signed with the key itself, or
            what `provender keys rotate`
            writes, signed by the key before and by this one. It carries the day on which it is handed
            in.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | ProducerKeyOut]
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
    body: ProducerKeyIn,
    idempotency_key: str,
) -> ProblemDocument | ProducerKeyOut | None:
    """Register Key

     Put a producer's public key on file and name it in the producer's record.

    Its holder is whoever made the token.

    Args:
        idempotency_key (str):
        body (ProducerKeyIn): A key to put on file; the key stays on its holder's machine.

            ``statement`` is what `provender keys register` writes, signed with the key itself, or
            what `provender keys rotate`
            writes, signed by the key before and by this one. It carries the day on which it is handed
            in.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | ProducerKeyOut
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: ProducerKeyIn,
    idempotency_key: str,
) -> Response[ProblemDocument | ProducerKeyOut]:
    """Register Key

     Put a producer's public key on file and name it in the producer's record.

    Its holder is whoever made the token.

    Args:
        idempotency_key (str):
        body (ProducerKeyIn): A key to put on file; the key stays on its holder's machine.

            ``statement`` is what `provender keys register` writes, signed with the key itself, or
            what `provender keys rotate`
            writes, signed by the key before and by this one. It carries the day on which it is handed
            in.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | ProducerKeyOut]
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
    body: ProducerKeyIn,
    idempotency_key: str,
) -> ProblemDocument | ProducerKeyOut | None:
    """Register Key

     Put a producer's public key on file and name it in the producer's record.

    Its holder is whoever made the token.

    Args:
        idempotency_key (str):
        body (ProducerKeyIn): A key to put on file; the key stays on its holder's machine.

            ``statement`` is what `provender keys register` writes, signed with the key itself, or
            what `provender keys rotate`
            writes, signed by the key before and by this one. It carries the day on which it is handed
            in.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | ProducerKeyOut
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
