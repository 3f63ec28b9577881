"""Where downloads go: full disks, and what is no target."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from pathlib import Path

import pytest

import framegate

from . import samples
from .conftest import Connect
from .downloads import FILE, HALF, SIZE, finished, rest_from, whole
from .server import Reply, Server


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("buffering", [0, -1, 2 * SIZE])
def test_a_full_disk_says_so(connect: Connect, server: Server, buffering: int) -> None:
    either, video = finished(connect, server)
    server.plan(whole())
    full = Path("/dev/full").open("wb", buffering=buffering)  # noqa: SIM115
    with pytest.raises(framegate.DownloadError, match="No space left") as failed:
        either(lambda _: video.download(full))
    with contextlib.suppress(OSError):
        # Closing tries to write the buffer again.
        full.close()
    assert (failed.value.code, failed.value.generation_id) == ("disk_full", samples.GENERATION_ID)


LIMITED = """
import resource, sys
import framegate
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]), -1))
client = framegate.Framegate(base_url=sys.argv[1], api_key=sys.argv[2])
video = client.generations.get("gen_01kagw2m5t9x3q7r8v4c6e0hjn")
try:
    print(video.download(sys.argv[3]))
except framegate.DownloadError as error:
    print(error.code, error.received, error.generation_id)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_disk_that_becomes_full_keeps_the_part_for_the_next_time(
    server: Server, tmp_path: Path
) -> None:
    def run(limit: int) -> str:
        arguments = [server.url, samples.KEY, str(tmp_path / "boat.mp4"), str(limit)]
        return subprocess.run(
            [sys.executable, "-c", LIMITED, *arguments],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": str(Path(framegate.__file__).parents[1])},
        ).stdout.strip()

    record = Reply(json=samples.completed(f"{server.origin}/0.mp4"))
    server.plan(record, whole(), record, rest_from(HALF))
    assert run(HALF) == f"disk_full {HALF} {samples.GENERATION_ID}"
    assert run(SIZE) == str(SIZE)
    assert (tmp_path / "boat.mp4").read_bytes() == FILE


def test_a_target_that_cannot_take_it_is_refused(
    connect: Connect, server: Server, tmp_path: Path
) -> None:
    either, video = finished(connect, server)
    for target, told in (
        (tmp_path, "folder"),
        (io.StringIO(), "binary"),
        (5, "binary"),
    ):
        with pytest.raises(framegate.UsageError, match=told):
            either(lambda _: video.download(target))  # noqa: B023
    with pytest.raises(framegate.DownloadError, match="No such file") as failed:
        either(lambda _: video.download(tmp_path / "no" / "boat.mp4"))
    assert failed.value.code == "not_written"
    assert server.seen == []
