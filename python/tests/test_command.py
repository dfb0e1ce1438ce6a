"""The command through the package: the same as the command itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "tests/data"
ROWS = [line.split("\t") for line in (DATA / "sample.digest").read_text().splitlines() if not line.startswith("#")]


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "ratelimit", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=Path(__file__).parent)


@pytest.mark.parametrize(("digest", "limit", "key", "cost", "cap"), ROWS)
def test_a_replay_decides_as_the_command_does(digest: str, limit: str, key: str, cost: str, cap: str) -> None:
    priced = ["--cost", cost] if cost else []
    log = str(DATA / "sample.log")
    done = run("replay", "--limit", limit, "--key", key, "--max-identities", cap, *priced, "--digest", log)
    assert done.returncode == 0, done.stderr
    assert digest in done.stdout.decode()


def test_a_log_may_come_from_standard_input() -> None:
    done = run("replay", "--limit", "10/minute", "--digest", "-", stdin=(DATA / "sample.log").read_bytes())
    assert ROWS[0][0] in done.stdout.decode()


def test_a_limit_is_explained() -> None:
    done = run("explain", "sliding 3/minute")
    assert done.returncode == 0
    assert done.stdout.decode().startswith("sliding 3/minute\n  Sliding window: up to 3 in any minute")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["explain", "3/fortnight"], 2, "expected a number or a unit"),
        (["replay", "--limit", "1/s", "no such file"], 1, "no such file"),
        (["dance"], 2, "Usage: ratelimit"),
        ([], 2, "Usage: ratelimit"),
    ],
)
def test_what_cannot_be_done_has_its_status_and_is_said(arguments: list[str], status: int, message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, message in done.stderr.decode()) == (status, True), done.stderr


def test_a_reader_that_goes_away_is_no_failure() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "ratelimit", "explain", "3/minute"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, cwd=Path(__file__).parent)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
