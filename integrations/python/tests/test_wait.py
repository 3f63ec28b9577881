"""Waits over a real line, for both clients."""

from __future__ import annotations

import time

import anyio
import anyio.lowlevel
import pytest

import framegate
from framegate import types

from . import samples
from .conftest import Connect
from .plans import ACCEPTED, COMPLETED, HOUR, VIDEO, limited
from .server import CUT, Reply, Server


def test_waits_as_long_as_it_is_told(connect: Connect, server: Server) -> None:
    server.plan(ACCEPTED, method="POST")
    server.plan(
        Reply(json=samples.generation("processing", retry_after_seconds=30)),
        limited(45),
        CUT,
        Reply(status=503, body=b"<html>"),
        COMPLETED,
        method="GET",
    )
    either = connect(server.url)
    seen: list[types.GenerationRecord] = []
    made = either(lambda c: c.videos.create_and_wait(**VIDEO, on_update=seen.append))
    assert [each.status for each in seen] == ["queued", "processing", "completed"]
    assert all(each.id == samples.GENERATION_ID for each in seen)
    assert made.output.urls == ["https://media.example.com/0.mp4"]
    assert either.time.slept[:2] == [10, 30]
    assert 45 <= either.time.slept[2] <= 46
    assert len(server.posts()) == 1


def test_a_failed_generation_says_so_with_the_refund(connect: Connect, server: Server) -> None:
    server.plan(ACCEPTED, method="POST")
    server.plan(Reply(json=samples.failed()), method="GET")
    either = connect(server.url)
    with pytest.raises(framegate.GenerationFailedError, match="70 credits refunded") as failed:
        either(lambda c: c.videos.create_and_wait(**VIDEO))
    error = failed.value
    assert (error.refunded, error.refunded_credits, error.code) == (True, 70, "input_unreachable")
    assert (error.generation_id, error.param) == (samples.GENERATION_ID, "inputs[0].url")
    assert isinstance(error.generation, framegate.Failed)
    # Read alone, it is data.
    assert either(lambda c: c.generations.get(samples.GENERATION_ID)).status == "failed"


def test_a_timeout_has_the_id_and_a_later_wait_takes_it_up(
    connect: Connect, server: Server
) -> None:
    server.plan(ACCEPTED, method="POST")
    server.plan(*[Reply(json=samples.generation("processing"))] * 4, method="GET")
    server.plan(COMPLETED, method="GET")
    either = connect(server.url)
    with pytest.raises(framegate.WaitTimeoutError, match=samples.GENERATION_ID) as late:
        either(lambda c: c.videos.create_and_wait(**VIDEO, timeout=35))
    assert late.value.id == late.value.generation_id == samples.GENERATION_ID
    assert late.value.generation is not None
    assert late.value.generation.status == "processing"
    # The last poll is at the deadline itself.
    assert either.time.slept == [10, 10, 10, 5]
    assert either(lambda c: c.generations.wait(late.value.id)).status == "completed"
    assert len(server.posts()) == 1


def test_faults_until_the_deadline_are_a_timeout_that_tells_them(
    connect: Connect, server: Server
) -> None:
    server.plan(CUT)
    either = connect(server.url)
    with pytest.raises(framegate.WaitTimeoutError) as late:
        either(lambda c: c.generations.wait(samples.GENERATION_ID, timeout=HOUR))
    assert sum(either.time.slept) == pytest.approx(HOUR)
    assert late.value.generation is None
    assert isinstance(late.value.__cause__, framegate.APIConnectionError)
    assert late.value.__cause__.generation_id == samples.GENERATION_ID


def test_a_refusal_while_waiting_does_not_lose_the_id(connect: Connect, server: Server) -> None:
    server.plan(ACCEPTED, method="POST")
    body = samples.refusal("invalid_api_key", "authentication_error")
    server.plan(Reply(status=401, json=body), method="GET")
    with pytest.raises(framegate.AuthenticationError, match=samples.GENERATION_ID) as failed:
        connect(server.url)(lambda c: c.videos.create_and_wait(**VIDEO))
    assert failed.value.generation_id == samples.GENERATION_ID


def test_no_time_still_polls_once(connect: Connect, server: Server) -> None:
    server.plan(COMPLETED)
    found = connect(server.url)(lambda c: c.generations.wait(samples.GENERATION_ID, timeout=0))
    assert found.status == "completed"
    assert isinstance(found, (framegate.Completed, framegate.AsyncCompleted))


def test_a_replayed_response_is_old_and_looked_at_anew_at_once(
    connect: Connect, server: Server
) -> None:
    replayed = {"idempotent-replayed": "true"}
    server.plan(Reply(status=202, json=samples.generation(), headers=replayed), method="POST")
    server.plan(COMPLETED, method="GET")
    either = connect(server.url)
    either(lambda c: c.videos.create_and_wait(**VIDEO, idempotency_key="order-7"))
    assert either.time.slept == []


def test_a_clock_that_jumps_changes_nothing(
    connect: Connect, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.plan(ACCEPTED, method="POST")
    server.plan(
        Reply(json=samples.generation("processing")),
        limited(45),
        COMPLETED,
        method="GET",
    )
    either, true_time, jumps = connect(server.url), time.time, iter(range(1, 1000))
    monkeypatch.setattr(time, "time", lambda: true_time() + (-1) ** next(jumps) * 1e7)
    either(lambda c: c.videos.create_and_wait(**VIDEO, timeout=100))
    assert either.time.slept[:2] == [10, 10]
    assert sum(either.time.slept) < 70


def test_what_a_callback_raises_reaches_the_caller(connect: Connect, server: Server) -> None:
    def stop(generation: framegate.GenerationRecord) -> None:
        raise KeyError(generation.id)

    server.plan(ACCEPTED)
    with pytest.raises(KeyError, match=samples.GENERATION_ID):
        connect(server.url)(lambda c: c.videos.create_and_wait(**VIDEO, on_update=stop))


def test_a_callback_may_be_async(server: Server) -> None:
    seen: list[str] = []

    async def note(generation: framegate.AsyncGeneration) -> None:
        await anyio.lowlevel.checkpoint()
        seen.append(generation.status)

    async def main() -> None:
        async with framegate.AsyncFramegate(base_url=server.url, api_key=samples.KEY) as client:
            await client.generations.wait(samples.GENERATION_ID, on_update=note)

    server.plan(COMPLETED)
    for backend in ("asyncio", "trio"):
        anyio.run(main, backend=backend)
    assert seen == ["completed", "completed"]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_wait_that_is_cancelled_ends_at_once(server: Server, backend: str) -> None:
    async def main() -> bool:
        async with framegate.AsyncFramegate(base_url=server.url, api_key=samples.KEY) as client:
            with anyio.CancelScope() as scope:
                # Cancelled once the generation was seen; its next poll is in ten seconds.
                await client.generations.wait(
                    samples.GENERATION_ID, on_update=lambda _: scope.cancel()
                )
            return scope.cancelled_caught

    server.plan(Reply(json=samples.generation("processing")))
    assert anyio.run(main, backend=backend)
    assert len(server.seen) == 1


def test_a_hint_beyond_all_reason_is_a_day(connect: Connect, server: Server) -> None:
    server.plan(
        Reply(json=samples.generation("queued", retry_after_seconds=10**400)), limited(10**12)
    )
    server.plan(COMPLETED)
    either = connect(server.url)
    either(lambda c: c.generations.wait(samples.GENERATION_ID, timeout=None))
    assert either.time.slept == [pytest.approx(86_400, abs=1)] * 2
