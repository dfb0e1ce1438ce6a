"""The package as a subject of the vectors: by its public names only."""

from collections.abc import Callable
from typing import Any

import ratelimit

# What a call raises, in the words of the vectors.
Failure = dict[str, Any]

FIELDS = ("kind", "policy", "limit", "remaining", "cost", "reset_after_ms", "retry_after_ms", "at_ms")


def number(written: int | str) -> Any:
    """Reads a number; one that no unsigned 64-bit integer holds is written as text."""
    try:
        return int(written)
    except ValueError:
        return float(written)


def key(written: dict[str, Any]) -> ratelimit.Key:
    """Reads a key in the form in which a caller would give it."""
    [(form, value)] = written.items()
    if form == "text":
        return str(value)
    return bytes.fromhex(value) if form == "hex" else tuple(map(bytes.fromhex, value))


def policy(written: dict[str, Any]) -> ratelimit.Policy:
    numbers = {name: number(value) for name, value in written.items() if name != "algorithm"}
    make: Callable[..., ratelimit.Policy] = getattr(ratelimit.Policy, written["algorithm"])
    return make(numbers.pop("capacity" if "capacity" in numbers else "limit"), **numbers)


def make(policies: list[Any], max_identities: Any, clock: ratelimit.ManualClock | None = None) -> ratelimit.Limiter:
    options = {} if max_identities is None else {"max_identities": number(max_identities)}
    return ratelimit.Limiter(map(policy, policies), clock=clock, **options)


def plain(decision: ratelimit.Decision) -> dict[str, Any]:
    return {name: getattr(decision, name) for name in FIELDS}


def plain_policy(one: ratelimit.Policy) -> dict[str, Any]:
    if one.refill is None:
        return {"algorithm": one.algorithm, "limit": one.limit, "window_ms": one.window_ms}
    named = {"capacity": one.limit, "refill": one.refill, "refill_period_ms": one.window_ms}
    return {"algorithm": one.algorithm, **named}


def failure(raised: Any) -> Failure:
    """Gives the error as the vectors write it, without an offset where there is none."""
    told = {"code": raised.code, "name": raised.name, "field": raised.field, "offset": raised.offset}
    return {name: value for name, value in told.items() if value is not None}
