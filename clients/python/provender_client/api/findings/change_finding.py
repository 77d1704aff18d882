from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.finding_change_in import FindingChangeIn
from ...models.finding_out import FindingOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    audit: str,
    number: str,
    *,
    body: FindingChangeIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/audits/{audit}/findings/{number}/changes".format(
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
    body: FindingChangeIn,
    idempotency_key: str,
) -> Response[FindingOut | ProblemDocument]:
    """Change Finding

     Change weight, paragraph, owner or due date of a finding with a reason; what it said before stays.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.
        idempotency_key (str):
        body (FindingChangeIn): Another weight, paragraph, owner or due date, with the reason;
            what is null stays.

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
    body: FindingChangeIn,
    idempotency_key: str,
) -> FindingOut | ProblemDocument | None:
    """Change Finding

     Change weight, paragraph, owner or due date of a finding with a reason; what it said before stays.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.
        idempotency_key (str):
        body (FindingChangeIn): Another weight, paragraph, owner or due date, with the reason;
            what is null stays.

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
    body: FindingChangeIn,
    idempotency_key: str,
) -> Response[FindingOut | ProblemDocument]:
    """Change Finding

     Change weight, paragraph, owner or due date of a finding with a reason; what it said before stays.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.
        idempotency_key (str):
        body (FindingChangeIn): Another weight, paragraph, owner or due date, with the reason;
            what is null stays.

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
    body: FindingChangeIn,
    idempotency_key: str,
) -> FindingOut | ProblemDocument | None:
    """Change Finding

     Change weight, paragraph, owner or due date of a finding with a reason; what it said before stays.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.
        idempotency_key (str):
        body (FindingChangeIn): Another weight, paragraph, owner or due date, with the reason;
            what is null stays.

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
