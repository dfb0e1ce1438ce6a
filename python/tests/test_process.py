"""Processes: forks and their warnings, interpreters that end, interpreters within one."""

import logging
import multiprocessing
import os
import re
from pathlib import Path

import pytest
from interpreter import said

import ratelimit
from ratelimit import Limiter, ManualClock, _process

MESSAGE = "the process has forked since the limiter was made: parent and child count apart"


FORKS = """
    import logging, os, sys
    import ratelimit
    logging.basicConfig(format="%(name)s %(levelname)s %(ratelimit_warning)s %(message)s", stream=sys.stdout)
    limiter = ratelimit.Limiter("5/day")
    limiter.check("ada")
    sys.stdout.flush()
    if os.fork() == 0:
        print("child", limiter.check("ada").remaining, limiter.check("ada").remaining)
        young = ratelimit.Limiter("5/day")
        print("young", young.check("ada").remaining)
        sys.stdout.flush()
        os._exit(0)
    os.wait()
    print("parent", limiter.check("ada").remaining)
"""


def test_a_child_is_warned_once_of_a_limiter_that_is_older_than_it_and_counts_apart() -> None:
    lines = said(FORKS).splitlines()
    assert lines == [f"ratelimit WARNING forked {MESSAGE}", "child 3 2", "young 4", "parent 3"]


def test_every_verb_of_a_child_warns() -> None:
    verbs = ["check('a')", "allow('a')", "peek('a')", "remaining('a')", "check_many(['a'])", "reset('a')", "sweep()"]
    for verb in [*verbs, "clear()", "check_at('a', 5)", "refund('a', decision)"]:
        program = f"""
            import os
            import ratelimit
            limiter = ratelimit.Limiter("5/day")
            decision = limiter.check("a")
            if os.fork() == 0:
                limiter.{verb}
                os._exit(0)
            os.wait()
        """
        assert said(program).strip() == MESSAGE, verb


def in_a_worker(key: str) -> tuple[int, int]:
    return os.getpid(), SHARED.check(key).remaining


SHARED = Limiter("1000/day", clock=ManualClock())


def test_workers_of_multiprocessing_count_apart() -> None:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        answers = pool.map(in_a_worker, ["ada"] * 40, chunksize=1)
    for worker in {pid for pid, _ in answers}:
        seen = sorted(remaining for pid, remaining in answers if pid == worker)
        assert seen == list(range(1000 - len(seen), 1000))
    assert SHARED.remaining("ada") == 1000


def test_a_process_that_forks_among_threads_in_calls_leaves_no_lock_held() -> None:
    program = """
        import os, threading
        import ratelimit
        limiter = ratelimit.Limiter("1000000/day", max_identities=50)
        stop = False

        def work(name):
            number = 0
            while not stop:
                number += 1
                limiter.check(f"{name}:{number % 40}")
                limiter.check_many([str(one) for one in range(60)])
                limiter.sweep()

        threads = [threading.Thread(target=work, args=(name,)) for name in range(3)]
        for thread in threads:
            thread.start()
        done = 0
        for _ in range(40):
            child = os.fork()
            if child == 0:
                for number in range(200):
                    limiter.check(str(number))
                limiter.clear()
                os._exit(7)
            done += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        stop = True
        for thread in threads:
            thread.join()
        print("children", done)
    """
    assert "children 40" in said(program, "-W", "ignore").splitlines()


def test_a_limiter_may_outlive_the_interpreters_end() -> None:
    program = """
        import atexit
        import ratelimit
        limiter = ratelimit.Limiter("5/day")

        class Last:
            def __init__(self, limiter): self.limiter = limiter
            def __del__(self): print("last", self.limiter.check("ada").remaining)

        keep = Last(limiter)
        keep.again = keep
        atexit.register(lambda: print("exit", limiter.check("ada").remaining))
    """
    assert said(program).splitlines() == ["exit 4", "last 3"]


def test_a_child_that_uses_a_limiter_only_at_its_end_says_nothing_of_what_is_gone() -> None:
    program = """
        import os
        import ratelimit

        class Last:
            limiter = ratelimit.Limiter("5/day")
            def __del__(self): self.limiter.check("ada")

        keep = Last()
        keep.again = keep
        if os.fork():
            os.wait()
    """
    assert said(program, "-W", "ignore") in ("", f"{MESSAGE}\n")


def test_a_thread_that_still_runs_does_not_disturb_the_end() -> None:
    program = """
        import threading
        import ratelimit
        limiter = ratelimit.Limiter("5/day")
        started = threading.Event()

        def forever():
            started.set()
            while True:
                limiter.check("ada")

        threading.Thread(target=forever, daemon=True).start()
        started.wait()
        print("end")
    """
    assert said(program) == "end\n"


def test_a_second_interpreter_is_refused_in_words() -> None:
    program = """
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        import ratelimit
        inner = interpreters.create()
        text = '''
        try:
            import ratelimit
            print("served", ratelimit.Limiter("5/day").check("ada").remaining)
        except ImportError as refused:
            print("refused", refused)
        '''
        import textwrap
        interpreters.run_string(inner, textwrap.dedent(text))
        interpreters.destroy(inner)
        print("alive", ratelimit.Limiter("5/day").check("ada").remaining)
    """
    lines = said(program, "-W", "ignore").splitlines()
    assert re.match("refused module ratelimit.* does not support loading in subinterpreters$", lines[0]), lines
    assert lines[-1] == "alive 4"


def test_the_older_package_beside_ours_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "ratelimit"):
        (tmp_path / "ratelimit_rs-0.1.0.dist-info").mkdir()
        _process.look_for_the_older_package(tmp_path)
        assert caplog.records == []
        (tmp_path / "ratelimit-2.2.1.dist-info").mkdir()
        _process.look_for_the_older_package(tmp_path)
    [record] = caplog.records
    assert (record.name, vars(record)["ratelimit_warning"]) == ("ratelimit", "two_packages")
    assert "uninstall both, then install ratelimit-rs" in record.getMessage()


def test_importing_costs_no_library_that_a_limiter_does_not_need() -> None:
    heavy = ["numpy", "asyncio", "pytest", "opentelemetry", "prometheus_client", "importlib.metadata"]
    program = f"import sys, ratelimit; print([name for name in {heavy!r} if name in sys.modules])"
    assert said(program) == "[]\n"


def test_the_version_is_the_projects() -> None:
    cargo = (Path(__file__).parents[2] / "Cargo.toml").read_text(encoding="utf-8")
    assert f'version = "{ratelimit.__version__}"' in cargo
