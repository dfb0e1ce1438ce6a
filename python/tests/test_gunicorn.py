"""A real server that forks: gunicorn, which loads the program before its workers are made."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

PROGRAM = """
import os
import ratelimit

limiter = ratelimit.Limiter("100/day")
limiter.check("ada")

def app(environ, start_response):
    answer = f"{os.getpid()} {limiter.check('ada').remaining}".encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(answer)))])
    return [answer]
"""
PATIENCE = 60


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """Runs the program with two workers on a free port."""
    (tmp_path / "service.py").write_text(PROGRAM, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "--preload", "--workers", "2", "--bind", f"127.0.0.1:{port}"]
    running = subprocess.Popen([*command, "service:app"], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        yield port, running
    finally:
        running.kill()
        running.communicate()


def ask(port: int) -> tuple[int, int]:
    with urlopen(f"http://127.0.0.1:{port}/") as response:
        worker, remaining = response.read().split()
    return int(worker), int(remaining)


def serves(port: int) -> bool:
    try:
        ask(port)
    except OSError:
        return False
    return True


def test_workers_that_gunicorn_forks_count_apart_and_warn_once(server: tuple[int, subprocess.Popen[str]]) -> None:
    port, running = server
    deadline = time.monotonic() + PATIENCE
    while not serves(port):
        assert running.poll() is None, running.communicate()[1]
        assert time.monotonic() < deadline
        threading.Event().wait(0.05)
    seen = defaultdict(list)
    for _ in range(30):
        worker, remaining = ask(port)
        seen[worker].append(remaining)
    os.kill(running.pid, signal.SIGTERM)
    said = running.communicate(timeout=PATIENCE)[1]
    for answers in seen.values():
        # From 99, what was left before the fork, less the one request that found the server up, if it came here.
        assert answers[0] in (98, 97)
        assert answers == list(range(answers[0], answers[0] - len(answers), -1))
    warnings = re.findall("the process has forked since the limiter was made", said)
    assert len(seen) <= len(warnings) <= 2, said
