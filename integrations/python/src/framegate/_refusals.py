"""Converts unsuccessful responses to errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from . import errors
from ._ended import Failed
from ._exchange import ApiResponse, NoResponse, Outcome, Request
from ._retry import is_limit, is_transient, retry_after
from .types import GenerationRecord

FAMILIES: Mapping[str, type[errors.APIError]] = {
    "invalid_request_error": errors.InvalidRequestError,
    "authentication_error": errors.AuthenticationError,
    "billing_error": errors.BillingError,
    "permission_error": errors.PermissionDeniedError,
    "not_found_error": errors.NotFoundError,
    "idempotency_error": errors.IdempotencyError,
    "rate_limit_error": errors.RateLimitError,
    "content_policy_error": errors.ContentPolicyError,
    "api_error": errors.ServiceError,
}
"""The class for each family; an unknown family is an APIError."""

# Statuses that precede the lookup of the key: they say nothing about an earlier attempt.
_BEFORE_THE_KEY = frozenset({401, 403, 429})


def may_have_created(outcome: Outcome, before: bool) -> bool:
    """Whether a create request may have succeeded after this outcome of an attempt.

    Args:
        outcome: The outcome of this attempt.
        before: The same after the earlier attempts.
    """
    if isinstance(outcome, NoResponse):
        return before or not outcome.never_sent
    problem = _problem(outcome)
    if problem is None:
        # Something in between answered, and may have lost the gateway's own response.
        return before or outcome.status != 429
    if is_transient(outcome):
        return before or not (is_limit(outcome) or problem.get("code") == "model_unavailable")
    return before and outcome.status in _BEFORE_THE_KEY


def refusal(
    request: Request,
    outcome: Outcome,
    *,
    unknown: bool = False,
    generation_id: str | None = None,
) -> errors.FramegateError:
    """The error for the final outcome of a request.

    Args:
        request: The request sent.
        outcome: The outcome of its last attempt.
        unknown: Whether it is a create request that may have succeeded.
        generation_id: The generation, if the response to an attempt named it.
    """
    error = _refusal(outcome)
    error.generation_id = request.generation_id or generation_id
    error.idempotency_key = request.idempotency_key
    error.may_have_created = unknown
    advice = _advice(request, unknown, error.generation_id)
    if advice is not None:
        error.args = (f"{error} {advice}",)
    return error


def _advice(request: Request, unknown: bool, generation_id: str | None) -> str | None:
    key = request.idempotency_key
    if generation_id is not None:
        return f"(generation {generation_id}" + (")" if key is None else f"; {_named(key)})")
    if key is None:
        return None
    if unknown:
        return (
            "The generation may have been created: the same call with"
            f" {_named(key)} returns it and is not charged again."
        )
    return "Nothing was created or charged."


def _named(key: str) -> str:
    return f"idempotency_key={key!r}"


def with_key(error: errors.FramegateError, key: str) -> errors.FramegateError:
    """An error about a generation, with the key of the create request that made it."""
    error.idempotency_key = key
    error.args = (f"{error} ({_named(key)})",)
    return error


def _refusal(outcome: Outcome) -> errors.FramegateError:
    if isinstance(outcome, NoResponse):
        return errors.APIConnectionError(
            f"No response from the API ({outcome.reason}). Check the base URL and your network."
        )
    problem = _problem(outcome)
    return _unexpected(outcome) if problem is None else _api_error(outcome, problem)


def _problem(response: ApiResponse) -> Mapping[str, object] | None:
    """The API's description of a refusal; None if something in between answered."""
    body = None if response.is_success else response.json()
    problem = cast("Mapping[str, object]", body).get("error") if isinstance(body, dict) else None
    if not isinstance(problem, dict) or not isinstance(
        cast("Mapping[str, object]", problem).get("code"), str
    ):
        return None
    return cast("Mapping[str, object]", problem)


def _api_error(response: ApiResponse, problem: Mapping[str, object]) -> errors.APIError:
    family = _text(problem, "type")
    code = _text(problem, "code")
    message = _text(problem, "message") or "The API refused the request."
    if code == "insufficient_credits":
        error: errors.APIError = _insufficient_credits(message, problem)
    else:
        error = FAMILIES.get(family or "", errors.APIError)(message)
    error.status = response.status
    error.type, error.code = family, code
    error.param = _text(problem, "param")
    error.request_id = _text(problem, "request_id") or response.headers.get("x-request-id")
    error.retryable = problem.get("retryable") is True
    error.retry_after = retry_after(response)
    error.details = tuple(_details(problem.get("details")))
    rest = [f"{each.param}: {each.message}" for each in error.details[1:]]
    told = [message, *rest, f"[{code}, {error.request_id}]"]
    error.args = (" ".join(told),)
    return error


def _insufficient_credits(
    message: str, problem: Mapping[str, object]
) -> errors.InsufficientCreditsError:
    error = errors.InsufficientCreditsError(message)
    credit = problem.get("credits")
    if isinstance(credit, dict):
        sums = cast("Mapping[str, object]", credit)
        required, available = sums.get("required"), sums.get("available")
        error.required = required if isinstance(required, int) else None
        error.available = available if isinstance(available, int) else None
    return error


def _details(given: object) -> list[errors.Problem]:
    listed = cast("list[object]", given) if isinstance(given, list) else []
    found = [cast("Mapping[str, object]", each) for each in listed if isinstance(each, dict)]
    return [
        errors.Problem(
            param=_text(each, "param") or "",
            code=_text(each, "code") or "",
            message=_text(each, "message") or "",
        )
        for each in found
    ]


def _text(values: Mapping[str, object], name: str) -> str | None:
    value = values.get(name)
    return value if isinstance(value, str) else None


def _unexpected(response: ApiResponse) -> errors.UnexpectedResponseError:
    to = response.headers.get("location")
    kind = f"a redirect to {to}"
    if to is None:
        kind = response.headers.get("content-type", "no content type")
    error = errors.UnexpectedResponseError(
        f"Status {response.status} with {kind} is not a response of the API: a proxy, a sign-in"
        " page or another service responded instead. Check the base URL, which ends in /v1, and any"
        " proxies in between."
    )
    error.status = response.status
    error.request_id = response.headers.get("x-request-id")
    error.retryable = is_transient(response)
    return error


def generation_failed(record: Failed) -> errors.GenerationFailedError:
    """The error for a generation that ended without a result."""
    billing, reason = record.billing, record.error
    refunded = billing.status == "refunded"
    sums = f"{billing.refunded_credits or 0} credits refunded" if refunded else "not refunded yet"
    error = errors.GenerationFailedError(f"{reason.message} [{reason.code}, {record.id}; {sums}]")
    error.generation, error.generation_id = record, record.id
    error.refunded, error.refunded_credits = refunded, billing.refunded_credits or 0
    error.code, error.param, error.retryable = reason.code, reason.param, reason.retryable
    return error


def wait_timeout(generation_id: str, record: GenerationRecord | None) -> errors.WaitTimeoutError:
    """The error for a wait that ended before its generation."""
    state = "not seen" if record is None else record.status
    error = errors.WaitTimeoutError(
        f"The generation was {state} when the wait timed out. It continues and is not"
        f" charged again: resume it with generations.wait({generation_id!r})."
    )
    error.id = error.generation_id = generation_id
    error.generation = record
    return error
