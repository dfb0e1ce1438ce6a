"""Exact rate limits for any number of keys, in bounded memory.

A limiter decides, key by key, who may go on. It is made once and shared by all threads:

>>> import ratelimit
>>> limiter = ratelimit.Limiter("5/second; 1000/day")
>>> if not limiter.allow("203.0.113.7"):
...     print("slow down")
>>> decision = limiter.check("203.0.113.7")
>>> bool(decision), decision.remaining
(True, 3)

The names `limits`, `rate_limited`, `sleep_and_retry` and `RateLimitException` are those of an older package that was
called `ratelimit` too; they do what they did there.
"""

from . import _interpreter  # noqa: F401  Before all that loads the module in Rust.

# isort: split
from . import _process
from ._guard import Guard, RateLimited
from ._limiter import KINDS, Key, Kind, Limiter, Stats, fixed_window, limit, sliding_window, token_bucket
from ._ratelimit import (
    DEFAULT_MAX_IDENTITIES,
    NEVER,
    Decision,
    DecisionArrays,
    Decisions,
    ManualClock,
    Policy,
    __version__,
)
from .decorators import limits, rate_limited, sleep_and_retry
from .exception import RateLimitException

__all__ = [
    "DEFAULT_MAX_IDENTITIES",
    "KINDS",
    "NEVER",
    "Decision",
    "DecisionArrays",
    "Decisions",
    "Guard",
    "Key",
    "Kind",
    "Limiter",
    "ManualClock",
    "Policy",
    "RateLimitException",
    "RateLimited",
    "Stats",
    "__version__",
    "fixed_window",
    "limit",
    "limits",
    "rate_limited",
    "sleep_and_retry",
    "sliding_window",
    "token_bucket",
]

# Tracebacks and pickles name them as their users do.
for _public in (Guard, Limiter, RateLimited, Stats):
    _public.__module__ = __name__

_process.count_forks()
_process.look_for_the_older_package()
