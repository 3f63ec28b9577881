"""Many calls at once at the gateway's limit of create requests, on a clock of the test's own."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

import pytest

from framegate import RateLimitError, System, WaitTimeoutError
from framegate import _flows as flows
from framegate._effects import Flow, Pause, Send
from framegate._exchange import ApiResponse
from framegate._pace import Pace, Turn
from framegate._settings import Settings, read_settings

from . import samples
from .plans import VIDEO

LINE_SECONDS = 0.04


@dataclass
class Service:
    """Lets 60 creates a minute through, ten at once, as the gateway does; reads are free."""

    tells_rate: bool = True
    tokens: float = 10
    at: float = 0
    creates: list[float] = field(default_factory=list[float])
    reads: list[float] = field(default_factory=list[float])

    def respond(self, method: str, now: float) -> ApiResponse:
        if method == "GET":
            self.reads.append(now)
            body = json.dumps(samples.completed("https://media.example.com/0.mp4"))
            return ApiResponse(status=200, body=body.encode())
        self.creates.append(now)
        self.tokens, self.at = min(10, self.tokens + now - self.at), now
        if self.tokens >= 1:
            self.tokens -= 1
            return ApiResponse(status=202, body=json.dumps(samples.generation()).encode())
        headers = {"retry-after": "1"}
        if self.tells_rate:
            headers["ratelimit-policy"] = '"create";q=60;w=60'
        refused = samples.refusal("rate_limited", "rate_limit_error", retryable=True)
        return ApiResponse(status=429, headers=headers, body=json.dumps(refused).encode())


class World:
    """Carries out many flows at once; time passes only while they wait."""

    def __init__(self, service: Service, retry_seconds: float = 120) -> None:
        self.service = service
        self.now = 0.0
        keys = count(1)
        self.settings: Settings = read_settings(
            base_url="https://api.example.com/v1",
            api_key=samples.KEY,
            request_timeout=30,
            retry_seconds=retry_seconds,
            system=System(
                monotonic=lambda: self.now, random=lambda: 0.5, new_key=lambda: f"made-{next(keys)}"
            ),
            environment={},
        )

    def create(self) -> Flow[Any]:
        return flows.create(self.settings, "videos", VIDEO, idempotency_key=None, max_credits=None)

    def run(self, begun: list[Flow[Any]]) -> list[Any]:
        """What each comes to: its result, or what it raises."""
        ended: dict[int, Any] = {}
        order = count()
        due: list[tuple[float, int, int, Callable[[], Any]]] = []

        def step(number: int, go_on: Callable[[], Any]) -> None:
            try:
                effect = go_on()
            except StopIteration as stop:
                ended[number] = stop.value
            except RateLimitError as error:
                ended[number] = error
            else:
                resume(number, effect)

        def resume(number: int, effect: Any) -> None:
            flow = begun[number]
            if isinstance(effect, Send):
                at, method = self.now + LINE_SECONDS, effect.request.method

                def go_on() -> Any:
                    return flow.send(self.service.respond(method, self.now))
            else:
                assert isinstance(effect, Pause)
                at = self.now + effect.seconds

                def go_on() -> Any:
                    return flow.send(None)

            heapq.heappush(due, (at, next(order), number, go_on))

        for number, flow in enumerate(begun):
            step(number, partial(next, flow))
        while due:
            self.now, _, number, go_on = heapq.heappop(due)
            step(number, go_on)
        return [ended[number] for number in range(len(begun))]


@pytest.mark.parametrize("tells_rate", [True, False])
def test_fifty_creates_at_once_are_made_with_few_refusals(tells_rate: bool) -> None:
    service = Service(tells_rate)
    world = World(service)
    ended = world.run([world.create() for _ in range(50)])
    assert [each.id for each in ended] == [samples.GENERATION_ID] * 50
    assert len(service.creates) <= 70


def test_a_limit_of_creates_holds_up_no_poll() -> None:
    service = Service()
    world = World(service)
    world.run(
        [world.create() for _ in range(25)]
        + [flows.get(world.settings, samples.GENERATION_ID) for _ in range(5)]
    )
    assert len(service.reads) == 5
    assert max(service.reads) < 1 < service.creates[-1]


def test_a_call_whose_turn_comes_too_late_is_refused_and_not_sent() -> None:
    service = Service()
    world = World(service, retry_seconds=15)
    ended = world.run([world.create() for _ in range(60)])
    refused = [each for each in ended if isinstance(each, RateLimitError)]
    assert len(refused) > 20
    assert {each.code for each in refused} == {"rate_limited"}
    assert not any(each.may_have_created for each in refused)
    assert len({each.idempotency_key for each in refused}) == len(refused)
    assert len(service.creates) < 60


def test_a_wait_bears_with_a_limit_of_polls_that_outlasts_it() -> None:
    world = World(Service())
    polls = world.settings.paces.polls
    turn = polls.take(0, 0)
    assert isinstance(turn, Turn)
    polls.refused(turn, 3600, ApiResponse(status=429))
    with pytest.raises(WaitTimeoutError, match=samples.GENERATION_ID):
        world.run([flows.wait(world.settings, samples.GENERATION_ID, 60)])
    assert world.now == 60
    assert world.service.reads == []


def test_a_last_poll_is_made_although_a_limit_was_met_before() -> None:
    pace = Pace(burst=10, seconds=0)
    turn = pace.take(0, 60)
    assert isinstance(turn, Turn)
    pace.refused(turn, 5, ApiResponse(status=429))
    assert pace.take(60.01, 60) == Turn(60.01, 1)


def test_a_limit_that_nothing_asks_for_is_forgotten() -> None:
    pace = Pace(burst=2, seconds=0.1)
    turn = pace.take(0, 0)
    assert isinstance(turn, Turn)
    policy = {"ratelimit-policy": '"create";q=60;w=60'}
    pace.refused(turn, 5, ApiResponse(status=429, headers=policy))
    assert not pace.holds(turn)
    assert isinstance(pace.take(0, 4), ApiResponse)
    first, second = pace.take(0, 100), pace.take(0, 100)
    assert isinstance(first, Turn)
    assert isinstance(second, Turn)
    assert first.at == 5
    assert second.at == pytest.approx(6.05)
    at = [pace.take(70, 70) for _ in range(3)]
    assert [each.at for each in at if isinstance(each, Turn)] == [70, 70, pytest.approx(70.1)]
