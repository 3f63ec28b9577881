"""Settings of the machine, event loops and processes: what httpx reads and keeps by itself."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest
import trio

import framegate

from . import samples
from .server import Reply, Server

_TABLE = Path(__file__).parents[3] / "test/clients/environments.json"
_ENVIRONMENTS: list[dict[str, Any]] = json.loads(_TABLE.read_text()) if _TABLE.exists() else []

PROGRAM = """
import asyncio, sys
import framegate

def end_of(call):
    try:
        call()
    except framegate.UsageError:
        return "usage"
    except framegate.APIConnectionError:
        return "connection"
    return "response"

settings = {"base_url": sys.argv[1], "api_key": sys.argv[2], "retry_seconds": 0}
gen = "gen_01kagw2m5t9x3q7r8v4c6e0hjn"
print(end_of(lambda: framegate.Framegate(**settings).generations.get(gen)))
print(end_of(lambda: asyncio.run(framegate.AsyncFramegate(**settings).generations.get(gen))))
"""


@pytest.mark.parametrize("row", _ENVIRONMENTS, ids=lambda row: row["case"])
def test_an_environment(server: Server, tmp_path: Path, row: dict[str, Any]) -> None:
    server.plan(Reply(json=samples.generation()))
    netrc = tmp_path / ".netrc"
    netrc.write_text(row.get("netrc", ""))
    netrc.chmod(0o600)
    environment = {
        "PYTHONPATH": str(Path(framegate.__file__).parents[1]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(tmp_path),
        **row["env"],
    }
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, server.url, samples.KEY],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert (ended.stdout.split(), ended.returncode) == ([row["ends"]["python"]] * 2, 0)
    assert {each.headers["authorization"] for each in server.seen} <= {f"Bearer {samples.KEY}"}


def _client(server: Server, **more: Any) -> framegate.AsyncFramegate:
    server.plan(Reply(json=samples.generation()))
    return framegate.AsyncFramegate(
        base_url=server.url, api_key=samples.KEY, retry_seconds=0, **more
    )


def test_one_client_serves_loops_that_come_and_go(server: Server) -> None:
    client = _client(server)

    async def read(*, closes: bool = True) -> str:
        found = await client.generations.get(samples.GENERATION_ID)
        if closes:
            await client.aclose()
        return found.status

    assert [asyncio.run(read()), asyncio.run(read()), trio.run(read)] == ["queued"] * 3
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(asyncio.run(read()))) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == ["queued"] * 3


LOOPS = """
import asyncio, sys, framegate
client = framegate.AsyncFramegate(base_url=sys.argv[1], api_key=sys.argv[2], retry_seconds=0)
for _ in range(3):
    print(asyncio.run(client.generations.get("gen_01kagw2m5t9x3q7r8v4c6e0hjn")).status)
"""


def _run(program: str, server: Server) -> str:
    return subprocess.run(
        [sys.executable, "-c", program, server.url, samples.KEY],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(Path(framegate.__file__).parents[1])},
    ).stdout


def test_a_loop_that_ends_without_closing_the_client_harms_no_later_one(server: Server) -> None:
    server.plan(Reply(json=samples.generation()))
    assert _run(LOOPS, server).split() == ["queued"] * 3


def test_the_callers_own_http_client_in_another_state_is_told(server: Server) -> None:
    http = httpx.AsyncClient()
    client = _client(server, http_client=http)

    async def use() -> None:
        await http.aclose()
        with pytest.raises(framegate.APIConnectionError, match="must be open"):
            await client.generations.get(samples.GENERATION_ID)
        with pytest.raises(framegate.APIConnectionError) as failed:
            await client.images.create(model="image-b-2", prompt="A boat", idempotency_key="own")
        assert failed.value.idempotency_key == "own"

    asyncio.run(use())
    assert server.seen == []


def test_a_closed_client_opens_new_connections(server: Server) -> None:
    server.plan(Reply(json=samples.generation()))
    client = framegate.Framegate(base_url=server.url, api_key=samples.KEY)
    for _ in range(2):
        with client:
            assert client.generations.get(samples.GENERATION_ID).status == "queued"


FORK = """
import os, sys, framegate
client = framegate.Framegate(base_url=sys.argv[1], api_key=sys.argv[2])
first = client._connections.current()
child = os.fork()
same = client._connections.current() is first
if child == 0:
    os._exit(1 if same else 0)
print(os.waitpid(child, 0)[1], same)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs processes that fork")
def test_a_fork_has_connections_of_its_own(server: Server) -> None:
    server.plan(Reply(json=samples.generation()))
    assert _run(FORK, server).split() == ["0", "True"]
