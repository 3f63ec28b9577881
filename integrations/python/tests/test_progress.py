"""How far a generation is, as a wait tells it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any

import pytest

import framegate
from framegate._decode import decode
from framegate._progress import Waits

from . import samples
from .conftest import Connect
from .plans import VIDEO
from .server import Reply, Server

BEGUN = datetime(2026, 11, 20, 9, 30, tzinfo=timezone.utc)


def seen_at(seconds: int, record: dict[str, Any], status: int = 200) -> Reply:
    """A record, answered so long after its creation."""
    date = format_datetime(BEGUN + timedelta(seconds=seconds), usegmt=True)
    return Reply(status=status, json=record, headers={"date": date})


def test_tells_the_share_of_the_usual_time_and_the_place(connect: Connect, server: Server) -> None:
    models = {"object": "list", "data": [samples.model()]}
    done = samples.completed("https://media.example.com/0.mp4")
    done["completed_at"] = "2026-11-20T09:31:15.000Z"
    server.plan(seen_at(0, samples.generation("queued"), 202), method="POST")
    server.plan(
        Reply(json=models),
        seen_at(15, samples.generation("queued")),
        seen_at(30, samples.generation("processing")),
        seen_at(600, samples.generation("processing")),
        seen_at(999, done),
        method="GET",
    )
    told: list[framegate.Progress] = []
    updates: list[framegate.types.GenerationRecord] = []
    connect(server.url)(
        lambda c: c.videos.create_and_wait(
            **VIDEO,
            on_update=updates.append,
            on_progress=told.append,
        )
    )
    assert [each.share for each in told] == [0, 0.25, 0.5, 0.95, 1]
    assert [each.elapsed_seconds for each in told] == [0, 15, 30, 600, 75]
    assert [each.position for each in told] == [1, 1, None, None, None]
    assert {each.usual_seconds for each in told} == {60}
    assert [each.generation.status for each in told] == [each.status for each in updates]


@pytest.mark.parametrize(
    "response", [Reply(status=503), Reply(json={"object": "list", "data": []})]
)
def test_without_a_usual_time_there_is_no_share(
    connect: Connect, server: Server, response: Reply
) -> None:
    server.plan(response, seen_at(0, samples.generation("queued")), method="GET")
    server.plan(seen_at(0, samples.completed("https://media.example.com/0.mp4")), method="GET")
    server.plan(seen_at(0, samples.generation("queued"), 202), method="POST")
    told: list[framegate.Progress] = []
    either = connect(server.url)
    either(lambda c: c.videos.create_and_wait(**VIDEO, on_progress=told.append))
    assert [each.share for each in told] == [None, None, 1]
    # No one waits for it.
    assert sum(each.path == "/v1/models" for each in server.seen) == 1


def test_a_place_is_that_among_the_queued_ones_oldest_first() -> None:
    waits = Waits()
    # The same moment, distinguished by the ids.
    records = [
        decode(
            framegate.types.GenerationRecord,
            samples.generation(id=samples.GENERATION_ID[:-1] + last),
        )
        for last in "321"
    ]
    for record in records:
        waits.note(record)
    assert [waits.note(record) for record in records] == [3, 2, 1]
    waits.end(records[2].id)
    assert [waits.note(record) for record in records[:2]] == [2, 1]
