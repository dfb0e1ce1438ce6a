"""The limiter of the package: the one in Rust, with what is best said in Python."""

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, ParamSpec, TypeAlias, TypeVar

from . import _ratelimit
from ._guard import Guard, decorate
from ._ratelimit import DEFAULT_MAX_IDENTITIES, ManualClock, Policy

P = ParamSpec("P")
R = TypeVar("R")

Part: TypeAlias = str | bytes | bytearray | memoryview
Key: TypeAlias = Part | tuple[Part, ...]
"""What is limited: text (which is its UTF-8), bytes, or a tuple of these, a key of its own kind."""

Kind: TypeAlias = Literal["allowed", "denied", "saturated", "exceeds_limit"]
"""Which of the four answers a decision is."""

KINDS: tuple[Kind, ...] = ("allowed", "denied", "saturated", "exceeds_limit")
"""The four answers, in the order of their numbers."""


class Stats(NamedTuple):
    """Counts a limiter's decisions by kind, since it was made. Peeks count nothing."""

    allowed: int
    denied: int
    saturated: int
    exceeds_limit: int


class Limiter(_ratelimit.Limiter):
    """Decides who may go on: one policy, or a stack of up to four, over at most `max_identities` keys.

    `policies` is text (`"100/minute"`, `"5/second; 1000/day"`, `"sliding 30/10s"`, `"bucket 10 + 1/s"`), a Policy or a
    list of Policies. Made once and shared by all threads; it starts none of its own. It is always true, also when it
    holds no key. Text that is no limit and numbers out of their range are a ValueError, other types a TypeError.

    >>> from ratelimit import Limiter
    >>> limiter = Limiter("2/minute", max_identities=50_000)
    >>> limiter.check_at("ada", 0).remaining, limiter.check_at("ada", 0).remaining
    (1, 0)
    >>> refused = limiter.check_at("ada", 15_500)
    >>> bool(refused), refused.kind, refused.retry_after
    (False, 'denied', 44.5)
    >>> Limiter("5 per fortnight")
    Traceback (most recent call last):
    ValueError: policies: expected a number or a unit: ms, s, m, h or d (at offset 6)
    """

    __slots__ = ()

    def stats(self) -> Stats:
        """Returns how many decisions of each kind there were since the limiter was made.

        >>> limiter = Limiter("1/day")
        >>> limiter.allow("ada"), limiter.allow("ada")
        (True, False)
        >>> limiter.stats()
        Stats(allowed=1, denied=1, saturated=0, exceeds_limit=0)
        """
        return Stats(*self._counts())

    def guard(self, key: Key, cost: int = 1) -> Guard:
        """Guards a block, by `with` or `async with`: takes `cost` permits on the way in, or raises RateLimited.

        >>> limiter = Limiter("10/minute")
        >>> with limiter.guard("ada", cost=3) as decision:
        ...     decision.remaining
        7
        """
        return Guard(self, key, cost)

    def limit(
        self, *, key: Key | Callable[..., Key] | None = None, cost: int | Callable[..., int] = 1
    ) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Decorates a function, plain or async: each call takes permits first, or raises RateLimited.

        `key` and `cost` are values, or functions that are given the call's arguments. Without a key all calls of the
        function count together.

        >>> limiter = Limiter("2/hour")
        >>> @limiter.limit(key=lambda user: user)
        ... def greet(user: str) -> str:
        ...     return f"hello {user}"
        >>> greet("ada"), limiter.remaining("ada")
        ('hello ada', 1)
        """

        def decorator(function: Callable[P, R]) -> Callable[P, R]:
            return decorate(self, function, key, cost)

        return decorator


def limit(
    policies: str | Policy | Iterable[Policy],
    *,
    key: Key | Callable[..., Key] | None = None,
    cost: int | Callable[..., int] = 1,
    max_identities: int = DEFAULT_MAX_IDENTITIES,
    clock: ManualClock | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorates a function with a limiter of its own: as `Limiter(policies).limit(key=key, cost=cost)`.

    >>> import ratelimit
    >>> @ratelimit.limit("1/hour", key=lambda user, text: user)
    ... def send(user: str, text: str) -> None:
    ...     print(f"to {user}: {text}")
    >>> send("ada", "hello")
    to ada: hello
    >>> send("ada", "hello again")
    Traceback (most recent call last):
    ratelimit.RateLimited: denied: the limit is 1, try again in ... s
    """
    return Limiter(policies, max_identities=max_identities, clock=clock).limit(key=key, cost=cost)


def fixed_window(
    limit: int,
    *,
    per_seconds: int | None = None,
    window_ms: int | None = None,
    max_identities: int = DEFAULT_MAX_IDENTITIES,
    clock: ManualClock | None = None,
) -> Limiter:
    """Makes a limiter that allows `limit` permits in each window; the window is given in seconds or in milliseconds.

    Windows are aligned to the clock, so up to twice the limit passes around the boundary of two.

    >>> fixed_window(limit=100, per_seconds=60)
    Limiter('fixed 100/minute', max_identities=100000)
    """
    policy = Policy.fixed_window(limit, per_seconds=per_seconds, window_ms=window_ms)
    return Limiter(policy, max_identities=max_identities, clock=clock)


def sliding_window(
    limit: int,
    *,
    per_seconds: int | None = None,
    window_ms: int | None = None,
    max_identities: int = DEFAULT_MAX_IDENTITIES,
    clock: ManualClock | None = None,
) -> Limiter:
    """Makes a limiter that allows `limit` permits in any span of the window, exactly.

    >>> sliding_window(limit=3, window_ms=3_600_000)
    Limiter('sliding 3/hour', max_identities=100000)
    """
    policy = Policy.sliding_window(limit, per_seconds=per_seconds, window_ms=window_ms)
    return Limiter(policy, max_identities=max_identities, clock=clock)


def token_bucket(
    capacity: int,
    *,
    refill_per_second: int | None = None,
    refill: int | None = None,
    refill_period_ms: int | None = None,
    max_identities: int = DEFAULT_MAX_IDENTITIES,
    clock: ManualClock | None = None,
) -> Limiter:
    """Makes a limiter that allows `capacity` permits at once, then as many as flow back, spread evenly.

    >>> token_bucket(capacity=10, refill_per_second=1)
    Limiter('bucket 10 + 1/second', max_identities=100000)
    >>> token_bucket(capacity=10, refill=1, refill_period_ms=6_000)
    Limiter('bucket 10 + 1/6s', max_identities=100000)
    """
    policy = Policy.token_bucket(
        capacity, refill_per_second=refill_per_second, refill=refill, refill_period_ms=refill_period_ms
    )
    return Limiter(policy, max_identities=max_identities, clock=clock)
