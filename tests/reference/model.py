"""Decides as the limiter must, in exact integers: slow, obvious, and written from the semantics alone.

Nothing here is shared with an implementation, so where the two agree two authors agree. Where an
implementation spreads work out (a sweep in slices) the model does it at once, because that must
never show. Every operation is given its time; a clock is not part of the model.
"""

from algorithms import ALGORITHMS
from identity import identity
from policy import DEFAULT_MAX_IDENTITIES, judge_config, judge_number

LONGEST_SWEEP_INTERVAL_MS = 60_000
KINDS = ("allowed", "denied", "saturated", "exceeds_limit")


class Row:
    """Remembers one identity: its one clock, and a state for each policy as it stood at that clock."""

    def __init__(self, clock, states):
        self.clock = clock
        self.states = states


def decision(kind, policy, limit, remaining, cost, reset_after_ms, retry_after_ms, at_ms):
    return {
        "kind": kind,
        "policy": policy,
        "limit": limit,
        "remaining": remaining,
        "cost": cost,
        "reset_after_ms": reset_after_ms,
        "retry_after_ms": retry_after_ms,
        "at_ms": at_ms,
    }


class Limiter:
    def __init__(self, policies, max_identities=None):
        if max_identities is None:
            max_identities = DEFAULT_MAX_IDENTITIES
        judge_config(policies, max_identities)
        self.policies = [ALGORITHMS[policy["algorithm"]](policy) for policy in policies]
        self.max_identities = max_identities
        shortest = min(policy.sweep_interval for policy in self.policies)
        self.sweep_interval = max(1, min(shortest, LONGEST_SWEEP_INTERVAL_MS))
        self.counts = dict.fromkeys(KINDS, 0)
        self.clear()

    # Decisions

    def check(self, key, now_ms, cost=1):
        made = self._decide(key, now_ms, cost, take=True)
        self.counts[made["kind"]] += 1
        return made

    def peek(self, key, now_ms, cost=1):
        return self._decide(key, now_ms, cost, take=False)

    def remaining(self, key, now_ms):
        """Returns the largest cost that check would allow."""
        judge_number("now_ms", now_ms)
        self._sweep_if_due(now_ms)
        row = self.rows.get(identity(key))
        if row is None and self._is_full():
            return 0
        states = self._states(row, self._now(row, now_ms))
        return min(policy.remaining(state) for policy, state in zip(self.policies, states))

    def _decide(self, key, now_ms, cost, take):
        judge_number("now_ms", now_ms)
        judge_number("cost", cost)
        for index, policy in enumerate(self.policies):
            if cost > policy.limit:
                return decision("exceeds_limit", index, policy.limit, 0, cost, 0, None, now_ms)
        self._sweep_if_due(now_ms)
        row = self.rows.get(identity(key))
        if row is None and self._is_full():
            wait = self._next_sweep_at() - now_ms
            return decision("saturated", 0, self.policies[0].limit, 0, cost, wait, wait, now_ms)
        now = self._now(row, now_ms)
        states = self._states(row, now)
        refusing = [i for i, policy in enumerate(self.policies) if policy.remaining(states[i]) < cost]
        if refusing:
            return self._denied(states, refusing, cost, now, now_ms)
        states = [policy.take(state, now, cost) for policy, state in zip(self.policies, states)]
        if take:
            self.rows[identity(key)] = Row(now, states)
        return self._allowed(states, cost, now, now_ms)

    def _allowed(self, states, cost, now, now_ms):
        remaining, reset, index = self._scarcest(states, now)
        return decision("allowed", index, self.policies[index].limit, remaining, cost, now - now_ms + reset, 0, now)

    def _denied(self, states, refusing, cost, now, now_ms):
        remaining, reset, _ = self._scarcest(states, now)
        waits = [(self.policies[i].retry_wait(states[i], now, cost), -i) for i in refusing]
        retry, negated = max(waits)
        limit = self.policies[-negated].limit
        return decision("denied", -negated, limit, remaining, cost, now - now_ms + reset, now - now_ms + retry, now)

    def _scarcest(self, states, now):
        """Returns the smallest remaining, the longest wait among the policies that have it, and the first of those."""
        held = []
        for index, (policy, state) in enumerate(zip(self.policies, states)):
            held.append((policy.remaining(state), -policy.reset_wait(state, now), index))
        remaining, negated, index = min(held)
        return remaining, -negated, index

    # What a caller gives back, and housekeeping

    def refund(self, key, given, now_ms):
        """Returns how many permits a decision gave back: of a stack, the most that one policy got."""
        judge_number("now_ms", now_ms)
        row = self.rows.get(identity(key))
        if given["kind"] != "allowed" or row is None:
            return 0
        if any(given["cost"] > policy.limit for policy in self.policies):
            return 0
        now = self._now(row, now_ms)
        most = 0
        for index, policy in enumerate(self.policies):
            state = row.states[index]
            row.states[index], back = policy.give_back(state, row.clock, now, given["at_ms"], given["cost"])
            most = max(most, back)
        return most

    def reset(self, key):
        return self.rows.pop(identity(key), None) is not None

    def sweep(self, now_ms):
        judge_number("now_ms", now_ms)
        return self._sweep(now_ms)

    def len(self):
        return len(self.rows)

    def stats(self):
        return dict(self.counts)

    def clear(self):
        self.rows = {}
        self.t0 = None
        self.epoch = 0
        self.sweep_time = 0

    # Time, rows and sweeps

    def _now(self, row, now_ms):
        return max(now_ms, self.sweep_time, row.clock if row else 0)

    def _states(self, row, now):
        if row is None:
            return [policy.fresh() for policy in self.policies]
        return [policy.at(state, row.clock, now) for policy, state in zip(self.policies, row.states)]

    def _is_full(self):
        return len(self.rows) >= self.max_identities

    def _next_sweep_at(self):
        return self.t0 + (self.epoch + 1) * self.sweep_interval

    def _sweep_if_due(self, now_ms):
        if self.t0 is None:
            self.t0 = now_ms
        epoch = (now_ms - self.t0) // self.sweep_interval
        if epoch > self.epoch:
            self.epoch = epoch
            self._sweep(now_ms)

    def _sweep(self, now_ms):
        self.sweep_time = max(self.sweep_time, now_ms)
        idle = [name for name, row in self.rows.items() if self._is_idle(row)]
        for name in idle:
            del self.rows[name]
        return len(idle)

    def _is_idle(self, row):
        """Tells whether a row can go unnoticed. One whose clock is ahead cannot: it holds back its key's time."""
        if row.clock > self.sweep_time:
            return False
        states = self._states(row, self.sweep_time)
        return all(policy.idle(state) for policy, state in zip(self.policies, states))
