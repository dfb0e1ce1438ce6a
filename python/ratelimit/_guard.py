"""The forms of a limiter that raise: the guard of a block, and the decorator of a function."""

import functools
import inspect
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from ._ratelimit import Decision

if TYPE_CHECKING:
    from ._limiter import Key, Limiter

P = ParamSpec("P")
R = TypeVar("R")


class RateLimited(Exception):
    """Says that a guard or a decorated function was refused.

    `decision` is the whole answer, `key` what was limited. `check` and `allow` never raise it: there a refusal is a
    value.

    >>> import ratelimit
    >>> limiter = ratelimit.Limiter("1/minute", clock=ratelimit.ManualClock(15_000))
    >>> with limiter.guard("ada"):
    ...     print("hello")
    hello
    >>> try:
    ...     with limiter.guard("ada"):
    ...         print("not reached")
    ... except ratelimit.RateLimited as refused:
    ...     print(refused, "/", refused.retry_after)
    denied: the limit is 1, try again in 45 s / 45.0
    """

    def __init__(self, decision: Decision, key: "Key") -> None:
        super().__init__(decision, key)
        self.decision = decision
        self.key = key

    @property
    def retry_after(self) -> float | None:
        """The decision's: seconds after which the same call succeeds, or None if waiting never helps."""
        return self.decision.retry_after

    def __str__(self) -> str:
        wait = self.retry_after
        # All its milliseconds: who comes back a moment too early is refused again.
        seconds = "" if wait is None else f"{wait:.3f}".rstrip("0").rstrip(".")
        advice = f"try again in {seconds} s" if seconds else "waiting does not help"
        return f"{self.decision.kind}: the limit is {self.decision.limit}, {advice}"


class Guard:
    """Takes permits on the way into a block; raises RateLimited if they are refused.

    Made by `Limiter.guard`, for `with` and `async with` alike; gives the decision. It may be entered again, and then
    asks again. What was taken stays taken, however the block ends.
    """

    def __init__(self, limiter: "Limiter", key: "Key", cost: int) -> None:
        self._limiter = limiter
        self._key = key
        self._cost = cost

    def __enter__(self) -> Decision:
        return take(self._limiter, self._key, self._cost)

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, at: TracebackType | None
    ) -> None:
        return None

    async def __aenter__(self) -> Decision:
        return take(self._limiter, self._key, self._cost)

    async def __aexit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, at: TracebackType | None
    ) -> None:
        return None


def take(limiter: "Limiter", key: "Key", cost: int) -> Decision:
    """Checks, and raises RateLimited unless it was allowed."""
    decision = limiter.check(key, cost)
    if not decision:
        raise RateLimited(decision, key)
    return decision


def decorate(
    limiter: "Limiter",
    function: Callable[P, R],
    key: "Key | Callable[..., Key] | None",
    cost: int | Callable[..., int],
) -> Callable[P, R]:
    """Wraps a function so that each call takes permits first."""
    if not callable(function):
        raise TypeError(f"function is {type(function).__name__}, must be callable")
    given = name_of(function) if key is None else key

    def enter(args: tuple[Any, ...], options: dict[str, Any]) -> None:
        asked = given(*args, **options) if callable(given) else given
        take(limiter, asked, cost(*args, **options) if callable(cost) else cost)

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def limited_coroutine(*args: P.args, **options: P.kwargs) -> Any:
            enter(args, options)
            return await function(*args, **options)

        return cast(Callable[P, R], limited_coroutine)

    @functools.wraps(function)
    def limited(*args: P.args, **options: P.kwargs) -> R:
        enter(args, options)
        return function(*args, **options)

    return limited


def name_of(function: Callable[..., Any]) -> str:
    """Gives the key of a function that was given none; a partial one and other objects that are called have no name."""
    try:
        return f"{function.__module__}.{function.__qualname__}"
    except AttributeError:
        raise TypeError(f"key is left out, must be given: {type(function).__name__} has no name to count by") from None
