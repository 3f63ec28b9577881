"""What can go wrong, by class.

Every error has the same attributes, None where they do not apply, so that one handler can log all
of them: `code`, `status`, `request_id`, `generation_id`, `idempotency_key`, `retryable`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._ended import Failed
    from .types import GenerationRecord


class FramegateError(Exception):
    """Any error of this client; its message says what happened and what to do."""

    code: str | None = None
    """The word for it to branch on, such as the API's `insufficient_credits`."""
    status: int | None = None
    """HTTP status of the answer."""
    request_id: str | None = None
    """What support asks for."""
    generation_id: str | None = None
    """The generation that it is about: `generations.wait` takes it up again."""
    idempotency_key: str | None = None
    """Key of the create that it is about."""
    may_have_created: bool = False
    """Whether a create may have succeeded although its answer is missing: the same create with
    `idempotency_key` gives that generation and is not paid again.
    """
    retryable: bool | None = None
    """Whether the same may succeed later, as far as the API says."""


class UsageError(FramegateError, ValueError):
    """A base URL, key or argument that cannot be used. Nothing was sent."""


class APIConnectionError(FramegateError):
    """No answer arrived: no connection, a broken one, or silence."""


class UnexpectedAnswerError(FramegateError):
    """An answer that is not the API's, such as the page of a proxy."""


@dataclass(frozen=True)
class Problem:
    """One problem of a request."""

    param: str
    """The field, such as `inputs[1].url`."""
    code: str
    """Such as `out_of_range`."""
    message: str


class APIError(FramegateError):
    """A request that the API refused; the subclasses are its families of errors."""

    type: str | None = None
    """The family, such as `billing_error`."""
    param: str | None = None
    """The first field at fault."""
    details: tuple[Problem, ...] = ()
    """Every problem of the request."""
    retry_after: float | None = None
    """Seconds that the API asked to wait."""


class InvalidRequestError(APIError):
    """The request must be changed."""


class AuthenticationError(APIError):
    """The API key is missing, mistyped or revoked."""


class BillingError(APIError):
    """Credits, or the daily limit of the key, do not suffice."""


class InsufficientCreditsError(BillingError):
    """The account has too few credits. Nothing was charged."""

    required: int | None = None
    """What it would cost."""
    available: int | None = None
    """What can be spent now."""


class PermissionDeniedError(APIError):
    """Not allowed for this account or key."""


class NotFoundError(APIError):
    """There is no such thing for this key."""


class IdempotencyError(APIError):
    """The idempotency key is at fault, such as one that was used with another request."""


class RateLimitError(APIError):
    """Too much at once, for longer than this call may wait."""


class ContentPolicyError(APIError):
    """The content, or the consent to it, is at fault."""


class ServiceError(APIError):
    """A fault of the service."""


class PriceLimitError(FramegateError):
    """It would cost more than `max_credits`. Nothing was created."""

    price: int | None = None
    """What it would cost."""
    max_credits: int | None = None
    """What was allowed."""


class GenerationFailedError(FramegateError):
    """A generation that was accepted and then failed."""

    generation: Failed
    """As it ended."""
    param: str | None = None
    """The input at fault, such as `inputs[0].url`."""
    refunded: bool = False
    """Whether the credits are back."""
    refunded_credits: int = 0


class WaitTimeoutError(FramegateError):
    """The time for waiting is over; the generation continues and is not charged again."""

    generation: GenerationRecord | None = None
    """As it was seen last; None when it could not be read at all."""

    id: str
    """Id of the generation, for `generations.wait`."""


class DownloadError(FramegateError):
    """A finished file could not be fetched or written; it is still at the service.

    Its `code` is None, or `disk_full`, `not_written` or `file_gone`.
    """

    received: int = 0
    """Bytes that were written."""


class FilesDeletedError(DownloadError):
    """The service no longer keeps the files of this generation."""
