"""Downloads from a real server that behaves and misbehaves, for both clients."""

from __future__ import annotations

import io
from itertools import count
from pathlib import Path

import pytest

import framegate

from . import samples
from .conftest import Connect
from .downloads import FILE, HALF, SIZE, VIDEO, cut_after, finished, rest_from, whole
from .server import CUT, Reply, Server


def test_downloads_to_a_path_without_the_key(
    connect: Connect, server: Server, tmp_path: Path
) -> None:
    either, video = finished(connect, server)
    server.plan(whole())
    assert either(lambda _: video.download(tmp_path / "boat.mp4")) == SIZE
    assert (tmp_path / "boat.mp4").read_bytes() == FILE
    assert [each.name for each in tmp_path.iterdir()] == ["boat.mp4"]
    [seen] = server.seen
    assert seen.path == "/0.mp4"
    assert "authorization" not in seen.headers
    assert samples.KEY not in str(seen)


def test_downloads_the_other_files_by_their_index(connect: Connect, server: Server) -> None:
    either, images = finished(connect, server)
    server.plan(whole())
    file = io.BytesIO(b"head:")
    file.seek(5)
    either(lambda _: images.download(file, index=1))
    assert file.getvalue() == b"head:" + FILE
    assert server.seen[0].path == "/1.mp4"
    with pytest.raises(framegate.UsageError, match="2 files"):
        either(lambda _: images.download(io.BytesIO(), index=2))


@pytest.mark.parametrize("to", ["path", "file"])
def test_a_broken_line_is_taken_up_where_it_broke(
    connect: Connect, server: Server, tmp_path: Path, to: str
) -> None:
    either, video = finished(connect, server)
    server.plan(CUT, cut_after(HALF), cut_after(1000, HALF), rest_from(HALF + 1000))
    file = io.BytesIO()
    target = tmp_path / "boat.mp4" if to == "path" else file
    assert either(lambda _: video.download(target)) == SIZE
    assert (file.getvalue() if to == "file" else (tmp_path / "boat.mp4").read_bytes()) == FILE
    ranges = [(each.headers.get("range"), each.headers.get("if-range")) for each in server.seen]
    assert ranges == [
        (None, None),
        (None, None),
        (f"bytes={HALF}-", '"one"'),
        (f"bytes={HALF + 1000}-", '"one"'),
    ]


def test_a_server_without_ranges_sends_all_again(connect: Connect, server: Server) -> None:
    either, video = finished(connect, server)
    server.plan(cut_after(HALF), cut_after(10), cut_after(HALF + 10), whole())
    file = io.BytesIO()
    either(lambda _: video.download(file))
    assert file.getvalue() == FILE


def test_more_than_was_announced_is_not_taken(connect: Connect, server: Server) -> None:
    either, video = finished(connect, server)
    headers = VIDEO | {"content-range": f"bytes {HALF}-{SIZE - 1}/{SIZE}"}
    server.plan(cut_after(HALF), Reply(status=206, body=FILE[HALF:] + b"more", headers=headers))
    with pytest.raises(framegate.DownloadError, match="more than it had announced"):
        either(lambda _: video.download(io.BytesIO()))


def test_a_server_may_send_less_than_was_asked_for(connect: Connect, server: Server) -> None:
    either, video = finished(connect, server)
    part = {"content-range": f"bytes {HALF}-{HALF + 999}/{SIZE}"}
    some = Reply(status=206, body=FILE[HALF : HALF + 1000], headers=VIDEO | part)
    server.plan(cut_after(HALF), some, rest_from(HALF + 1000))
    file = io.BytesIO()
    assert either(lambda _: video.download(file)) == SIZE
    assert file.getvalue() == FILE


def test_another_call_goes_on_with_the_part(
    connect: Connect, server: Server, tmp_path: Path
) -> None:
    either, video = finished(connect, server, retry_seconds=0)
    server.plan(cut_after(HALF))
    with pytest.raises(framegate.DownloadError, match=f"{HALF} of {SIZE} bytes") as failed:
        either(lambda _: video.download(tmp_path / "boat.mp4"))
    assert (failed.value.received, failed.value.generation_id) == (HALF, samples.GENERATION_ID)
    assert not (tmp_path / "boat.mp4").exists()
    server.forget()
    server.plan(rest_from(HALF))
    assert either(lambda _: video.download(str(tmp_path / "boat.mp4"))) == SIZE
    assert server.seen[0].headers["range"] == f"bytes={HALF}-"
    assert (tmp_path / "boat.mp4").read_bytes() == FILE
    assert [each.name for each in tmp_path.iterdir()] == ["boat.mp4"]


def test_a_part_that_is_whole_already_needs_no_more(
    connect: Connect, server: Server, tmp_path: Path
) -> None:
    either, video = finished(connect, server)
    (tmp_path / f"boat.mp4.{samples.GENERATION_ID}-0.part").write_bytes(FILE)
    server.plan(Reply(status=416, headers={"content-range": f"bytes */{SIZE}"}))
    assert either(lambda _: video.download(tmp_path / "boat.mp4")) == SIZE
    assert (tmp_path / "boat.mp4").read_bytes() == FILE


@pytest.mark.parametrize("status", [403, 410])
def test_an_address_that_has_expired_is_read_anew(
    connect: Connect, server: Server, status: int
) -> None:
    either, video = finished(connect, server)
    server.plan(
        Reply(status=status, body=b"This link has expired."),
        Reply(json=samples.completed(f"{server.origin}/new.mp4")),
        whole(),
    )
    assert either(lambda _: video.download(io.BytesIO())) == SIZE
    assert [each.path for each in server.seen][-1] == "/new.mp4"
    assert ["authorization" in each.headers for each in server.seen] == [False, True, False]


def test_files_that_are_deleted_say_so(connect: Connect, server: Server, tmp_path: Path) -> None:
    either, video = finished(connect, server)
    server.plan(Reply(status=410), Reply(json=samples.completed()))
    with pytest.raises(framegate.FilesDeletedError) as failed:
        either(lambda _: video.download(tmp_path / "boat.mp4"))
    assert failed.value.code == "file_gone"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(body=b"<html>Sign in</html>"), "text/html came in its place"),
        (Reply(json={"status": "ok"}), "application/json came in its place"),
        (whole(**{"content-type": "image/png"}), "image/png came in its place"),
        (whole(**{"content-encoding": "gzip"}), "a changed file came in its place"),
        (rest_from(10), "another part"),
        (Reply(status=206, body=FILE, headers=VIDEO), "another part"),
        (Reply(status=404, body=b"no"), "status 404"),
        (Reply(status=302, headers={"location": "http://"}), "could not be fetched"),
    ],
)
def test_what_is_not_the_file_is_not_taken_for_it(
    connect: Connect, server: Server, tmp_path: Path, reply: Reply, told: str
) -> None:
    either, video = finished(connect, server, retry_seconds=0)
    record = Reply(json=samples.completed(f"{server.origin}/0.mp4"))
    if reply.status == 404:
        server.plan(reply, record, reply, record, reply, record, reply)
    else:
        server.plan(reply)
    with pytest.raises(framegate.DownloadError, match=told) as failed:
        either(lambda _: video.download(tmp_path / "boat.mp4"))
    assert failed.value.generation_id == samples.GENERATION_ID
    assert list(tmp_path.iterdir()) == []


def test_a_page_in_place_of_the_file_is_asked_for_again_at_a_fresh_address(
    connect: Connect, server: Server
) -> None:
    either, video = finished(connect, server)
    fresh = Reply(json=samples.completed(f"{server.origin}/fresh.mp4"))
    server.plan(Reply(body=b"<html>Sign in</html>"), fresh, whole())
    file = io.BytesIO()
    assert either(lambda _: video.download(file)) == SIZE
    assert file.getvalue() == FILE
    assert server.seen[-1].path == "/fresh.mp4"
    assert len(either.time.slept) == 1


@pytest.mark.parametrize("other", [{"etag": '"two"'}, {"content-length": str(SIZE + 1)}])
def test_another_file_is_never_put_behind_the_head_of_this_one(
    connect: Connect, server: Server, other: dict[str, str]
) -> None:
    either, video = finished(connect, server)
    server.plan(cut_after(HALF), whole(**other))
    with pytest.raises(framegate.DownloadError, match="differs from"):
        either(lambda _: video.download(io.BytesIO()))


def test_a_file_that_comes_too_slowly_ends_with_the_time(connect: Connect, server: Server) -> None:
    # Twenty seconds pass each time that the clock is polled, as with each piece of the file.
    ticks = count(step=20)
    system = framegate.System(monotonic=lambda: next(ticks))
    either, video = finished(connect, server, system=system)
    server.plan(whole())
    with pytest.raises(framegate.DownloadError, match="time is over") as failed:
        either(lambda _: video.download(io.BytesIO(), timeout=10))
    assert 0 < failed.value.received < SIZE


def test_limits_end_with_the_time(connect: Connect, server: Server) -> None:
    either, video = finished(connect, server)
    server.plan(Reply(status=429, headers={"retry-after": "600"}))
    with pytest.raises(framegate.DownloadError, match="status 429"):
        either(lambda _: video.download(io.BytesIO(), timeout=3600))
    assert len(either.time.slept) == 5


def test_what_is_not_finished_has_no_file(connect: Connect, server: Server) -> None:
    server.plan(Reply(json=samples.generation("processing")))
    either = connect(server.url)
    video = either(lambda c: c.generations.get(samples.GENERATION_ID))
    with pytest.raises(framegate.UsageError, match="processing"):
        either(lambda _: video.download(io.BytesIO()))
