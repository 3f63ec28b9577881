from __future__ import annotations

import pytest

from framegate._exchange import ApiResponse, NoResponse
from framegate._retry import Retries, retry_after

DATE = "Fri, 20 Nov 2026 09:30:00 GMT"


def respond(status: int, **headers: str) -> ApiResponse:
    return ApiResponse(status=status, headers={k.replace("_", "-"): v for k, v in headers.items()})


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "20"}, 20),
        ({"retry_after": " 0 "}, 0),
        ({"retry_after": "Fri, 20 Nov 2026 09:30:07 GMT", "date": DATE}, 7),
        # Without the server's own clock a date is meaningless: ours may be wrong.
        ({"retry_after": "Fri, 20 Nov 2026 09:30:07 GMT"}, None),
        ({"retry_after": "Fri, 20 Nov 2026 09:29:00 GMT", "date": DATE}, None),
        ({"retry_after": "Fri, 20 Nov 2026 09:30:07 -0000", "date": DATE}, None),
        ({"retry_after": "-5"}, None),
        ({"retry_after": "nan"}, None),
        ({"retry_after": "inf"}, None),
        ({"retry_after": "soon", "date": "later"}, None),
        ({}, None),
    ],
)
def test_reads_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(respond(503, **headers)) == seconds


def retries(chance: float = 0.5, deadline: float = 1000, faults: float = 60) -> Retries:
    return Retries(deadline=deadline, fault_seconds=faults, chance=lambda: chance)


@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_never_comes_back_sooner_than_told_nor_much_later(chance: float) -> None:
    seconds = retries(chance).wait(respond(429, retry_after="20"), 0)
    assert seconds is not None
    assert 20 <= seconds <= 21


def test_spreads_the_tries_and_takes_more_time_for_each() -> None:
    for low, high in [(0.75, 1.25), (1.5, 2.5), (3, 5)]:
        early, late = retries(0), retries(1)
        for _ in range(int(low / 0.75) // 2):
            early.wait(NoResponse(reason=""), 0)
            late.wait(NoResponse(reason=""), 0)
        assert (early.wait(NoResponse(reason=""), 0), late.wait(NoResponse(reason=""), 0)) == (
            low,
            high,
        )
    lasting = retries(1, faults=1e9)
    assert max(lasting.wait(NoResponse(reason=""), 0) or 0 for _ in range(2000)) == 30 * 1.25


@pytest.mark.parametrize("status", [200, 202, 302, 400, 401, 402, 403, 404, 422])
def test_does_not_repeat_what_will_not_change(status: int) -> None:
    assert retries().wait(respond(status, retry_after="1"), 0) is None


@pytest.mark.parametrize("status", [408, 425, 429, 500, 501, 503, 520])
def test_repeats_a_transient_failure(status: int) -> None:
    assert retries().wait(respond(status, retry_after="1"), 0) is not None


def test_bears_with_faults_for_a_time_since_the_first_in_a_row() -> None:
    attempts = retries(faults=60)
    assert attempts.wait(respond(503, retry_after="40"), 100) is not None
    assert attempts.wait(respond(503, retry_after="40"), 141) is None
    attempts.progressed()
    assert attempts.wait(respond(503, retry_after="40"), 200) is not None


def test_waits_limits_out_until_the_deadline_only() -> None:
    attempts = retries(deadline=1000, faults=60)
    waits = [attempts.wait(respond(429, retry_after="60"), now) for now in (0, 900, 950)]
    assert [wait is None for wait in waits] == [False, False, True]


def test_a_limit_between_two_faults_begins_the_time_for_faults_anew() -> None:
    attempts = retries(faults=60)
    assert attempts.wait(NoResponse(reason=""), 0) is not None
    assert attempts.wait(respond(429, retry_after="100"), 50) is not None
    assert attempts.wait(NoResponse(reason=""), 150) is not None
