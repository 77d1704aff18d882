from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.finding_out import FindingOut
from ...models.problem_document import ProblemDocument
from ...models.response_in import ResponseIn
from ...types import Response


def _get_kwargs(
    audit: str,
    number: str,
    *,
    body: ResponseIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/audits/{audit}/findings/{number}/response".format(
            audit=quote(str(audit), safe=""),
            number=quote(str(number), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> FindingOut | ProblemDocument:
    if response.status_code == 201:
        response_201 = FindingOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[FindingOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    audit: str,
    number: str,
    *,
    client: AuthenticatedClient,
    body: ResponseIn,
    idempotency_key: str,
) -> Response[FindingOut | ProblemDocument]:
    """Respond

     Answer a finding, as the audited party or as the party it names.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.
        idempotency_key (str):
        body (ResponseIn): What the audited party answers, and where it shows.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FindingOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        number=number,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    audit: str,
    number: str,
    *,
    client: AuthenticatedClient,
    body: ResponseIn,
    idempotency_key: str,
) -> FindingOut | ProblemDocument | None:
    """Respond

     Answer a finding, as the audited party or as the party it names.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.
        idempotency_key (str):
        body (ResponseIn): What the audited party answers, and where it shows.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FindingOut | ProblemDocument
    """

    return sync_detailed(
        audit=audit,
        number=number,
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    audit: str,
    number: str,
    *,
    client: AuthenticatedClient,
    body: ResponseIn,
    idempotency_key: str,
) -> Response[FindingOut | ProblemDocument]:
    """Respond

     Answer a finding, as the audited party or as the party it names.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.
        idempotency_key (str):
        body (ResponseIn): What the audited party answers, and where it shows.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FindingOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        number=number,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    audit: str,
    number: str,
    *,
    client: AuthenticatedClient,
    body: ResponseIn,
    idempotency_key: str,
) -> FindingOut | ProblemDocument | None:
    """Respond

     Answer a finding, as the audited party or as the party it names.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.
        idempotency_key (str):
        body (ResponseIn): What the audited party answers, and where it shows.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FindingOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            audit=audit,
            number=number,
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
