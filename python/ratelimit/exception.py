"""The exception of the older package `ratelimit`, in the place where it was."""

from typing import Any


class RateLimitException(Exception):
    """Says that a function was called too often; `period_remaining` is the seconds until it may be called again."""

    def __init__(self, message: str, period_remaining: float) -> None:
        super().__init__(message)
        self.period_remaining = period_remaining

    def __reduce__(self) -> tuple[type["RateLimitException"], tuple[Any, ...]]:
        return type(self), (*self.args, self.period_remaining)
