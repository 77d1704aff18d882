from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.mean_choice_view import MeanChoiceView
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    crop: str | Unset = "",
    form: str | Unset = "",
    bushels: str | Unset = "0",
    pounds: str | Unset = "0",
    mean: str,
    mean_from: str | Unset = "0",
    ci_min: None | str | Unset = UNSET,
    ci_max: None | str | Unset = UNSET,
    site: str | Unset = "",
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["crop"] = crop

    params["form"] = form

    params["bushels"] = bushels

    params["pounds"] = pounds

    params["mean"] = mean

    params["mean_from"] = mean_from

    json_ci_min: None | str | Unset
    if isinstance(ci_min, Unset):
        json_ci_min = UNSET
    else:
        json_ci_min = ci_min
    params["ci_min"] = json_ci_min

    json_ci_max: None | str | Unset
    if isinstance(ci_max, Unset):
        json_ci_max = UNSET
    else:
        json_ci_max = ci_max
    params["ci_max"] = json_ci_max

    params["site"] = site

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/choice",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> MeanChoiceView | ProblemDocument:
    if response.status_code == 200:
        response_200 = MeanChoiceView.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[MeanChoiceView | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    crop: str | Unset = "",
    form: str | Unset = "",
    bushels: str | Unset = "0",
    pounds: str | Unset = "0",
    mean: str,
    mean_from: str | Unset = "0",
    ci_min: None | str | Unset = UNSET,
    ci_max: None | str | Unset = UNSET,
    site: str | Unset = "",
) -> Response[MeanChoiceView | ProblemDocument]:
    """Get Choice

     Return the fewest lots that give so much at a mean, and what the period's policy would take.

    Args:
        crop (str | Unset): Without a product the crop itself. Default: ''.
        form (str | Unset): A product instead of a crop. Default: ''.
        bushels (str | Unset): Of a crop. Default: '0'.
        pounds (str | Unset): Of a product. Default: '0'.
        mean (str): At most, g CO2e/bu.
        mean_from (str | Unset): At least. Default: '0'.
        ci_min (None | str | Unset):
        ci_max (None | str | Unset):
        site (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MeanChoiceView | ProblemDocument]
    """

    kwargs = _get_kwargs(
        crop=crop,
        form=form,
        bushels=bushels,
        pounds=pounds,
        mean=mean,
        mean_from=mean_from,
        ci_min=ci_min,
        ci_max=ci_max,
        site=site,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    crop: str | Unset = "",
    form: str | Unset = "",
    bushels: str | Unset = "0",
    pounds: str | Unset = "0",
    mean: str,
    mean_from: str | Unset = "0",
    ci_min: None | str | Unset = UNSET,
    ci_max: None | str | Unset = UNSET,
    site: str | Unset = "",
) -> MeanChoiceView | ProblemDocument | None:
    """Get Choice

     Return the fewest lots that give so much at a mean, and what the period's policy would take.

    Args:
        crop (str | Unset): Without a product the crop itself. Default: ''.
        form (str | Unset): A product instead of a crop. Default: ''.
        bushels (str | Unset): Of a crop. Default: '0'.
        pounds (str | Unset): Of a product. Default: '0'.
        mean (str): At most, g CO2e/bu.
        mean_from (str | Unset): At least. Default: '0'.
        ci_min (None | str | Unset):
        ci_max (None | str | Unset):
        site (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MeanChoiceView | ProblemDocument
    """

    return sync_detailed(
        client=client,
        crop=crop,
        form=form,
        bushels=bushels,
        pounds=pounds,
        mean=mean,
        mean_from=mean_from,
        ci_min=ci_min,
        ci_max=ci_max,
        site=site,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    crop: str | Unset = "",
    form: str | Unset = "",
    bushels: str | Unset = "0",
    pounds: str | Unset = "0",
    mean: str,
    mean_from: str | Unset = "0",
    ci_min: None | str | Unset = UNSET,
    ci_max: None | str | Unset = UNSET,
    site: str | Unset = "",
) -> Response[MeanChoiceView | ProblemDocument]:
    """Get Choice

     Return the fewest lots that give so much at a mean, and what the period's policy would take.

    Args:
        crop (str | Unset): Without a product the crop itself. Default: ''.
        form (str | Unset): A product instead of a crop. Default: ''.
        bushels (str | Unset): Of a crop. Default: '0'.
        pounds (str | Unset): Of a product. Default: '0'.
        mean (str): At most, g CO2e/bu.
        mean_from (str | Unset): At least. Default: '0'.
        ci_min (None | str | Unset):
        ci_max (None | str | Unset):
        site (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MeanChoiceView | ProblemDocument]
    """

    kwargs = _get_kwargs(
        crop=crop,
        form=form,
        bushels=bushels,
        pounds=pounds,
        mean=mean,
        mean_from=mean_from,
        ci_min=ci_min,
        ci_max=ci_max,
        site=site,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    crop: str | Unset = "",
    form: str | Unset = "",
    bushels: str | Unset = "0",
    pounds: str | Unset = "0",
    mean: str,
    mean_from: str | Unset = "0",
    ci_min: None | str | Unset = UNSET,
    ci_max: None | str | Unset = UNSET,
    site: str | Unset = "",
) -> MeanChoiceView | ProblemDocument | None:
    """Get Choice

     Return the fewest lots that give so much at a mean, and what the period's policy would take.

    Args:
        crop (str | Unset): Without a product the crop itself. Default: ''.
        form (str | Unset): A product instead of a crop. Default: ''.
        bushels (str | Unset): Of a crop. Default: '0'.
        pounds (str | Unset): Of a product. Default: '0'.
        mean (str): At most, g CO2e/bu.
        mean_from (str | Unset): At least. Default: '0'.
        ci_min (None | str | Unset):
        ci_max (None | str | Unset):
        site (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MeanChoiceView | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            crop=crop,
            form=form,
            bushels=bushels,
            pounds=pounds,
            mean=mean,
            mean_from=mean_from,
            ci_min=ci_min,
            ci_max=ci_max,
            site=site,
        )
    ).parsed
