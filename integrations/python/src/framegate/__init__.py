"""Create videos and images with a Framegate gateway, and never pay for them twice."""

from . import types
from ._async.client import AsyncFramegate
from ._async.generation import AsyncCompleted, AsyncGeneration
from ._ended import Failed
from ._price import price
from ._progress import Progress
from ._response import RawResponse, response_of
from ._settings import System
from ._sync.client import Framegate
from ._sync.generation import Completed, Generation
from ._version import __version__
from .errors import (
    APIConnectionError,
    APIError,
    AuthenticationError,
    BillingError,
    ContentPolicyError,
    DownloadError,
    FilesDeletedError,
    FramegateError,
    GenerationFailedError,
    IdempotencyError,
    InsufficientCreditsError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    PriceLimitError,
    Problem,
    RateLimitError,
    ServiceError,
    UnexpectedResponseError,
    UsageError,
    WaitTimeoutError,
)
from .types import CreditBalance, GenerationRecord, Model

__all__ = [
    "APIConnectionError",
    "APIError",
    "AsyncCompleted",
    "AsyncFramegate",
    "AsyncGeneration",
    "AuthenticationError",
    "BillingError",
    "Completed",
    "ContentPolicyError",
    "CreditBalance",
    "DownloadError",
    "Failed",
    "FilesDeletedError",
    "Framegate",
    "FramegateError",
    "Generation",
    "GenerationFailedError",
    "GenerationRecord",
    "IdempotencyError",
    "InsufficientCreditsError",
    "InvalidRequestError",
    "Model",
    "NotFoundError",
    "PermissionDeniedError",
    "PriceLimitError",
    "Problem",
    "Progress",
    "RateLimitError",
    "RawResponse",
    "ServiceError",
    "System",
    "UnexpectedResponseError",
    "UsageError",
    "WaitTimeoutError",
    "__version__",
    "price",
    "response_of",
    "types",
]
