"""The steps of each call, as generators without side effects.

A flow yields an effect and is sent its result. The two clients, one blocking and one not, execute
effects and have no rules of their own.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TypeVar, cast

from ._calls import call
from ._effects import Flow
from ._exchange import BALANCE, MODELS, ApiResponse, Kind, Request, create_request, get_request
from ._price import price_for
from ._refusals import with_key
from ._response import keep_response, response_of
from ._settings import Settings, read_idempotency_key
from ._waiting import Telling, follow, poll_seconds
from .errors import FramegateError, PriceLimitError, UsageError
from .types import CreditBalance, GenerationRecord, Model, ModelList

T = TypeVar("T")

_log = logging.getLogger("framegate")


def read(settings: Settings, request: Request, cls: type[T]) -> Flow[T]:
    """A read that waits out limits for as long as faults."""
    deadline = settings.system.monotonic() + settings.retry_seconds
    found, _ = yield from call(settings, request, deadline, cls)
    return found


def list_models(settings: Settings) -> Flow[list[Model]]:
    """The models that the key may use."""
    found = yield from read(settings, MODELS, ModelList)
    for model in found.data:
        keep_response(model, response_of(found))
    return found.data


def balance(settings: Settings) -> Flow[CreditBalance]:
    """The credits of the account."""
    return (yield from read(settings, BALANCE, CreditBalance))


def get(settings: Settings, generation_id: str) -> Flow[GenerationRecord]:
    """A generation in its current state."""
    return (yield from read(settings, get_request(generation_id), GenerationRecord))


def price_of(settings: Settings, model: str | Model, parameters: Mapping[str, object]) -> Flow[int]:
    """The price of a create request; for a model given by id, prices are read first."""
    if isinstance(model, str):
        models = yield from list_models(settings)
        found = [each for each in models if each.id == model]
        if not found:
            names = ", ".join(each.id for each in models)
            raise UsageError(f"Your key cannot use the model {model!r}. Available models: {names}.")
        model = found[0]
    return price_for(model, parameters)


def create(
    settings: Settings,
    kind: Kind,
    body: Mapping[str, object],
    *,
    idempotency_key: str | None,
    max_credits: int | None,
) -> Flow[GenerationRecord]:
    """Create a generation."""
    deadline = settings.system.monotonic() + settings.retry_seconds
    key = _key_of(settings, idempotency_key)
    record, _ = yield from _create(settings, kind, body, key, max_credits, deadline)
    return record


def _key_of(settings: Settings, given: str | None) -> str:
    """The key of a create request: the caller's own, or one generated once."""
    return settings.system.new_key() if given is None else read_idempotency_key(given)


def _create(
    settings: Settings,
    kind: Kind,
    body: Mapping[str, object],
    key: str,
    max_credits: int | None,
    deadline: float,
) -> Flow[tuple[GenerationRecord, ApiResponse]]:
    """The only place that sends creates: the key is the same for every attempt."""
    given = {name: value for name, value in body.items() if value is not None}
    request = create_request(kind, given, key)
    if max_credits is not None:
        yield from _require_affordable(settings, given, max_credits)
    record, response = yield from call(settings, request, deadline, GenerationRecord)
    _log.info("created %s", record.id)
    return record, response


def _require_affordable(
    settings: Settings, body: Mapping[str, object], max_credits: int
) -> Flow[None]:
    parameters = body.get("parameters")
    given: Mapping[str, object] = {}
    if isinstance(parameters, Mapping):
        given = cast("Mapping[str, object]", parameters)
    cost = yield from price_of(settings, str(body.get("model")), given)
    if cost <= max_credits:
        return
    error = PriceLimitError(
        f"This would cost {cost} credits, and max_credits is {max_credits}. Nothing was created:"
        " raise it or choose a cheaper setting."
    )
    error.price, error.max_credits = cost, max_credits
    raise error


def create_and_wait(
    settings: Settings,
    kind: Kind,
    body: Mapping[str, object],
    *,
    idempotency_key: str | None,
    max_credits: int | None,
    timeout: float,
    wants_progress: bool = False,
) -> Flow[GenerationRecord]:
    """Create a generation and wait for its end."""
    deadline = settings.system.monotonic() + timeout
    key = _key_of(settings, idempotency_key)
    record, response = yield from _create(settings, kind, body, key, max_credits, deadline)
    # The stored first response to a key has the state at that time: poll once.
    seconds = 0.0 if response.headers.get("idempotent-replayed") == "true" else poll_seconds(record)
    told = Telling(settings, wants_progress)
    yield from told.tell(record)
    try:
        return (yield from follow(settings, record.id, deadline, told, record, seconds))
    except FramegateError as error:
        raise with_key(error, key) from error.__cause__


def wait(
    settings: Settings, generation_id: str, timeout: float, *, wants_progress: bool = False
) -> Flow[GenerationRecord]:
    """Wait for the end of a generation, however long ago it was created."""
    deadline = settings.system.monotonic() + timeout
    told = Telling(settings, wants_progress)
    return (yield from follow(settings, generation_id, deadline, told))
