"""The errors of this client.

Every error has the same attributes (None if they do not apply), so that one handler can log all
of them: `code`, `status`, `request_id`, `generation_id`, `idempotency_key`, `retryable`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._ended import Failed
    from .types import GenerationRecord


class FramegateError(Exception):
    """Base of all errors of this client; the message explains what happened and what to do."""

    code: str | None = None
    """A code to branch on, such as the API's `insufficient_credits`."""
    status: int | None = None
    """HTTP status of the response."""
    request_id: str | None = None
    """Give it to support."""
    generation_id: str | None = None
    """The generation concerned: `generations.wait` resumes the wait."""
    idempotency_key: str | None = None
    """Key of the create request concerned."""
    may_have_created: bool = False
    """Whether a create request may have succeeded although its response is missing: the same
    request with `idempotency_key` returns that generation and is not charged again.
    """
    retryable: bool | None = None
    """Whether the same call may succeed later, according to the API."""


class UsageError(FramegateError, ValueError):
    """An unusable base URL, key or argument. Nothing was sent."""


class APIConnectionError(FramegateError):
    """No response arrived: no connection, a broken one, or silence."""


class UnexpectedResponseError(FramegateError):
    """A response that is not the API's, such as a proxy's page."""


@dataclass(frozen=True)
class Problem:
    """One problem of a request."""

    param: str
    """The field, such as `inputs[1].url`."""
    code: str
    """For example `out_of_range`."""
    message: str


class APIError(FramegateError):
    """A refusal by the API; the subclasses are its families of errors."""

    type: str | None = None
    """The family, such as `billing_error`."""
    param: str | None = None
    """The first field at fault."""
    details: tuple[Problem, ...] = ()
    """Every problem of the request."""
    retry_after: float | None = None
    """The wait requested by the API, in seconds."""


class InvalidRequestError(APIError):
    """The request must be changed."""


class AuthenticationError(APIError):
    """The API key is missing, mistyped or revoked."""


class BillingError(APIError):
    """Credits or the key's daily limit are insufficient."""


class InsufficientCreditsError(BillingError):
    """The account has too few credits. Nothing was charged."""

    required: int | None = None
    """The price in credits."""
    available: int | None = None
    """Currently spendable credits."""


class PermissionDeniedError(APIError):
    """Not allowed for this account or key."""


class NotFoundError(APIError):
    """The requested thing does not exist for this key."""


class IdempotencyError(APIError):
    """Problem with the idempotency key, for example one used with another request."""


class RateLimitError(APIError):
    """Too many requests, for longer than this call may wait."""


class ContentPolicyError(APIError):
    """Problem with the content or its consent."""


class ServiceError(APIError):
    """A fault of the service."""


class PriceLimitError(FramegateError):
    """The price is above `max_credits`. Nothing was created."""

    price: int | None = None
    """The price in credits."""
    max_credits: int | None = None
    """The limit given."""


class GenerationFailedError(FramegateError):
    """A generation that was accepted and then failed."""

    generation: Failed
    """Its final state."""
    param: str | None = None
    """The input at fault, such as `inputs[0].url`."""
    refunded: bool = False
    """Whether credits were refunded."""
    refunded_credits: int = 0


class WaitTimeoutError(FramegateError):
    """The wait timed out; the generation continues and is not charged again."""

    generation: GenerationRecord | None = None
    """The latest known state; None if it could never be read."""

    id: str
    """Id of the generation, for `generations.wait`."""


class DownloadError(FramegateError):
    """A finished file could not be fetched or written; it is still at the service.

    Its `code` is None, or `disk_full`, `not_written` or `file_gone`.
    """

    received: int = 0
    """Bytes written."""


class FilesDeletedError(DownloadError):
    """The service no longer keeps the files of this generation."""
