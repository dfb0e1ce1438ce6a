"""What type checkers see: mypy and pyright read this file, and each `assert_type` has to hold."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import ratelimit
from ratelimit import Decision, DecisionArrays, Decisions, Limiter, RateLimited, Stats

limiter = Limiter("5/second")

assert_type(limiter.check("ada"), Decision)
assert_type(limiter.check(("ada", b"x", memoryview(b"y")), cost=2), Decision)
assert_type(limiter.allow(b"ada"), bool)
assert_type(limiter.check_many(["ada", b"bob", ("c", "d")]), Decisions)
names: NDArray[np.bytes_] = np.array([b"ada"])
assert_type(list(limiter.check_many(["ada"])), list[Decision])
assert_type(limiter.check_many(["ada"])[0], Decision)
assert_type(limiter.check_many(["ada"])[:1], list[Decision])
assert_type(limiter.check_many(names), DecisionArrays)
assert_type(limiter.check_many(names).remaining, NDArray[np.uint32])
assert_type(limiter.stats(), Stats)
assert_type(limiter.check("ada").kind, Literal["allowed", "denied", "saturated", "exceeds_limit"])
assert_type(limiter.check("ada").retry_after, float | None)
assert_type(ratelimit.fixed_window(5, per_seconds=1), Limiter)


@limiter.limit(key=lambda user, text: user)
def send(user: str, text: str = "") -> int:
    return len(user + text)


@ratelimit.limit("5/minute")
async def fetch(url: str, *, retries: int = 3) -> bytes:
    return url.encode() * retries


@ratelimit.sleep_and_retry
@ratelimit.limits(calls=15, period=900)
def call_api(url: str) -> str:
    return url


class Client:
    """Has a method under a limit."""

    @limiter.limit(key=lambda self, number: self.name)
    def call(self, number: int) -> list[int]:
        return [number]

    name = "client"


# What is not as it was declared is an error of the checker, and so is an error that is not there.
send(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
send("ada", "hello", "more")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
limiter.check(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
assert_type(send("ada", text="hello"), int)
assert_type(call_api("url"), str)
assert_type(Client().call(5), list[int])
needs: Callable[[str], Awaitable[bytes]] = fetch


async def run() -> None:
    """Awaits, and enters a guard in both ways."""
    assert_type(await fetch("url", retries=1), bytes)
    with limiter.guard("ada") as decision:
        assert_type(decision, Decision)
    try:
        async with limiter.guard("ada", cost=2) as decision:
            assert_type(decision.limit, int)
    except RateLimited as refused:
        assert_type(refused.decision, Decision)


def advise(decision: Decision) -> Any:
    """Matches, each kind once: a checker knows that no other is left."""
    match decision.kind:
        case "allowed":
            return decision.remaining
        case "denied" | "saturated":
            return decision.retry_after
        case "exceeds_limit":
            return None
