"""Judges a configuration: the range of every number, and the two rules that tie numbers together.

A policy is plain data, the same dictionary that a vector holds:

    {"algorithm": "fixed_window", "limit": 5, "window_ms": 1000}
    {"algorithm": "sliding_window", "limit": 5, "window_ms": 1000}
    {"algorithm": "token_bucket", "capacity": 5, "refill": 1, "refill_period_ms": 1000}
"""

from refusal import BUCKET_TOO_LARGE, NOT_AN_INTEGER, NOT_WHOLE_MILLISECONDS
from refusal import OUT_OF_RANGE, POLICY_COUNT, SLIDING_LOG_TOO_LONG, Refused

MAX_U32 = 2**32 - 1
MAX_WINDOW_MS = 366 * 24 * 60 * 60 * 1000
MAX_NOW_MS = 2**52 - 1
MAX_BUCKET_UNITS = 2**52
MAX_SLIDING_LOG = 100_000
MAX_POLICIES = 4
DEFAULT_MAX_IDENTITIES = 100_000

RANGES = {
    "limit": (0, MAX_U32),
    "capacity": (0, MAX_U32),
    "window_ms": (1, MAX_WINDOW_MS),
    "refill": (1, MAX_U32),
    "refill_period_ms": (1, MAX_WINDOW_MS),
    "cost": (1, MAX_U32),
    "now_ms": (0, MAX_NOW_MS),
    "max_identities": (1, MAX_U32),
}

DURATIONS = ("window_ms", "refill_period_ms")

FIELDS = {
    "fixed_window": ("limit", "window_ms"),
    "sliding_window": ("limit", "window_ms"),
    "token_bucket": ("capacity", "refill", "refill_period_ms"),
}


def whole_number(field, value):
    """Returns the value as an int; a vector writes as text what no unsigned 64-bit number holds."""
    if type(value) is int:
        return value
    if isinstance(value, str) and value.lstrip("-").isdigit():
        return int(value)
    raise Refused(NOT_WHOLE_MILLISECONDS if field in DURATIONS else NOT_AN_INTEGER, field)


def judge_number(field, value):
    """Refuses a number outside its field's range."""
    least, most = RANGES[field]
    if not least <= whole_number(field, value) <= most:
        raise Refused(OUT_OF_RANGE, field)


def judge_policy(policy):
    """Refuses a policy for its first number that is wrong, then for its numbers taken together."""
    algorithm = policy["algorithm"]
    for field in FIELDS[algorithm]:
        judge_number(field, policy[field])
    if algorithm == "sliding_window" and min(policy["limit"], policy["window_ms"]) > MAX_SLIDING_LOG:
        raise Refused(SLIDING_LOG_TOO_LONG, "limit")
    if algorithm == "token_bucket" and policy["capacity"] * policy["refill_period_ms"] > MAX_BUCKET_UNITS:
        raise Refused(BUCKET_TOO_LARGE, "capacity")


def judge_config(policies, max_identities):
    """Refuses a configuration: how many policies, then each in order, then the cap."""
    if not 1 <= len(policies) <= MAX_POLICIES:
        raise Refused(POLICY_COUNT, "policies")
    for policy in policies:
        judge_policy(policy)
    judge_number("max_identities", max_identities)
