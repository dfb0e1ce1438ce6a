"""Holds one class for each algorithm: what a row stores, and what follows from it at a moment.

A stored state is what was true at the row's clock. `at` says what is true at a later `now` and
changes nothing; every other question is put to the state that `at` returned. All waits are counted
from `now`; the limiter adds what lies between the caller's time and `now`.
"""


def ceil_div(a, b):
    return -(-a // b)


class FixedWindow:
    """Counts permits in windows that are aligned to time 0. A state is the count."""

    def __init__(self, policy):
        self.limit = policy["limit"]
        self.window = policy["window_ms"]
        self.sweep_interval = self.window

    def fresh(self):
        return 0

    def at(self, count, clock, now):
        return count if now // self.window == clock // self.window else 0

    def remaining(self, count):
        return self.limit - count

    def take(self, count, now, cost):
        return count + cost

    def retry_wait(self, count, now, cost):
        return (now // self.window + 1) * self.window - now

    def reset_wait(self, count, now):
        return 0 if count == 0 else self.retry_wait(count, now, 1)

    def idle(self, count):
        return count == 0

    def give_back(self, count, clock, now, at_ms, cost):
        """Returns the stored count after a refund, and how many permits it gave back."""
        if not at_ms // self.window == clock // self.window == now // self.window:
            return count, 0
        back = min(cost, count)
        return count - back, back


class TokenBucket:
    """Holds a level that rises evenly. One permit is refill_period_ms units, one millisecond brings refill units."""

    def __init__(self, policy):
        self.limit = policy["capacity"]
        self.permit = policy["refill_period_ms"]
        self.refill = policy["refill"]
        self.full = self.limit * self.permit
        self.sweep_interval = ceil_div(self.full, self.refill)

    def fresh(self):
        return self.full

    def at(self, level, clock, now):
        return min(self.full, level + (now - clock) * self.refill)

    def remaining(self, level):
        return level // self.permit

    def take(self, level, now, cost):
        return level - cost * self.permit

    def retry_wait(self, level, now, cost):
        return ceil_div(cost * self.permit - level, self.refill)

    def reset_wait(self, level, now):
        return 0 if level == self.full else self.retry_wait(level, now, self.remaining(level) + 1)

    def idle(self, level):
        return level == self.full

    def give_back(self, level, clock, now, at_ms, cost):
        """Returns the stored level after a refund, and how many whole permits it gave back.

        What has already flowed back by itself since at_ms is not given a second time.
        """
        unrefilled = max(0, cost * self.permit - max(0, now - at_ms) * self.refill)
        rise = min(unrefilled, self.full - self.at(level, clock, now))
        return level + rise, rise // self.permit


class SlidingWindow:
    """Keeps a log of (time, permits), oldest first. A state is a tuple of such pairs, no two of one time."""

    def __init__(self, policy):
        self.limit = policy["limit"]
        self.window = policy["window_ms"]
        self.sweep_interval = self.window

    def fresh(self):
        return ()

    def at(self, log, clock, now):
        return tuple(entry for entry in log if now < entry[0] + self.window)

    def remaining(self, log):
        return self.limit - sum(permits for _, permits in log)

    def take(self, log, now, cost):
        if log and log[-1][0] == now:
            return log[:-1] + ((now, log[-1][1] + cost),)
        return log + ((now, cost),)

    def retry_wait(self, log, now, cost):
        free = self.remaining(log)
        for time, permits in log:
            free += permits
            if free >= cost:
                return time + self.window - now
        raise AssertionError("a cost within the limit always fits an empty log")

    def reset_wait(self, log, now):
        return 0 if not log else log[0][0] + self.window - now

    def idle(self, log):
        return not log

    def give_back(self, log, clock, now, at_ms, cost):
        """Returns the stored log after a refund, and how many permits it gave back; an emptied entry is gone."""
        if now >= at_ms + self.window:
            return log, 0
        back = sum(min(cost, permits) for time, permits in log if time == at_ms)
        kept = ((time, permits - back if time == at_ms else permits) for time, permits in log)
        return tuple(entry for entry in kept if entry[1] > 0), back


ALGORITHMS = {"fixed_window": FixedWindow, "token_bucket": TokenBucket, "sliding_window": SlidingWindow}
