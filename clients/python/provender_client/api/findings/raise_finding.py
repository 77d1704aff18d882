from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.finding_in import FindingIn
from ...models.finding_out import FindingOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    audit: str,
    *,
    body: FindingIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/audits/{audit}/findings".format(
            audit=quote(str(audit), safe=""),
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
    *,
    client: AuthenticatedClient,
    body: FindingIn,
    idempotency_key: str,
) -> Response[FindingOut | ProblemDocument]:
    """Raise Finding

     Raise a finding.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (FindingIn): A finding to raise.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FindingOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    audit: str,
    *,
    client: AuthenticatedClient,
    body: FindingIn,
    idempotency_key: str,
) -> FindingOut | ProblemDocument | None:
    """Raise Finding

     Raise a finding.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (FindingIn): A finding to raise.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FindingOut | ProblemDocument
    """

    return sync_detailed(
        audit=audit,
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    audit: str,
    *,
    client: AuthenticatedClient,
    body: FindingIn,
    idempotency_key: str,
) -> Response[FindingOut | ProblemDocument]:
    """Raise Finding

     Raise a finding.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (FindingIn): A finding to raise.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FindingOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    audit: str,
    *,
    client: AuthenticatedClient,
    body: FindingIn,
    idempotency_key: str,
) -> FindingOut | ProblemDocument | None:
    """Raise Finding

     Raise a finding.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (FindingIn): A finding to raise.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FindingOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            audit=audit,
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
