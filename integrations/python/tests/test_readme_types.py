"""The samples of the README, before a strict type checker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .test_readme import SAMPLES

PACKAGE = Path(__file__).parents[1]


def test_the_samples_of_the_readme_pass_mypy_strict(tmp_path: Path) -> None:
    files: list[str] = []
    for number, sample in enumerate(SAMPLES):
        file = tmp_path / f"sample_{number}.py"
        file.write_text(sample, "utf-8")
        files.append(str(file))
    ended = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), *files],
        cwd=PACKAGE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
