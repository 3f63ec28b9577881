"""One API call: its turn, its attempts, and the validity of its response."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TypeVar, get_args

from ._decode import DecodeError, decode
from ._effects import Flow, Pause, Send, perform
from ._exchange import ApiResponse, Outcome, Request, id_within, is_generation_id
from ._pace import Pace, Turn
from ._refusals import may_have_created, refusal
from ._response import keep_response
from ._retry import Retries, is_limit
from ._settings import Settings, System
from .types import GenerationRecord, Status

T = TypeVar("T")

_log = logging.getLogger("framegate")


def call(
    settings: Settings, request: Request, deadline: float, cls: type[T]
) -> Flow[tuple[T, ApiResponse]]:
    """Send a request until its response is final.

    Args:
        settings: The client's settings.
        request: Sent unchanged on every attempt, including the idempotency key.
        deadline: How long limits are waited out, by the monotonic clock.
        cls: Type of the response.
    """
    system = settings.system
    retries = Retries(deadline=deadline, fault_seconds=settings.retry_seconds, chance=system.random)
    pace = pace_of(settings, request)
    unknown, known_id = False, request.generation_id
    while True:
        turn = yield from await_turn(system, pace, deadline)
        if isinstance(turn, ApiResponse):
            raise refusal(request, turn, unknown=unknown, generation_id=known_id)
        outcome, found = polled_at(
            (yield from perform(Send(request, settings.request_timeout))), cls, request
        )
        if found is not None and isinstance(outcome, ApiResponse):
            pace.accepted(turn)
            return found, outcome
        if request.method == "POST":
            unknown = may_have_created(outcome, unknown)
            known_id = known_id or id_within(outcome)
        seconds = retries.wait(outcome, system.monotonic())
        if seconds is None:
            raise refusal(request, outcome, unknown=unknown, generation_id=known_id)
        _log.info("%s %s: trying again in %.1f s", request.method, request.path, seconds)
        if isinstance(outcome, ApiResponse) and is_limit(outcome):
            pace.refused(turn, system.monotonic() + seconds, outcome)
        else:
            yield Pause(seconds)


def pace_of(settings: Settings, request: Request) -> Pace:
    """The service counts create requests, reads of generations and other reads separately."""
    if request.method == "POST":
        return settings.paces.creates
    return settings.paces.other_reads if request.generation_id is None else settings.paces.polls


def await_turn(system: System, pace: Pace, deadline: float) -> Flow[Turn | ApiResponse]:
    """Wait until a request may be sent; return the last refusal if that is past the deadline."""
    while True:
        now = system.monotonic()
        turn = pace.take(now, deadline)
        if isinstance(turn, ApiResponse):
            return turn
        if turn.at > now:
            yield Pause(turn.at - now)
        if pace.holds(turn):
            return turn


def polled_at(outcome: Outcome, cls: type[T], request: Request) -> tuple[Outcome, T | None]:
    """The content of an outcome; a success without its generation is inconclusive."""
    if not isinstance(outcome, ApiResponse) or not outcome.is_success:
        return outcome, None
    try:
        found = decode(cls, outcome.json())
    except DecodeError as error:
        _log.info("a response that is not the API's: %s", error)
    else:
        if not isinstance(found, GenerationRecord) or _tells(found, request.generation_id):
            keep_response(found, outcome)
            return outcome, found
        _log.info("a response about something else, or with an unknown state")
    return replace(outcome, garbled=cls is GenerationRecord), None


def _tells(record: GenerationRecord, asked: str | None) -> bool:
    """Whether it is the requested generation, with all parts of its state."""
    if record.id != asked if asked is not None else not is_generation_id(record.id):
        return False
    if record.status == "completed":
        return record.output is not None
    return record.status in get_args(Status) and (record.status != "failed" or bool(record.error))
