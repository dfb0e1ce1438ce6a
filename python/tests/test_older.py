"""The older package's documented behaviour: the same from it and from ours."""

import json
import os
import pickle
import subprocess
from pathlib import Path
from typing import Any

import pytest
from interpreter import said
from older import scenarios

import ratelimit

ROOT = Path(__file__).parents[2]
OLDER = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "python/older/bin/python"


@pytest.fixture(scope="module")
def older() -> dict[str, Any]:
    """What the real package does, in an environment of its own."""
    program = [OLDER, scenarios.__file__]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def test_every_scenario_is_played(older: dict[str, Any]) -> None:
    assert list(older) == list(scenarios.SCENARIOS)
    assert len(older) > 20


@pytest.mark.parametrize("name", scenarios.SCENARIOS)
def test_what_the_older_package_does_ours_does(name: str, older: dict[str, Any]) -> None:
    ours = json.loads(json.dumps(scenarios.SCENARIOS[name](ratelimit, scenarios.Clock())))
    assert ours == older[name]


def test_more_calls_than_the_engine_counts_are_as_many_as_it_counts() -> None:
    assert ratelimit.limits(calls=10**30).clamped_calls == 2**32 - 1


def test_a_refusal_comes_back_from_another_process() -> None:
    raised = pickle.loads(pickle.dumps(ratelimit.RateLimitException("too many calls", 1.5)))
    assert (str(raised), raised.period_remaining) == ("too many calls", 1.5)


def test_a_child_of_a_process_that_forks_while_another_thread_is_in_a_call_does_not_wait_for_it() -> None:
    program = """
        import os, signal, threading
        from ratelimit import limits
        inside, go = threading.Event(), threading.Event()

        def clock():
            if threading.current_thread() is not threading.main_thread():
                inside.set()
                go.wait()
            return 0.0

        @limits(calls=5, period=900, clock=clock)
        def call():
            return 7

        other = threading.Thread(target=call)
        other.start()
        inside.wait()
        child = os.fork()
        if child == 0:
            signal.alarm(5)
            os._exit(call())
        print("child", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        go.set()
        other.join()
    """
    assert "child 7" in said(program, "-W", "ignore").splitlines()
