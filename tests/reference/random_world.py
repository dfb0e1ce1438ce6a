"""Makes random worlds: small limits and windows so that everything happens, and some numbers as large as can be.

Most have a few keys and a cap of at most 8; a few have a crowd of keys, which gives a sweep more rows than one slice.
"""

import hashlib

from case import World, bucket, fixed, sliding
from dice import Dice
from policy import MAX_BUCKET_UNITS, MAX_NOW_MS, MAX_SLIDING_LOG, MAX_U32, MAX_WINDOW_MS

LENGTHS = (1, 2, 3, 7, 10, 50, 97, 100, 250, 1000, 1000, 1000, 1500, 4000, 60_000, 90_000)
LIMITS = (1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12)
STARTS = (0, 0, 1, 999, 59_990, 1_700_000_000_123)

OPS = (
    ("check", 56),
    ("peek", 7),
    ("remaining", 6),
    ("refund", 9),
    ("reset", 4),
    ("sweep", 5),
    ("len", 4),
    ("stats", 3),
    ("clear", 2),
    ("error", 2),
)

TIMES = (
    ("stand", 56),
    ("step", 20),
    ("boundary", 7),
    ("jump", 8),
    ("back", 7),
    ("far back", 2),
)

LONG = b"long key " * 9
KEYS = [
    {"text": "a"},
    {"hex": "ff00"},
    {"parts": ["61", "62"]},
    {"text": "né"},
    {"text": "1:a1:b"},
    {"hex": LONG.hex()},
    {"hex": hashlib.sha256(LONG).hexdigest()},
    {"parts": [LONG.hex(), ""]},
    {"text": ""},
    {"parts": []},
    {"text": hashlib.sha256(LONG).hexdigest()},
    {"hex": "6b" * 64},
]


def small_policy(dice):
    algorithm = dice.below(3)
    limit = 0 if dice.chance(1) else dice.one_of(LIMITS)
    length = dice.one_of(LENGTHS)
    if algorithm == 0:
        return fixed(limit, length)
    if algorithm == 1:
        return bucket(limit, dice.one_of((1, 1, 2, 3, 5, 7, 10)), length)
    return sliding(limit, length)


def large_policy(dice):
    algorithm = dice.below(3)
    limit = MAX_U32 - dice.spread(0, 3)
    length = MAX_WINDOW_MS - dice.spread(0, 1000)
    if algorithm == 0:
        return fixed(limit, length)
    if algorithm == 1:
        period = dice.spread(1, MAX_WINDOW_MS)
        return bucket(min(MAX_U32, MAX_BUCKET_UNITS // period), dice.spread(1, MAX_U32), period)
    if dice.chance(50):
        return sliding(limit, MAX_SLIDING_LOG)
    return sliding(MAX_SLIDING_LOG, length)


class Traffic:
    """Chooses each next step of a world by what the model has answered so far."""

    def __init__(self, dice, world, keys, start):
        self.dice = dice
        self.world = world
        self.keys = keys
        self.now = start
        self.refused = None
        self.spell = max(1, max(policy.get("window_ms", policy.get("refill_period_ms")) for policy in world.policies))
        self.limit = min(policy.get("limit", policy.get("capacity")) for policy in world.policies)
        self.granted = []

    def move_time(self):
        dice = self.dice
        move = dice.weighted(TIMES)
        now = self.now
        if move == "step":
            now += dice.spread(1, self.spell)
        elif move == "boundary":
            now = (now // self.spell + 1) * self.spell - dice.below(2)
        elif move == "jump":
            now += dice.between(1, 5) * self.spell + dice.below(self.spell)
        elif move == "back":
            now -= dice.spread(1, self.spell)
        elif move == "far back":
            now -= dice.between(1, 5) * self.spell
        self.now = max(0, min(MAX_NOW_MS, now))

    def cost(self):
        dice = self.dice
        if dice.chance(66):
            return 1
        if dice.chance(12):
            return min(MAX_U32, self.limit + dice.between(1, 2))
        return max(1, dice.spread(1, max(1, self.limit)) if dice.chance(60) else self.limit)

    def step(self):
        op = self.dice.weighted(OPS)
        getattr(self, op)()

    def check(self):
        if self.refused and self.dice.chance(40):
            key, cost, retry_at = self.refused
            self.now = min(MAX_NOW_MS, retry_at - self.dice.below(2))
        else:
            key, cost = self.dice.one_of(self.keys), self.cost()
            self.move_time()
        number = self.world.check(self.now, None, key, cost)
        made = self.world.steps[number]["expect"]
        if made["kind"] == "allowed":
            self.granted.append((number, key))
        if made["kind"] in ("denied", "saturated"):
            self.refused = (key, cost, self.now + made["retry_after_ms"])
        else:
            self.refused = None

    def peek(self):
        self.move_time()
        self.world.peek(self.now, None, self.dice.one_of(self.keys), self.cost())

    def remaining(self):
        self.move_time()
        self.world.remaining(self.now, None, self.dice.one_of(self.keys))

    def refund(self):
        dice = self.dice
        if not self.granted or dice.chance(6):
            return self.refund_invented()
        recent = self.granted[-6:] if dice.chance(80) else self.granted
        number, key = dice.one_of(recent)
        if dice.chance(35):
            self.move_time()
        self.world.refund(number, self.now, None, dice.one_of(self.keys) if dice.chance(10) else key)

    def refund_invented(self):
        """Gives back a decision that was never made here, or one that took nothing."""
        dice = self.dice
        kind = dice.weighted((("allowed", 7), ("denied", 1), ("saturated", 1), ("exceeds_limit", 1)))
        at_ms = max(0, min(MAX_NOW_MS, self.now + dice.between(-2, 2) * dice.spread(0, self.spell)))
        made = {
            "kind": kind,
            "policy": 0,
            "limit": self.limit,
            "remaining": 0,
            "cost": self.cost(),
            "reset_after_ms": 1,
            "retry_after_ms": None if kind == "exceeds_limit" else 0,
            "at_ms": at_ms,
        }
        self.world.refund(made, self.now, None, dice.one_of(self.keys))

    def reset(self):
        self.world.reset(None, self.dice.one_of(self.keys))

    def sweep(self):
        self.move_time()
        self.world.sweep(self.now)

    def len(self):
        self.world.len()

    def stats(self):
        self.world.stats()

    def clear(self):
        self.world.clear()

    def error(self):
        dice = self.dice
        key = dice.one_of(self.keys)
        late = dice.one_of((MAX_NOW_MS + 1, 2**64 - 1))
        call = dice.below(4)
        if call == 0:
            self.world.check(self.now, None, key, dice.one_of((0, MAX_U32 + 1, 2**64 - 1)))
        elif call == 1:
            self.world.peek(late, None, key, dice.below(2))
        elif call == 2:
            self.world.remaining(late, None, key)
        else:
            self.world.sweep(late)


def few_keys(dice):
    first = dice.below(len(KEYS))
    return [KEYS[(first + offset) % len(KEYS)] for offset in range(1 + dice.spread(0, 11))]


def fill(dice, traffic):
    """Lets every key of a crowd come once, so that there are many rows for one sweep."""
    for key in traffic.keys:
        traffic.now += dice.chance(10)
        traffic.world.check(min(MAX_NOW_MS, traffic.now), None, key)


def random_world(seed, index, make_policies=None, most_steps=200):
    """Makes world number `index` of a seed; it depends on no other world."""
    dice = Dice(seed, index)
    large = dice.chance(8)
    crowd = dice.chance(4) and not make_policies
    count = dice.weighted(((1, 60), (2, 20), (3, 10), (4, 10)))
    if make_policies:
        policies = make_policies(dice)
    else:
        policies = [large_policy(dice) if large and dice.chance(80) else small_policy(dice) for _ in range(count)]
    keys = [{"text": f"key {number}"} for number in range(dice.between(20, 140))] if crowd else few_keys(dice)
    most_rows = 140 if crowd else 8
    cap = dice.between(1, most_rows) if dice.chance(90) else None
    start = MAX_NOW_MS - dice.spread(1, 2**40) if dice.chance(6) else dice.one_of(STARTS)
    why = f"Random world {index} of seed {seed}: {len(policies)} policies, {len(keys)} keys, cap {cap or 'default'}."
    world = World(f"random-{seed}-{index}", why, policies, cap)
    traffic = Traffic(dice, world, keys, start)
    for _ in range(2 if crowd else 0):
        fill(dice, traffic)
        for _ in range(dice.between(5, 40)):
            traffic.step()
    for _ in range(dice.between(20, most_steps) if dice.chance(15) else dice.spread(20, most_steps)):
        traffic.step()
    return world
