from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.evidence_in import EvidenceIn
from ...models.problem_document import ProblemDocument
from ...models.taken_in import TakenIn
from ...types import Response


def _get_kwargs(
    *,
    body: EvidenceIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/evidence",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ProblemDocument | TakenIn:
    if response.status_code == 201:
        response_201 = TakenIn.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | TakenIn]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: EvidenceIn,
    idempotency_key: str,
) -> Response[ProblemDocument | TakenIn]:
    """Take Evidence

     Keep a stored file as evidence, and name it in the record it is for; a photograph is read first.

    Args:
        idempotency_key (str):
        body (EvidenceIn): A stored file to take in: what it is, which unit it is about, and the
            record it is for by kind and key.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | TakenIn]
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
    body: EvidenceIn,
    idempotency_key: str,
) -> ProblemDocument | TakenIn | None:
    """Take Evidence

     Keep a stored file as evidence, and name it in the record it is for; a photograph is read first.

    Args:
        idempotency_key (str):
        body (EvidenceIn): A stored file to take in: what it is, which unit it is about, and the
            record it is for by kind and key.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | TakenIn
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: EvidenceIn,
    idempotency_key: str,
) -> Response[ProblemDocument | TakenIn]:
    """Take Evidence

     Keep a stored file as evidence, and name it in the record it is for; a photograph is read first.

    Args:
        idempotency_key (str):
        body (EvidenceIn): A stored file to take in: what it is, which unit it is about, and the
            record it is for by kind and key.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | TakenIn]
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
    body: EvidenceIn,
    idempotency_key: str,
) -> ProblemDocument | TakenIn | None:
    """Take Evidence

     Keep a stored file as evidence, and name it in the record it is for; a photograph is read first.

    Args:
        idempotency_key (str):
        body (EvidenceIn): A stored file to take in: what it is, which unit it is about, and the
            record it is for by kind and key.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | TakenIn
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
