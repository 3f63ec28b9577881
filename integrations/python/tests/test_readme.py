"""The samples of the README, against the gateway of FRAMEGATE_URL."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import framegate

README = Path(__file__).parents[1] / "README.md"
SAMPLES = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
HURRY = """
import time, anyio
blocking, waiting = time.sleep, anyio.sleep
time.sleep = lambda seconds: blocking(min(seconds, 0.1))
anyio.sleep = lambda seconds: waiting(min(seconds, 0.1))
"""


@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_the_samples_of_the_readme_run(gateway_url: str, tmp_path: Path, number: int) -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", HURRY + SAMPLES[number]],
        cwd=tmp_path,
        env=os.environ
        | {
            "FRAMEGATE_URL": gateway_url,
            "PYTHONPATH": str(Path(framegate.__file__).parents[1]),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    asked = len(re.findall(r"\.download\(|open\(", SAMPLES[number])) > 0
    assert (len(list(tmp_path.iterdir())) > 0) is asked
