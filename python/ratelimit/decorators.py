"""The decorators of the older package `ratelimit`, counted by this one; in the place where they were."""

import functools
import math
import os
import threading
import time
import weakref
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from ._ratelimit import Limiter, Policy
from .exception import RateLimitException

P = ParamSpec("P")
R = TypeVar("R")

now = time.monotonic
# What the engine counts to. More calls than that within one period are not to be made.
MOST_CALLS = 2**32 - 1
# The period is the decorator's to watch, since it begins when the decorator is made and may have any length: each has
# a new row in a window that does not end by itself.
WHOLE_TIME_MS = 366 * 24 * 60 * 60 * 1000


class RateLimitDecorator:
    """Lets a function be called `calls` times in `period` seconds, counted from when the decorator is made.

    One call too many raises RateLimitException or, without `raise_on_limit`, does nothing and returns None. `clock`
    is a function that returns seconds.

    >>> from ratelimit import limits, RateLimitException
    >>> @limits(calls=1, period=900, clock=lambda: 0.0)
    ... def call_api() -> str:
    ...     return "called"
    >>> call_api()
    'called'
    >>> try:
    ...     call_api()
    ... except RateLimitException as refused:
    ...     print(refused, refused.period_remaining)
    too many calls 900.0
    """

    def __init__(
        self,
        calls: float = 15,
        period: float = 900,
        clock: Callable[[], float] = now,
        raise_on_limit: bool = True,
    ) -> None:
        self.clamped_calls = max(1, min(MOST_CALLS, math.floor(calls)))
        self.period = period
        self.clock = clock
        self.raise_on_limit = raise_on_limit
        self._limiter = Limiter(Policy.fixed_window(self.clamped_calls, window_ms=WHOLE_TIME_MS), max_identities=1)
        self._lock = threading.RLock()
        self.last_reset = clock()
        made.add(self)

    def __call__(self, func: Callable[P, R]) -> Callable[P, R]:
        """Returns a function that counts its calls and then calls `func`."""

        @functools.wraps(func)
        def wrapper(*args: P.args, **kargs: P.kwargs) -> R:
            with self._lock:
                period_remaining = self.period - (self.clock() - self.last_reset)
                if period_remaining <= 0:
                    self._limiter.clear()
                    self.last_reset = self.clock()
                allowed = self._limiter.check_at("", 0).allowed
            if allowed:
                return func(*args, **kargs)
            if self.raise_on_limit:
                raise RateLimitException("too many calls", period_remaining)
            return cast(R, None)

        return wrapper


def sleep_and_retry(func: Callable[P, R]) -> Callable[P, R]:
    """Returns a function that calls `func` until it is not refused, and sleeps as long as each refusal says."""

    @functools.wraps(func)
    def wrapper(*args: P.args, **kargs: P.kwargs) -> R:
        while True:
            try:
                return func(*args, **kargs)
            except RateLimitException as exception:
                time.sleep(exception.period_remaining)

    return wrapper


made: "weakref.WeakSet[RateLimitDecorator]" = weakref.WeakSet()


def make_locks() -> None:
    """Gives each decorator a new lock, in a child: another thread may have held the old one when the process forked."""
    for decorator in made:
        decorator._lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=make_locks)

limits = RateLimitDecorator
rate_limited = RateLimitDecorator
