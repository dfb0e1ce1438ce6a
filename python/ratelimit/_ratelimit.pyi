# What the module in Rust holds. Its documentation stands here for editors, and is compared with the module's own.

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Literal, Protocol, final, overload, type_check_only

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self, disjoint_base

from ._limiter import Key, Kind

__all__ = [
    "DEFAULT_MAX_IDENTITIES",
    "NEVER",
    "Decision",
    "DecisionArrays",
    "Decisions",
    "Limiter",
    "ManualClock",
    "Policy",
    "__version__",
    "_address_of",
    "_command",
    "_forked",
]

DEFAULT_MAX_IDENTITIES: int
NEVER: int
__version__: str

# What numpy's arrays have and lists have not; so numpy need not be there.
@type_check_only
class _Array(Protocol):
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

@disjoint_base
class Limiter:
    """The limiter as core has it; `ratelimit.Limiter` adds what is best said in Python."""

    def __new__(
        cls,
        policies: str | Policy | Iterable[Policy],
        /,
        *,
        max_identities: int = 100000,
        clock: ManualClock | None = None,
    ) -> Self: ...
    def check(self, key: Key, cost: int = 1) -> Decision:
        """Decides now, and takes `cost` permits if allowed.

        `key` is a str (which is its UTF-8), bytes, a bytearray, a memoryview, or a tuple of these, a key of its own
        kind; any other is a TypeError. `cost` is an integer from 1 to 2**32 - 1: another number is a ValueError,
        another type a TypeError. What raised has touched nothing. A refusal is no error: the decision is false then.

        >>> limiter = Limiter("1/hour")
        >>> bool(limiter.check("ada")), bool(limiter.check("ada")), bool(limiter.check(("ada", b"POST")))
        (True, False, True)
        """
    def check_at(self, key: Key, now_ms: int, cost: int = 1) -> Decision:
        """Does what `check` does, at the caller's time `now_ms`: an integer of milliseconds, 0 to 2**52 - 1.

        Time never goes back for a key: an older one mints no permits. A time far in the future freezes keys until then;
        `clear` ends that. So give no time that came from outside.

        >>> Limiter("2/minute").check_at("ada", 15_000, cost=2).reset_after
        45.0
        """
    def allow(self, key: Key, cost: int = 1) -> bool:
        """Does what `check` does, and says only whether it was allowed.

        >>> limiter = Limiter("1/hour")
        >>> limiter.allow("ada"), limiter.allow("ada")
        (True, False)
        """
    @overload
    def check_many(self, keys: _Array, cost: int = 1) -> DecisionArrays:
        """Checks each key in order at one reading of the clock, each on its own, repeats included.

        Takes anything that gives keys one by one, and returns their decisions in their order. Of a numpy array of dtype
        S or uint64 the keys are read where they lie, and the decisions are returned as arrays. A key or a cost that is
        wrong raises as in `check`, and then no key was touched.

        >>> limiter = Limiter("2/hour")
        >>> [decision.remaining for decision in limiter.check_many(["ada", "bob", "ada"])]
        [1, 1, 0]
        """
    @overload
    def check_many(self, keys: Iterable[Key], cost: int = 1) -> Decisions: ...
    def peek(self, key: Key, cost: int = 1) -> Decision:
        """Returns what `check` would, and takes nothing.

        >>> limiter = Limiter("2/hour")
        >>> limiter.peek("ada").remaining, limiter.peek("ada").remaining, len(limiter)
        (1, 1, 0)
        """
    def peek_at(self, key: Key, now_ms: int, cost: int = 1) -> Decision:
        """Does what `peek` does, at the caller's time `now_ms`."""
    def remaining(self, key: Key) -> int:
        """Returns the largest cost that `check` would allow now; 0 if none, also for a new key that finds no room.

        A snapshot: other threads may take permits before its answer is read. To take, `check`.

        >>> limiter = Limiter("5/hour")
        >>> bool(limiter.check("ada", 2)), limiter.remaining("ada")
        (True, 3)
        """
    def remaining_at(self, key: Key, now_ms: int) -> int:
        """Does what `remaining` does, at the caller's time `now_ms`."""
    def refund(self, key: Key, decision: Decision) -> int:
        """Gives back what an allowed decision took, while its window, log entry or unrefilled level still holds it.

        Returns the permits given back: 0 for any other decision, or when time has given them back already. Nothing
        rises above its limit, however often a decision is refunded.

        >>> limiter = Limiter("2/hour")
        >>> decision = limiter.check("ada")
        >>> limiter.refund("ada", decision), limiter.remaining("ada")
        (1, 2)
        """
    def refund_at(self, key: Key, decision: Decision, now_ms: int) -> int:
        """Does what `refund` does, at the caller's time `now_ms`."""
    def reset(self, key: Key) -> bool:
        """Forgets a key, and all it owes; says whether it had a row.

        >>> limiter = Limiter("1/hour")
        >>> limiter.allow("ada"), limiter.reset("ada"), limiter.allow("ada"), limiter.reset("bob")
        (True, True, True, False)
        """
    def sweep(self) -> int:
        """Removes every row that owes nothing any more, and returns how many.

        Sweeps also fall due by themselves, and then go on in small slices with the calls that follow; rows that such a
        sweep was still to remove are not counted here.

        >>> clock = ManualClock()
        >>> limiter = Limiter("1/second", clock=clock)
        >>> limiter.allow("ada"), limiter.sweep()
        (True, 0)
        >>> clock.advance(1_000)
        >>> limiter.sweep()
        1
        """
    def sweep_at(self, now_ms: int) -> int:
        """Does what `sweep` does, at the caller's time `now_ms`: no key is decided at an earlier time after it."""
    def clear(self) -> None:
        """Forgets every key and every time seen; the counts of `stats` stay."""
    def _counts(self) -> tuple[int, int, int, int]:
        """The decisions counted since the limiter was made: allowed, denied, saturated, exceeds_limit."""
    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies, in the order that a decision's `policy` counts them."""
    @property
    def max_identities(self) -> int:
        """How many keys may have a row; a new key beyond them is answered `"saturated"`."""
    def __len__(self) -> int: ...
    def __bool__(self) -> Literal[True]: ...

@final
class Policy:
    """States how many permits a key may take, and when it gets new ones.

    Made from text or by one of three functions. Plain data: whether its numbers are in their ranges is judged when a
    limiter is made of it, and when it is pickled. Frozen, comparable, hashable. Several make a stack:

    >>> from ratelimit import Limiter, Policy
    >>> burst, day = Policy.token_bucket(10, refill_per_second=1), Policy("1000/day")
    >>> Limiter([burst, day])
    Limiter('bucket 10 + 1/second; fixed 1000/day', max_identities=100000)
    """

    def __new__(cls, text: str, /) -> Self: ...
    @staticmethod
    def fixed_window(limit: int, *, per_seconds: int | None = None, window_ms: int | None = None) -> Policy:
        """Allows `limit` permits in each window.

        Windows are aligned to the clock's zero, so up to twice the limit passes around the boundary of two.
        The window is given in whole seconds or in milliseconds, up to 366 days.
        """
    @staticmethod
    def sliding_window(limit: int, *, per_seconds: int | None = None, window_ms: int | None = None) -> Policy:
        """Allows `limit` permits in any span of the window, exactly; remembers each grant.

        The window is given in whole seconds or in milliseconds, up to 366 days. The smaller of `limit` and the window
        in milliseconds is at most 100,000.
        """
    @staticmethod
    def token_bucket(
        capacity: int,
        *,
        refill_per_second: int | None = None,
        refill: int | None = None,
        refill_period_ms: int | None = None,
    ) -> Policy:
        """Allows `capacity` permits at once, and then as many as flow back: `refill_per_second`, or `refill` every
        `refill_period_ms`, spread evenly.
        """
    @property
    def algorithm(self) -> Literal["fixed_window", "token_bucket", "sliding_window"]:
        """How it counts: `"fixed_window"`, `"token_bucket"` or `"sliding_window"`."""
    @property
    def limit(self) -> int:
        """Permits in a window, or that a bucket holds (its capacity)."""
    @property
    def window_ms(self) -> int:
        """Length in milliseconds of a window, or of a bucket's refill period."""
    @property
    def refill(self) -> int | None:
        """Permits that a bucket gains every window_ms; None for windows."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str]: ...

@final
class Decision:
    """Tells whether a call was allowed, what is left, and when to come back. True if and only if it was allowed.

    Frozen, comparable, hashable and picklable. Waits are counted from the call's own time. A refusal is a value, not
    an exception, and takes nothing. Limiters make decisions; one made by hand, by keywords, is for tests.

    >>> import ratelimit
    >>> limiter = ratelimit.Limiter("1/minute")
    >>> decision = limiter.check_at("ada", 15_000)
    >>> bool(decision), decision.remaining
    (True, 0)
    >>> match limiter.check_at("ada", 15_001):
    ...     case ratelimit.Decision(kind="denied", retry_after=seconds):
    ...         print(f"come back in {seconds} s")
    come back in 44.999 s
    """

    __match_args__ = ("kind", "remaining", "retry_after", "reset_after")

    def __new__(
        cls,
        *,
        kind: Kind,
        policy: int,
        limit: int,
        remaining: int,
        cost: int,
        reset_after_ms: int,
        retry_after_ms: int | None,
        at_ms: int,
    ) -> Self: ...
    @property
    def kind(self) -> Kind:
        """Which of the four answers this is: `"allowed"`, `"denied"`, `"saturated"` or `"exceeds_limit"`."""
    @property
    def allowed(self) -> bool:
        """Whether the permits were taken (or, for a peek, could be)."""
    @property
    def policy(self) -> int:
        """Index of the policy that the decision speaks of; 0 when saturated, the first that is exceeded when
        exceeds_limit.
        """
    @property
    def limit(self) -> int:
        """The limit or capacity of that policy."""
    @property
    def remaining(self) -> int:
        """Permits that could still be taken at once, the smallest over the policies.

        0 when saturated or exceeds_limit.
        """
    @property
    def cost(self) -> int:
        """The permits that were asked for."""
    @property
    def reset_after(self) -> float:
        """Seconds until `remaining` next goes up: `reset_after_ms / 1000`."""
    @property
    def retry_after(self) -> float | None:
        """Seconds after which the same call succeeds if nobody else takes permits: `retry_after_ms / 1000`, or None."""
    @property
    def reset_after_ms(self) -> int:
        """Milliseconds until `remaining` next goes up; 0 if it is full.

        Saturated: as retry_after_ms. Exceeds_limit: 0.
        """
    @property
    def retry_after_ms(self) -> int | None:
        """The least wait in milliseconds after which the same call succeeds if nobody else takes permits.

        0 when allowed, the time until the next sweep when saturated, None when exceeds_limit: waiting never helps then.
        """
    @property
    def at_ms(self) -> int:
        """The time that was used, in milliseconds: the greatest of the call's, that of the key's last allowed call and
        that of the last sweep. Saturated and exceeds_limit: the call's.
        """
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...

@final
class Decisions:
    """The decisions that check_many makes of keys, in the order of the keys.

    Indexed, sliced, iterated and compared as a list of them; frozen. Each becomes an object when it is read, so that
    those nobody reads cost little. Pickled, it becomes a list.

    >>> decisions = Limiter("2/hour").check_many(["ada", "bob", "ada"])
    >>> len(decisions), decisions[-1].remaining, [bool(decision) for decision in decisions]
    (3, 0, [True, True, True])
    """

    def __len__(self) -> int: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @overload
    def __getitem__(self, index: int, /) -> Decision: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Decision]: ...
    def __iter__(self) -> Iterator[Decision]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[type[list[Decision]], tuple[list[Decision]]]: ...

@final
class DecisionArrays:
    """The decisions that check_many makes of an array of keys: one array for each field, in the order of the keys."""

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """Whether the permits were taken; of dtype bool."""
    @property
    def kind(self) -> NDArray[np.uint8]:
        """Which of the four answers each is, as an index into `KINDS`; of dtype uint8."""
    @property
    def policy(self) -> NDArray[np.uint8]:
        """Index of the policy that each speaks of; of dtype uint8."""
    @property
    def limit(self) -> NDArray[np.uint32]:
        """The limit or capacity of that policy; of dtype uint32."""
    @property
    def remaining(self) -> NDArray[np.uint32]:
        """Permits that could still be taken at once; of dtype uint32."""
    @property
    def reset_after_ms(self) -> NDArray[np.uint64]:
        """Milliseconds until `remaining` next goes up; of dtype uint64."""
    @property
    def retry_after_ms(self) -> NDArray[np.uint64]:
        """The least wait in ms after which the same call succeeds, `NEVER` where none does; of dtype uint64."""
    @property
    def at_ms(self) -> NDArray[np.uint64]:
        """The time that was used, in milliseconds; of dtype uint64."""
    @property
    def cost(self) -> int:
        """The permits that were asked for, of each key alike."""
    def __len__(self) -> int: ...

@final
class ManualClock:
    """Stands still until it is told to move: the clock for tests, given to a limiter as `clock`.

    Times are integers of milliseconds, 0 to 2**52 - 1; any other value is a TypeError or a ValueError and moves
    nothing. Several limiters may share one clock.

    >>> import ratelimit
    >>> clock = ratelimit.ManualClock()
    >>> limiter = ratelimit.Limiter("1/second", clock=clock)
    >>> limiter.allow("ada"), limiter.allow("ada")
    (True, False)
    >>> clock.advance(1_000)
    >>> limiter.allow("ada")
    True
    """

    def __new__(cls, now_ms: int = 0) -> Self: ...
    @property
    def now_ms(self) -> int:
        """Reads the time."""
    def set(self, now_ms: int) -> None:
        """Sets the time, forwards or back."""
    def advance(self, ms: int) -> None:
        """Moves the time on by so many milliseconds."""

def _address_of(keys: _Array) -> int | None:
    """Returns where check_many reads the keys of an array: the array's own address if nothing was copied."""

def _command(arguments: Sequence[str]) -> int:
    """Runs the command with these arguments, the first of which is its own name, and returns the exit status.

    It reads and writes the process's own streams, and lets other threads run meanwhile.
    """

def _forked() -> None:
    """Counts a fork: Python calls it in each child."""
